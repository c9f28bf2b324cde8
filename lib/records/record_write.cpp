// A sample as one vaa.record/1 line (docs/formats.md): null is "not recorded".
#include <algorithm>
#include <cmath>

#include "base/json_writer.h"
#include "records/sample.h"

namespace vaa {
namespace {

constexpr double kMinusInfinity = -9999.0;  // as vLLM writes it

class RecordWriter {
 public:
  RecordWriter(std::string* out, const Sample& sample) : json_(out), sample_(sample) {}

  void text(const char* key, TextField f) {
    json_.key(key);
    if (sample_.has(f)) json_.string(sample_.text(f));
    else json_.null();
  }
  // Already JSON: messages, extra, tool calls, the digits of a seed.
  void raw(const char* key, TextField f, const char* otherwise = "null") { json_.key(key).raw(sample_.has(f) ? one_line(sample_.text(f)) : otherwise); }
  void integer(const char* key, IntField f) {
    json_.key(key);
    if (sample_.has(f)) json_.integer(sample_.ints.get(f));
    else json_.null();
  }
  void boolean(const char* key, IntField f) {
    json_.key(key);
    if (sample_.has(f)) json_.boolean(sample_.ints.get(f) != 0);
    else json_.null();
  }
  void real(const char* key, RealField f) {
    json_.key(key);
    if (sample_.has(f) && std::isfinite(sample_.reals.get(f))) json_.real(sample_.reals.get(f));
    else json_.null();
  }
  void ids(const char* key, IdsField f) {
    json_.key(key);
    if (!sample_.has(f)) return void(json_.null());
    json_.begin_array();
    for (const int32_t id : sample_.ids.get(f)) json_.integer(id);
    json_.end_array();
  }
  void integers(const char* key, IntsField f) {
    json_.key(key);
    if (!sample_.has(f)) return void(json_.null());
    json_.begin_array();
    for (const int64_t value : sample_.int_lists.get(f)) json_.integer(value);
    json_.end_array();
  }
  void logprobs(const char* key, RealsField f) {
    json_.key(key);
    if (!sample_.has(f)) return void(json_.null());
    json_.begin_array();
    for (const double value : sample_.real_lists.get(f)) logprob(value);
    json_.end_array();
  }
  // One list of [id, logprob] a token; null for a token without any.
  void top(const char* key, IdsField ids_field, RealsField logprobs_field, IntsField ends_field) {
    json_.key(key);
    if (!sample_.has(ids_field) || !sample_.has(logprobs_field) || !sample_.has(ends_field)) return void(json_.null());
    const auto& ids = sample_.ids.get(ids_field);
    const auto& values = sample_.real_lists.get(logprobs_field);
    size_t at = 0;
    json_.begin_array();
    for (const int64_t end_given : sample_.int_lists.get(ends_field)) {
      const size_t end = std::min({static_cast<size_t>(std::max<int64_t>(end_given, 0)), ids.size(), values.size()});
      if (at >= end) {
        json_.null();
        continue;
      }
      json_.begin_array();
      for (; at < end; ++at) {
        json_.begin_array().integer(ids[at]);
        logprob(values[at]);
        json_.end_array();
      }
      json_.end_array();
    }
    json_.end_array();
  }
  template <class... Fields>
  bool any(Fields... fields) const {
    return (sample_.has(fields) || ...);
  }
  // "key":{ … } by `members`, or null where nothing of it is recorded.
  template <class Members>
  void object(const char* key, bool recorded, Members members) {
    json_.key(key);
    if (!recorded) return void(json_.null());
    json_.begin_object();
    members();
    json_.end_object();
  }
  JsonWriter& json() { return json_; }

