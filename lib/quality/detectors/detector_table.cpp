// The detectors, in the order of their flags. A new one is a file beside this and a line here.
#include <iterator>

#include "quality/detector.h"

namespace vaa {

extern const Detector kRepetitionLoop, kEmpty, kTruncated, kReplacementChar, kControlChar, kInvalidUnicode, kThinkUnclosed, kThinkOrphanClose, kSpecialTokenLeak,
    kNoFinalAnswer, kAnswerNotExtracted;
extern const Detector kPrematureStop, kJsonInvalid, kRoleLeak, kPromptEcho, kTokenIdRun, kLogprobInvalid, kEntropyCollapse, kLowLogprob;
extern const Detector kScriptSoup, kMixedScriptWord, kForeignIntrusion, kUnassignedOrPrivate, kMojibake, kByteFallbackLeak, kTokenizerArtifact, kSpacingAnomaly, kLangDrift;
extern const Detector kCounterLoop, kLowDiversity, kSingleTokenCollapse, kWordSalad, kGibberishTail;

namespace {

const Detector* const kTable[] = {
    &kRepetitionLoop,
    &kEmpty,
    &kTruncated,
    &kReplacementChar,
    &kControlChar,
    &kInvalidUnicode,
    &kThinkUnclosed,
    &kThinkOrphanClose,
    &kSpecialTokenLeak,
    &kNoFinalAnswer,
    &kAnswerNotExtracted,
    &kPrematureStop,
    &kJsonInvalid,
    &kRoleLeak,
    &kPromptEcho,
    &kTokenIdRun,
    &kLogprobInvalid,
    &kEntropyCollapse,
    &kLowLogprob,
    &kScriptSoup,
    &kMixedScriptWord,
    &kForeignIntrusion,
    &kUnassignedOrPrivate,
    &kCounterLoop,
    &kLowDiversity,
    &kSingleTokenCollapse,
    &kWordSalad,
    &kMojibake,
    &kByteFallbackLeak,
    &kTokenizerArtifact,
    &kSpacingAnomaly,
    &kLangDrift,
    &kGibberishTail,
};
static_assert(std::size(kTable) <= 64, "a flag is a bit of 64");

}  // namespace

std::span<const Detector* const> detector_table() { return kTable; }

int find_flag(std::string_view name) {
  for (size_t i = 0; i < std::size(kTable); ++i)
    if (kTable[i]->name == name) return static_cast<int>(i);
  return -1;
}

}  // namespace vaa
