#include "compare/spec_path.h"

#include <algorithm>

#include "base/figures.h"
#include "report/document.h"

namespace vaa {
namespace {

bool of_speculation(const ComparisonView& view) { return std::string_view(view.margins.change) == "spec"; }

void add(double* sum, const Document& value) {
  if (value.kind() == JsonKind::kNumber) *sum = std::max(0.0, *sum) + value.number();
}

std::string tokens(double n) { return grouped(static_cast<int64_t>(std::min(n, 0x1p62))); }

// What a header's counters hold: "counters": {"servers": [{"counted": {"engines": [{"spec"}]}, "proves": {"speculation": {"drafted"}}}]}.
void read_counters(const std::string& header, SpecPath* path) {
  if (header.empty()) return;
  const Document document = Document::parse(header);
  int64_t yes = 0, no = 0, unknown = 0;
  for (const Document& server : document.at("counters", "servers").items()) {
    const Document& drafted = server["proves"].at("speculation", "drafted");
    bool idle = false;
    for (const Document& engine : server.at("counted", "engines").items()) {
      add(&path->draft_tokens, engine.at("spec", "draft_tokens"));
      add(&path->accepted_tokens, engine.at("spec", "accepted_tokens"));
      idle = idle || (engine.at("spec", "draft_tokens").number() == 0 && engine["generation_tokens"].number() > 0);
    }
    (drafted.kind() != JsonKind::kBool ? unknown : drafted.truth() ? yes : no) += 1;
    no += drafted.truth() && idle;
  }
  path->counted = yes + no > 0;
  if (yes > 0) path->drafted = no + unknown > 0 ? Drafted::kPartly : Drafted::kYes;
  else if (no > 0 && unknown == 0) path->drafted = Drafted::kNo;
}

bool ran(const SpecPath& path) { return path.drafted == Drafted::kYes || path.drafted == Drafted::kPartly; }

}  // namespace

SpecPath spec_path(const RunSide& side) {
  SpecPath path;
  read_counters(side.header, &path);
  if (!ran(path) && side.speculated > 0) path.drafted = Drafted::kYes, path.counted = false;
  return path;
}

Both spec_path_words(const SpecPath& path) {
  const std::string share = path.draft_tokens > 0 && path.accepted_tokens >= 0 ? percent(path.accepted_tokens / path.draft_tokens) : "";
  const Both how = !path.counted ? Both{"drafts are recorded of requests", "请求记录了草稿"}
                                 : Both{tokens(path.draft_tokens) + " tokens drafted" + (share.empty() ? "" : ", " + tokens(path.accepted_tokens) + " accepted (" + share + ")"), "起草 " + tokens(path.draft_tokens) + " 个词元" + (share.empty() ? "" : "，接受 " + tokens(path.accepted_tokens) + "（" + percent(path.accepted_tokens / path.draft_tokens, true) + "）")};
  switch (path.drafted) {
    case Drafted::kYes: return {"speculation ran: " + how.en, "投机解码运行了：" + how.zh};
    case Drafted::kPartly: return {"speculation ran on some of the servers or engines: " + how.en, "部分服务器或引擎运行了投机解码：" + how.zh};
    case Drafted::kNo: return {"plain decoding: 0 tokens drafted", "普通解码：起草 0 个词元"};
    default: return {"whether it drafted is not recorded", "未记录是否起草"};
  }
}

Both why_no_speculation(const ComparisonView& view) {
  if (!of_speculation(view)) return {};
  const SpecPath reference = spec_path(view.reference), target = spec_path(view.target);
  if (target.drafted != Drafted::kNo || ran(reference)) return {};
  return {"speculation ran on neither side: the target's counters say 0 tokens drafted, so plain decoding was compared; vaa ask --for spec names the request members that switch it off",
          "两侧都没有运行投机解码：目标侧计数器显示起草 0 个词元，比较的是普通解码；vaa ask --for spec 会指出关闭它的请求字段"};
}

void hold_to_path(const ComparisonView& view, Decision* decision) {
  if (!of_speculation(view) || decision->code != 0 || ran(spec_path(view.reference)) || ran(spec_path(view.target))) return;
  decision->code = 3;
  decision->name = "undecided";
  decision->kinds.clear();
  decision->reason = {"nothing shows that speculation ran: neither run has the engine's counters (vaa ask --for spec records them) nor drafts of its requests; otherwise " + decision->reason.en,
                      "没有证据表明投机解码运行过：两次运行都没有引擎计数器（vaa ask --for spec 会记录），也没有请求的草稿；除此之外：" + decision->reason.zh};
}

}  // namespace vaa