 private:
  void logprob(double value) {
    if (std::isfinite(value)) json_.real(value);
    else if (value < 0) json_.real(kMinusInfinity);
    else json_.null();
  }
  // JSON that was read may hold line feeds, between its tokens and, against the rules, in its texts.
  std::string_view one_line(std::string_view json) {
    if (std::none_of(json.begin(), json.end(), [](char c) { return static_cast<unsigned char>(c) < 0x20; })) return json;
    line_.clear();
    bool in_text = false;
    for (size_t i = 0; i < json.size(); ++i) {
      const auto c = static_cast<unsigned char>(json[i]);
      if (c < 0x20) {
        static constexpr char kHex[] = "0123456789abcdef";
        if (in_text) line_ += std::string("\\u00") + kHex[c >> 4] + kHex[c & 15];
        else line_ += ' ';
        continue;
      }
      line_ += json[i];
      if (in_text && c == '\\' && i + 1 < json.size() && static_cast<unsigned char>(json[i + 1]) >= 0x20) line_ += json[++i];
      else if (c == '"') in_text = !in_text;
    }
    return line_;
  }
  JsonWriter json_;
  const Sample& sample_;
  std::string line_;
};

void write_prompt(RecordWriter& w) {
  w.text("text", TextField::kPromptText);
  w.raw("messages", TextField::kPromptMessages);
  w.ids("token_ids", IdsField::kPromptTokenIds);
  w.logprobs("logprobs", RealsField::kPromptLogprobs);
  w.top("top_logprobs", IdsField::kPromptTopIds, RealsField::kPromptTopLogprobs, IntsField::kPromptTopEnds);
}

void write_output(RecordWriter& w) {
  w.text("text", TextField::kOutputText);
  w.text("reasoning", TextField::kOutputReasoning);
  w.ids("token_ids", IdsField::kOutputTokenIds);
  w.logprobs("logprobs", RealsField::kOutputLogprobs);
  w.top("top_logprobs", IdsField::kOutputTopIds, RealsField::kOutputTopLogprobs, IntsField::kOutputTopEnds);
  w.text("ids_provenance", TextField::kIdsProvenance);
  w.boolean("ids_include_stop", IntField::kIdsIncludeStop);
  if (w.any(TextField::kToolCalls)) w.raw("tool_calls", TextField::kToolCalls);
}

void write_sampling(RecordWriter& w) {
  w.real("temperature", RealField::kTemperature);
  w.real("top_p", RealField::kTopP);
  w.integer("top_k", IntField::kTopK);
  w.real("min_p", RealField::kMinP);
  w.raw("seed", TextField::kSeed);
  w.integer("max_tokens", IntField::kMaxTokens);
  w.real("repetition_penalty", RealField::kRepetitionPenalty);
  w.real("presence_penalty", RealField::kPresencePenalty);
  w.real("frequency_penalty", RealField::kFrequencyPenalty);
  w.boolean("ignore_eos", IntField::kIgnoreEos);
  w.text("logprobs_mode", TextField::kLogprobsMode);
}

void write_score(RecordWriter& w) {
  w.text("metric", TextField::kScoreMetric);
  w.real("value", RealField::kScoreValue);
  w.boolean("correct", IntField::kScoreCorrect);
  w.text("gold", TextField::kScoreGold);
  w.text("extracted", TextField::kScoreExtracted);
  if (w.any(IntField::kScoreExtractionFailed)) w.boolean("extraction_failed", IntField::kScoreExtractionFailed);
}

bool any_sampling(const RecordWriter& w) {
  return w.any(RealField::kTemperature, RealField::kTopP, IntField::kTopK, RealField::kMinP, TextField::kSeed, IntField::kMaxTokens,
               RealField::kRepetitionPenalty, RealField::kPresencePenalty, RealField::kFrequencyPenalty, IntField::kIgnoreEos, TextField::kLogprobsMode);
}

bool any_prompt(const RecordWriter& w) {
  return w.any(TextField::kPromptText, TextField::kPromptMessages, IdsField::kPromptTokenIds, RealsField::kPromptLogprobs, IntsField::kPromptTopEnds);
}

bool any_output(const RecordWriter& w) {
  return w.any(TextField::kOutputText, TextField::kOutputReasoning, IdsField::kOutputTokenIds, RealsField::kOutputLogprobs, IntsField::kOutputTopEnds,
               TextField::kIdsProvenance, IntField::kIdsIncludeStop, TextField::kToolCalls);
}

}  // namespace

void append_record(std::string* out, const Sample& sample) {
  RecordWriter w(out, sample);
  JsonWriter& json = w.json();
  json.begin_object().member("schema", "vaa.record/1");
  w.text("id", TextField::kId);
  w.integer("repeat", IntField::kRepeat);
  w.text("dataset", TextField::kDataset);
  w.text("model", TextField::kModel);
  w.object("prompt", any_prompt(w), [&] { write_prompt(w); });
  w.object("output", any_output(w), [&] { write_output(w); });
  w.object("forced", sample.forced(), [&] {
    w.integer("from", IntField::kForcedFrom);
    w.text("of", TextField::kForcedOf);
  });
  w.text("finish_reason", TextField::kFinishReason);
  w.text("stop_reason", TextField::kStopReason);
  if (w.any(TextField::kStreamEnd)) w.text("stream_end", TextField::kStreamEnd);
  w.object("sampling", any_sampling(w), [&] { write_sampling(w); });
  w.object("usage", w.any(IntField::kPromptTokens, IntField::kCompletionTokens, IntField::kReasoningTokens, IntField::kCachedTokens), [&] {
    w.integer("prompt_tokens", IntField::kPromptTokens);
    w.integer("completion_tokens", IntField::kCompletionTokens);
    w.integer("reasoning_tokens", IntField::kReasoningTokens);
    w.integer("cached_tokens", IntField::kCachedTokens);
  });
  w.object("score", w.any(TextField::kScoreMetric, RealField::kScoreValue, IntField::kScoreCorrect, TextField::kScoreGold, TextField::kScoreExtracted,
                          IntField::kScoreExtractionFailed), [&] { write_score(w); });
  w.object("timing", w.any(RealField::kStartS, RealField::kEndS, RealField::kTtftS, RealField::kE2eS), [&] {
    w.real("start_s", RealField::kStartS);
    w.real("end_s", RealField::kEndS);
    w.real("ttft_s", RealField::kTtftS);
    if (w.any(RealField::kE2eS)) w.real("e2e_s", RealField::kE2eS);
  });
  w.text("endpoint", TextField::kEndpoint);
  w.text("replica", TextField::kReplica);
  w.integer("rank", IntField::kRank);
  w.text("request_id", TextField::kRequestId);
  w.integer("preemptions", IntField::kPreemptions);
  w.object("spec", w.any(IntField::kSpecSteps, IntField::kSpecDraftTokens, IntField::kSpecAcceptedTokens, IntsField::kSpecAcceptedPerPosition), [&] {
    w.integer("steps", IntField::kSpecSteps);
    w.integer("draft_tokens", IntField::kSpecDraftTokens);
    w.integer("accepted_tokens", IntField::kSpecAcceptedTokens);
    w.integers("accepted_per_position", IntsField::kSpecAcceptedPerPosition);
  });
  w.object("error", w.any(TextField::kErrorMessage, TextField::kErrorType, IntField::kErrorStatus), [&] {
    w.text("message", TextField::kErrorMessage);
    w.integer("status", IntField::kErrorStatus);
    w.text("type", TextField::kErrorType);
  });
  w.raw("extra", TextField::kExtra, "{}");
  w.object("source", w.any(TextField::kSourceFormat, TextField::kSourceFile, IntField::kSourceLine), [&] {
    w.text("format", TextField::kSourceFormat);
    w.text("file", TextField::kSourceFile);
    w.integer("line", IntField::kSourceLine);
  });
  json.end_object();
}

}  // namespace vaa
