// Which side drafted: what `--change spec` is about.
#include "compare/spec_path.h"

namespace vaa {
namespace {

StepResult run(const ComparisonView& view) {
  if (std::string_view(view.margins.change) != "spec") return not_applicable({"--change spec looks at it", "--change spec 时查看"});
  const SpecPath reference = spec_path(view.reference), target = spec_path(view.target);
  StepResult step;
  step.applies = true;
  step.n = 2;
  step.n_unit = "runs";
  const Both a = spec_path_words(reference), b = spec_path_words(target);
  step.words = {"reference: " + a.en + "; target: " + b.en, "参考侧：" + a.zh + "；目标侧：" + b.zh};
  const auto partly = [&](const SpecPath& path) { return path.drafted == Drafted::kPartly; };
  if (partly(reference) || partly(target)) step.section.lines.push_back({{"answers of both paths are mixed: ask each server by itself", "两种路径的回答混在一起：请分别询问每台服务器"}, "", "", "", "unsure"});
  if (reference.drafted == Drafted::kYes) step.section.lines.push_back({{"the reference drafted: it is not the law of plain decoding", "参考侧起草过：它不是普通解码的分布"}, "", "", "", "unsure"});
  return step;
}

}  // namespace

extern const Step kSpeculationStep;
const Step kSpeculationStep = {"speculation", "facts", false, {"Whether speculation ran", "投机解码是否运行"}, run};

}  // namespace vaa
