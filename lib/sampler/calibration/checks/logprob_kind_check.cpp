// Raw logprobs or processed ones: by what is recorded, held against what the lists show.
#include "base/figures.h"
#include "sampler/calibration/calibration_check.h"

namespace vaa::sampler {
namespace {

const char* kind_name(LogprobKind kind) { return kind == LogprobKind::kRaw ? "raw" : kind == LogprobKind::kProcessed ? "processed" : "unknown"; }
Both kind_words(LogprobKind kind) { return kind == LogprobKind::kRaw ? Both{"raw", "原始"} : kind == LogprobKind::kProcessed ? Both{"processed", "处理后"} : Both{"unknown", "未知"}; }

CheckResult run(const GroupView& view) {
  const Group& group = view.group;
  const ListShape& shape = group.shape;
  const LogprobKind recorded = group.request.kind, seen = group.seen();
  CheckResult out;
  out.applies = shape.lists > 0;
  out.n = shape.lists, out.n_unit = "lists";
  out.unit = "share";
  out.kind = "logprobs_mislabelled";
  if (!out.applies) return no_check({"no list is usable", "没有可用的列表"});
  out.effect = shape.sharp > 0 ? static_cast<double>(shape.sharp_shorter) / static_cast<double>(shape.sharp) : std::nan("");
  const Both known = kind_words(recorded), looks = kind_words(seen);
  if (recorded != LogprobKind::kUnknown && seen != LogprobKind::kUnknown && recorded != seen) {
    out.p_beyond = 0;
    out.words = {"recorded as " + known.en + ", and the lists are " + looks.en + ": " + (seen == LogprobKind::kRaw ? "they hold tokens that top-k, top-p or min-p cut" : "where the model is sure they hold the kept tokens alone"), "记录为" + known.zh + "，而列表是" + looks.zh + "：" + (seen == LogprobKind::kRaw ? "其中有被 top-k、top-p 或 min-p 排除的词元" : "在模型确定的位置只含保留的词元")};
  } else if (recorded != LogprobKind::kUnknown) {
    out.inside = true;
    out.words = {"recorded as " + known.en + (seen == recorded ? ", and the lists agree" : "; the lists do not contradict"), "记录为" + known.zh + (seen == recorded ? "，列表与之相符" : "；列表不与之矛盾")};
  } else if (seen != LogprobKind::kUnknown) {
    out.inside = true;
    out.words = {"not recorded; the lists are " + looks.en, "未记录；列表是" + looks.zh};
  } else {
    out.words = {"neither recorded nor told by the lists", "未记录，列表也无法判断"};
    out.needed = {"give --logprobs raw or processed", "请给出 --logprobs raw 或 processed"};
  }
  JsonWriter json(&out.data);
  json.begin_object().member("recorded", kind_name(recorded)).member("seen", kind_name(seen)).member("lists", shape.lists).member("sharp", shape.sharp).member("sharp_shorter", shape.sharp_shorter).member("over_top_k", shape.over_top_k).member("asked", static_cast<int64_t>(shape.asked)).end_object();
  return out;
}

}  // namespace

extern const CalibrationCheck kLogprobKindCheck;
const CalibrationCheck kLogprobKindCheck = {"logprob_kind", {"Raw or processed logprobs", "原始或处理后的对数概率"}, run};

}  // namespace vaa::sampler
