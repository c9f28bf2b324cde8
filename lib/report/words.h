// The fixed words of a report for people, in English and Chinese. A renderer's headings and labels; sentences about a run stand in its document.
#pragma once
#include <cstddef>

namespace vaa {

enum class Word : int {
  kPass, kFail, kNotChecked, kUndecided,
  kSamples, kQuestions, kDatasets, kAnswers, kRequestsFailed, kMissing, kRepeats,
  kWrongHeading, kUnscoredHeading, kRightHeading, kOfAll, kPlace, kTotalWrong, kWellFormedWrong, kWellFormed, kUnfinished, kCutLooping, kCutUnclosed, kCutSuspected,
  kRight, kRightCut, kRightUnclosed, kRightPlain, kRightFlagged, kUnscored,
  kScoreHeading, kScoreOf, kScore, kStandardError, kInterval, kCount, kFileScore, kUpperBound, kSubjects, kFromFile, kEquals, kDiffers, kBoundNote,
  kFlagsHeading, kFlag, kSeverity, kFound, kTested, kRate, kCeiling, kStatus, kStatusPass, kStatusFail, kStatusUndecided, kStatusNotChecked, kStatusShown,
  kNothingFound, kNotTested, kSeverityFail, kSeverityWarn, kSeverityInfo,
  kBaselineHeading, kBaselineName, kPairs, kRun, kBaseline, kDifference, kExpectHeading,
  kLengthsHeading, kTokens, kCharacters, kMedian, kNinety, kNinetyNine, kLongest, kAtLimit,
  kDatasetsHeading, kDataset, kWrong, kBroken, kFailed, kMoreRows,
  kErrorsHeading, kErrorKind, kTimes,
  kWorstHeading, kCertain, kSuspected, kWhere, kFrom, kByte, kCharacter, kToken, kUnit, kCopies, kInReasoning, kMoreFindings,
  kProblemsHeading, kProblemsMore, kLimitsHeading, kNotesHeading, kModel, kTool,
  kEnd
};
constexpr size_t kWordCount = static_cast<size_t>(Word::kEnd);

const char* word(Word w, bool chinese);

}  // namespace vaa
