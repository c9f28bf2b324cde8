// The fixed words of a report for people, in English and Chinese. A renderer's headings and labels; sentences about a run stand in its document.
#pragma once
#include <cstddef>

namespace vaa {

enum class Word : int {
  kPass, kFail, kNotChecked, kUndecided,
  kSamples, kQuestions, kDatasets, kAnswers, kRequestsFailed, kMissing, kRepeats,
  kTitle, kWrongHeading, kUnscoredHeading, kOfAll, kUnnamed, kTotalWrong, kWellFormedWrong, kWellFormed, kUnfinished, kCutUnknown, kCutLooping, kCutUnclosed, kCutSuspected, kPlaceNote,
  kRight, kRightCut, kRightUnclosed, kRightPlain, kRightFlagged, kUnscored,
  kScoreHeading, kScoreOf, kScore, kStandardError, kInterval, kCount, kFileScore, kUpperBound, kSubjects, kFromFile, kEquals, kDiffers, kBoundNote,
  kFlagsHeading, kFlag, kMeaning, kSeverity, kFound, kTested, kRate, kAtLeast, kCeiling, kStatus, kStatusPass, kStatusFail, kStatusUndecided, kStatusNotChecked, kStatusShown,
  kCeilingNote, kSuspectedNote, kExplainNote, kNothingFound, kWouldShow, kNotTested, kRunChecksHeading, kNamedSamples, kGroupsHeading, kGroupsNote, kSeverityFail, kSeverityWarn, kSeverityInfo,
  kBaselineHeading, kBaselineName, kPairs, kRun, kBaseline, kDifference, kExpectHeading,
  kLengthsHeading, kTokens, kCharacters, kMedian, kNinety, kNinetyNine, kLongest, kAtLimit, kAxis,
  kDatasetsHeading, kDataset, kWrong, kBroken, kFailed, kMoreRows,
  kErrorsHeading, kErrorKind, kTimes,
  kWorstHeading, kCertain, kSuspected, kWhere, kFrom, kByte, kCharacter, kToken, kUnit, kCopies, kInReasoning, kMore, kFindings, kInJson,
  kProblemsHeading, kProblemsMore, kLimitsHeading, kNotesHeading, kModel, kTool,
  kEnd
};
constexpr size_t kWordCount = static_cast<size_t>(Word::kEnd);

const char* word(Word w, bool chinese);

}  // namespace vaa
