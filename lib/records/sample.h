// A generation as vaa sees it: fields that are recorded or not. Storage is one slot a field, by type; clear() keeps the memory.
#pragma once
#include <array>
#include <bitset>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace vaa {

// The numbers are those of vaa_field (include/vaa/sample.h); a test holds them equal.
enum class TextField : int { kId = 100, kDataset, kModel, kPromptText, kPromptMessages, kOutputText, kOutputReasoning, kFinishReason, kStopReason, kIdsProvenance,
  kForcedOf, kSeed, kLogprobsMode, kScoreMetric, kScoreGold, kScoreExtracted, kEndpoint, kReplica, kRequestId, kErrorMessage, kErrorType, kStreamEnd, kExtra,
  kSourceFormat, kSourceFile, kToolCalls, kEnd };
enum class IntField : int { kRepeat = 200, kTopK, kMaxTokens, kIgnoreEos, kPromptTokens, kCompletionTokens, kReasoningTokens, kCachedTokens, kScoreCorrect, kRank,
  kPreemptions, kSpecSteps, kSpecDraftTokens, kSpecAcceptedTokens, kErrorStatus, kSourceLine, kIdsIncludeStop, kForcedFrom, kScoreExtractionFailed, kEnd };
enum class RealField : int { kTemperature = 300, kTopP, kMinP, kRepetitionPenalty, kPresencePenalty, kFrequencyPenalty, kScoreValue, kStartS, kEndS, kTtftS, kE2eS, kEnd };
enum class IdsField : int { kPromptTokenIds = 400, kOutputTokenIds, kPromptTopIds, kOutputTopIds, kEnd };
enum class RealsField : int { kPromptLogprobs = 500, kOutputLogprobs, kPromptTopLogprobs, kOutputTopLogprobs, kEnd };
enum class IntsField : int { kPromptTopEnds = 600, kOutputTopEnds, kSpecAcceptedPerPosition, kEnd };

// One field type's slots.
template <class Field, class Value, int kBase>
class FieldSlots {
 public:
  static constexpr size_t kCount = static_cast<size_t>(static_cast<int>(Field::kEnd) - kBase);
  static constexpr size_t at(Field f) { return static_cast<size_t>(static_cast<int>(f) - kBase); }
  bool has(Field f) const { return set_[at(f)]; }
  const Value& get(Field f) const { return values_[at(f)]; }  // what it last held when !has(f)
  Value& put(Field f) { set_[at(f)] = true; return values_[at(f)]; }  // recorded from now on; holds the old value
  void unset(Field f) { set_[at(f)] = false; }
  void clear() { set_.reset(); }
  bool any() const { return set_.any(); }  // something is recorded
  // Exchanges what is recorded in either; costs what is recorded, not what could be.
  void swap(FieldSlots& other) {
    using std::swap;
    for (size_t i = 0; i < kCount; ++i)
      if (set_[i] || other.set_[i]) swap(values_[i], other.values_[i]);
    swap(set_, other.set_);
  }
  template <class Visit>  // visit(value, recorded) of every slot
  void each(Visit visit) {
    for (size_t i = 0; i < kCount; ++i) visit(values_[i], set_[i]);
  }
  template <class Visit>
  void each(Visit visit) const {
    for (size_t i = 0; i < kCount; ++i) visit(values_[i], set_[i]);
  }

 private:
  std::array<Value, kCount> values_{};
  std::bitset<kCount> set_;
};

class Sample {
 public:
  FieldSlots<TextField, std::string, 100> texts;
  FieldSlots<IntField, int64_t, 200> ints;
  FieldSlots<RealField, double, 300> reals;
  FieldSlots<IdsField, std::vector<int32_t>, 400> ids;
  FieldSlots<RealsField, std::vector<double>, 500> real_lists;
  FieldSlots<IntsField, std::vector<int64_t>, 600> int_lists;

  void clear();  // nothing recorded; memory is kept
  void swap(Sample& other);
  void release();  // clear, and gives back buffers over 64 KiB, so that a pool of samples stays small
  size_t footprint() const;  // bytes of the recorded values

  bool has(TextField f) const { return texts.has(f); }
  bool has(IntField f) const { return ints.has(f); }
  bool has(RealField f) const { return reals.has(f); }
  bool has(IdsField f) const { return ids.has(f); }
  bool has(RealsField f) const { return real_lists.has(f); }
  bool has(IntsField f) const { return int_lists.has(f); }
  // "" where not recorded: ask has() where the difference matters.
  std::string_view text(TextField f) const { return texts.has(f) ? std::string_view(texts.get(f)) : std::string_view(); }
  int64_t integer(IntField f, int64_t otherwise) const { return ints.has(f) ? ints.get(f) : otherwise; }
  double real(RealField f, double otherwise) const { return reals.has(f) ? reals.get(f) : otherwise; }
  void set(TextField f, std::string_view v) { texts.put(f).assign(v); }
  void set(IntField f, int64_t v) { ints.put(f) = v; }
  void set(RealField f, double v) { reals.put(f) = v; }

  bool failed() const { return texts.has(TextField::kErrorMessage); }       // the request failed
  bool forced() const { return texts.has(TextField::kForcedOf) || ints.has(IntField::kForcedFrom); }
  // Tool calls are recorded, and the list is not empty.
  bool has_tool_calls() const;
  // There is an answer to judge: text, reasoning, ids or tool calls were recorded, and it is no teacher-forced measurement.
  bool has_output() const;
};

// The table of fields: number, type and name in a record ("output.text"). Used by the C API, the vaa reader and the writer.
struct FieldInfo {
  int field;
  const char* name;
};
std::span<const FieldInfo> field_table();
const FieldInfo* find_field(int field);               // nullptr: no such field
const FieldInfo* find_field(std::string_view name);

// Throw Failure (VAA_ERROR_ARGUMENT) where a value is not allowed in its field: a finish reason outside its list, a seed that is no integer, a repeat below 0, …
void check_text_value(TextField field, std::string_view value);
void check_integer_value(IntField field, int64_t value);

// "" or why a value is not allowed in its field.
std::string text_value_fault(TextField field, std::string_view value);
std::string integer_value_fault(IntField field, int64_t value);

// A sample as one vaa.record/1 line, without line feed.
void append_record(std::string* out, const Sample& sample);
// Throws Failure (VAA_ERROR_FORMAT) that names key, value and what is allowed.
void parse_record(std::string_view line, Sample* sample);
// The same without a throw: false with *why set.
bool read_record(std::string_view line, Sample* sample, std::string* why);

// Appends the sample's prompt with its sampling parameters as one OpenAI batch request line, without line feed; false: the prompt is not recorded.
bool append_request_line(std::string* out, const Sample& sample);

}  // namespace vaa
