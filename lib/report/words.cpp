#include "report/words.h"

#include <iterator>

namespace vaa {
namespace {

struct Entry {
  Word word;
  const char* en;
  const char* zh;
};
constexpr Entry kWords[] = {
    {Word::kPass, "PASS", "通过"},
    {Word::kFail, "FAIL", "未通过"},
    {Word::kNotChecked, "NOT CHECKED", "未能检查"},
    {Word::kUndecided, "UNDECIDED", "尚无定论"},
    {Word::kSamples, "samples", "个样本"},
    {Word::kQuestions, "questions", "道题"},
    {Word::kDatasets, "datasets", "个数据集"},
    {Word::kAnswers, "answers", "个回答"},
    {Word::kRequestsFailed, "requests failed", "个请求失败"},
    {Word::kMissing, "answers missing", "个回答缺失"},
    {Word::kRepeats, "repeats", "次重复"},
    {Word::kTitle, "Output check", "输出检查"},
    {Word::kWrongHeading, "What the wrong answers died of", "错误回答的原因"},
    {Word::kUnscoredHeading, "How the answers without a score look", "无得分的回答状况"},
    {Word::kOfAll, "all", "全部"},
    {Word::kUnnamed, "(no name)", "（未命名）"},
    {Word::kTotalWrong, "wrong in all", "错误合计"},
    {Word::kWellFormedWrong, "well formed and wrong", "格式完好但答错"},
    {Word::kWellFormed, "none of these", "以上皆无"},
    {Word::kUnfinished, "of these without the final answer asked for", "其中缺少提示词要求的最终答案"},
    {Word::kCutUnknown, "of these not known whether cut", "其中无法判断是否被截断"},
    {Word::kCutLooping, "of these looping", "其中循环重复"},
    {Word::kCutUnclosed, "of these with an unclosed thought", "其中思考未结束"},
    {Word::kCutSuspected, "of these only suspected", "其中仅为疑似"},
    {Word::kPlaceNote, "?: on some of these answers it is not recorded, or was not looked for; they stand in a row further down.", "?：部分回答缺少所需记录，或未作此项检测；它们计入下方的行。"},
    {Word::kRight, "right", "正确"},
    {Word::kRightCut, "right but cut", "正确但被截断"},
    {Word::kRightUnclosed, "right by an unclosed thought", "仅凭未结束的思考判对"},
    {Word::kRightPlain, "plainly right", "正常答对"},
    {Word::kRightFlagged, "of these with other damage", "其中另有异常"},
    {Word::kUnscored, "without a score", "无得分"},
    {Word::kScoreHeading, "Score", "得分"},
    {Word::kScoreOf, "dataset, metric", "数据集与指标"},
    {Word::kScore, "score", "得分"},
    {Word::kStandardError, "std. error", "标准误"},
    {Word::kInterval, "95 % interval", "95% 区间"},
    {Word::kCount, "n", "数量"},
    {Word::kFileScore, "in the file", "文件中的得分"},
    {Word::kUpperBound, "at most", "最高可能"},
    {Word::kSubjects, "mean of subjects", "各科平均"},
    {Word::kFromFile, "not recomputed", "未重算"},
    {Word::kEquals, "equal", "一致"},
    {Word::kDiffers, "differs", "不一致"},
    {Word::kBoundNote, "at most: the score had every broken answer been right. Leaving them out instead would flatter: cut answers are the hard ones.",
     "最高可能：假设所有损坏的回答都答对时的得分。直接剔除它们会虚高：被截断的往往是难题。"},
    {Word::kFlagsHeading, "Flags", "异常标记"},
    {Word::kFlag, "flag", "标记"},
    {Word::kMeaning, "meaning", "含义"},
    {Word::kSeverity, "severity", "级别"},
    {Word::kFound, "found", "出现"},
    {Word::kTested, "of", "总数"},
    {Word::kRate, "rate", "比例"},
    {Word::kAtLeast, "at least", "至少"},
    {Word::kCeiling, "healthy up to", "正常上限"},
    {Word::kStatus, "status", "结论"},
    {Word::kStatusPass, "ok", "正常"},
    {Word::kStatusFail, "too many", "过多"},
    {Word::kStatusUndecided, "undecided", "尚无定论"},
    {Word::kStatusNotChecked, "not tested", "未检测"},
    {Word::kStatusShown, "shown only", "仅供参考"},
    {Word::kCeilingNote, "at least: the lower limit of the rate in all answers, at 99.5 % (95 % for ceilings of up to 0.1 %); unknown counts as clean. Too many: at least is above healthy up to.",
     "至少：比例在全部回答中的置信下限，置信度 99.5%（上限不超过 0.1% 时为 95%）；无法判断的按正常计。“至少”超过“正常上限”即为过多。"},
    {Word::kSuspectedNote, "(+n): n more are suspected or of lower severity; they are shown and do not count.", "(+n)：另有 n 个为疑似或级别较低，仅列出，不计入。"},
    {Word::kExplainNote, "Causes seen in engines, and the next run to make:", "引擎中见过的原因和下一步："},
    {Word::kNothingFound, "Tested, none found", "已检测，未发现"},
    {Word::kWouldShow, "would have shown", "即可被发现"},
    {Word::kNotTested, "Not tested, for want of what it needs", "因缺少记录而未检测"},
    {Word::kRunChecksHeading, "The run as a whole", "整体检查"},
    {Word::kNamedSamples, "samples", "样本"},
    {Word::kGroupsHeading, "Where the flagged answers stand", "异常回答的分布"},
    {Word::kGroupsNote, "The share among the others is the base rate; p is exact and adjusted (Benjamini and Hochberg) for all groups that were tried:", "“其余样本中的占比”为基准比例；p 为精确检验，并按全部尝试过的分组数校正（Benjamini–Hochberg），分组数："},
    {Word::kSeverityFail, "fail", "严重"},
    {Word::kSeverityWarn, "warn", "警告"},
    {Word::kSeverityInfo, "info", "提示"},
    {Word::kBaselineHeading, "Against the baseline", "与基线对比"},
    {Word::kBaselineName, "baseline", "基线"},
    {Word::kPairs, "questions paired", "道题配对"},
    {Word::kRun, "this run", "本次运行"},
    {Word::kBaseline, "baseline", "基线"},
    {Word::kDifference, "difference", "差值"},
    {Word::kExpectHeading, "Against the published score", "与公布得分对比"},
    {Word::kLengthsHeading, "Length of the answers", "回答长度"},
    {Word::kTokens, "tokens", "个词元"},
    {Word::kCharacters, "characters", "个字符"},
    {Word::kMedian, "half up to", "中位数"},
    {Word::kNinety, "90 % up to", "90% 不超过"},
    {Word::kNinetyNine, "99 % up to", "99% 不超过"},
    {Word::kLongest, "longest", "最长"},
    {Word::kAtLimit, "reached the token limit", "达到词元上限"},
    {Word::kAxis, "lengths double from bar to bar: a logarithmic axis", "对数轴：每格长度加倍"},
    {Word::kDatasetsHeading, "Datasets with the most broken answers", "损坏回答最多的数据集"},
    {Word::kDataset, "dataset", "数据集"},
    {Word::kWrong, "wrong", "错误"},
    {Word::kBroken, "of these broken", "其中损坏"},
    {Word::kFailed, "requests failed", "请求失败"},
    {Word::kMoreRows, "more", "更多"},
    {Word::kErrorsHeading, "Failed requests", "失败的请求"},
    {Word::kErrorKind, "error", "错误信息"},
    {Word::kTimes, "times", "次数"},
    {Word::kWorstHeading, "Worst cases", "典型案例"},
    {Word::kCertain, "certain", "确定"},
    {Word::kSuspected, "suspected", "疑似"},
    {Word::kWhere, "where", "位置"},
    {Word::kFrom, "from", "起于"},
    {Word::kByte, "byte", "字节"},
    {Word::kCharacter, "character", "字符"},
    {Word::kToken, "token", "token"},
    {Word::kUnit, "unit of", "单元"},
    {Word::kCopies, "times", "次"},
    {Word::kInReasoning, "in the reasoning", "位于思考部分"},
    {Word::kMore, "more", "另有"},
    {Word::kFindings, "findings", "条"},
    {Word::kInJson, "of lower rank, in the JSON report", "见 JSON 报告"},
    {Word::kProblemsHeading, "What could not be read", "无法读取的内容"},
    {Word::kProblemsMore, "more", "条未列出"},
    {Word::kLimitsHeading, "What could not be told, and what would let it be known", "无法得知的内容与补救办法"},
    {Word::kNotesHeading, "Notes", "说明"},
    {Word::kModel, "model", "模型"},
    {Word::kTool, "tool", "工具"},
};
static_assert(std::size(kWords) == kWordCount);
constexpr bool in_order() {
  for (size_t i = 0; i < kWordCount; ++i) {
    if (static_cast<size_t>(kWords[i].word) != i) return false;
  }
  return true;
}
static_assert(in_order());

}  // namespace

const char* word(Word w, bool chinese) {
  const Entry& entry = kWords[static_cast<size_t>(w)];
  return chinese ? entry.zh : entry.en;
}

}  // namespace vaa
