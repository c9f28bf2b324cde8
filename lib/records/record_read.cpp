// A vaa.record/1 line into a sample. Unknown keys are skipped; a value of a wrong type makes the line bad.
#include <cmath>
#include <limits>

#include "base/failure.h"
#include "records/format.h"

namespace vaa {
namespace {

constexpr double kMinusInfinity = -9999.0;

class RecordReader {
 public:
  RecordReader(std::string_view line, Sample* sample, std::string* why) : json_(line), sample_(sample), why_(why) {}
  bool record();

 private:
  // All of these return false with *why_ set where the value is malformed, of a wrong kind or not allowed.
  bool malformed() { return bad_json(json_, why_); }
  bool refuse(std::string message) {
    *why_ = std::move(message);
    return false;
  }
  bool wrong(const std::string& name, JsonKind found, const char* allowed) {
    return found == JsonKind::kInvalid ? json_.skip() || malformed() : refuse(wrong_kind(name, found, allowed));
  }
  bool pass() { return json_.skip() || malformed(); }
  bool null() { return json_.null() || malformed(); }
  bool text(const char* name, TextField f) {
    if (!read_text(&json_, name, sample_, f, why_)) return false;
    if (!sample_->has(f)) return true;
    *why_ = text_value_fault(f, sample_->text(f));
    return why_->empty();
  }
  bool id(const char* name, TextField f) { return read_id(&json_, name, sample_, f, why_); }
  bool integer(const char* name, IntField f) {
    if (!read_integer(&json_, name, sample_, f, why_)) return false;
    if (!sample_->has(f)) return true;
    *why_ = integer_value_fault(f, sample_->ints.get(f));
    return why_->empty();
  }
  bool boolean(const char* name, IntField f) { return read_bool(&json_, name, sample_, f, why_); }
  bool real(const char* name, RealField f) { return read_real(&json_, name, sample_, f, why_); }
  bool ids(const char* name, IdsField f) { return read_ids(&json_, name, sample_, f, why_); }

  // The bytes of a value of the given kind.
  bool raw(const char* name, TextField f, JsonKind kind, const char* allowed) {
    const JsonKind found = json_.peek();
    std::string_view bytes;
    sample_->texts.unset(f);
    if (found == JsonKind::kNull) return null();
    if (found != kind) return wrong(name, found, allowed);
    if (!json_.raw(&bytes)) return malformed();
    sample_->set(f, bytes);
    return true;
  }
  // Gold and extraction are text; a number or anything else stands as it is written.
  bool text_or_raw(const char* name, TextField f) {
    const JsonKind kind = json_.peek();
    if (kind == JsonKind::kString || kind == JsonKind::kNull) return text(name, f);
    std::string_view bytes;
    if (!json_.raw(&bytes)) return malformed();
    sample_->set(f, bytes);
    return true;
  }
  bool logprobs(const char* name, RealsField f);
  bool integers(const char* name, IntsField f);
  bool top(const char* name, IdsField ids_field, RealsField logprobs_field, IntsField ends_field);
  bool alternatives(const char* name, std::vector<int32_t>* ids, std::vector<double>* values);

  // member(key) takes one value each; null: nothing of it is recorded.
  template <class Member>
  bool object(const char* name, Member member) {
    const JsonKind kind = json_.peek();
    if (kind == JsonKind::kNull) return null();
    if (kind != JsonKind::kObject) return wrong(name, kind, "an object");
    json_.object();
    std::string_view key;
    while (json_.key(&key))
      if (!member(key)) return false;
    return !json_.failed() || malformed();
  }
  bool top_level(std::string_view key);
  bool prompt();
  bool output();
  bool sampling();
  bool usage();
  bool score();
  bool timing();
  bool spec();
  bool error();
  bool source();

  JsonReader json_;
  Sample* sample_;
  std::string* why_;
};

bool RecordReader::logprobs(const char* name, RealsField f) {
  const JsonKind kind = json_.peek();
  if (kind == JsonKind::kNull) return null();
  if (kind != JsonKind::kArray) return wrong(name, kind, "a list of numbers");
  size_t bad = 0;
  auto& values = sample_->real_lists.put(f);
  if (!json_.reals(&values, &bad)) return json_.failed() ? malformed() : refuse(std::string(name) + "[" + std::to_string(bad) + "]: is no number");
  for (double& value : values)
    if (value == kMinusInfinity) value = -std::numeric_limits<double>::infinity();
  return true;
}

bool RecordReader::integers(const char* name, IntsField f) {
  const JsonKind kind = json_.peek();
  if (kind == JsonKind::kNull) return null();
  if (kind != JsonKind::kArray) return wrong(name, kind, "a list of integers");
  auto& values = sample_->int_lists.put(f);
  values.clear();
  json_.array();
  while (json_.element()) {
    int64_t value = 0;
    if (json_.peek() != JsonKind::kNumber || !json_.int64(&value))
      return json_.failed() ? malformed() : refuse(std::string(name) + "[" + std::to_string(values.size()) + "]: is no integer");
    values.push_back(value);
  }
  return !json_.failed() || malformed();
}

// [[id, logprob], …] of one token; a logprob that is null was no number.
bool RecordReader::alternatives(const char* name, std::vector<int32_t>* ids, std::vector<double>* values) {
  json_.array();
  while (json_.element()) {
    int64_t id = -1;
    double value = std::numeric_limits<double>::quiet_NaN();
    const auto logprob = [&] { return json_.peek() == JsonKind::kNull ? json_.null() : json_.peek() == JsonKind::kNumber && json_.real(&value); };
    const bool good = json_.peek() == JsonKind::kArray && json_.array() && json_.element() && json_.peek() == JsonKind::kNumber && json_.int64(&id) && id >= 0 &&
                      id <= std::numeric_limits<int32_t>::max() && json_.element() && logprob() && !json_.element();
    if (json_.failed()) return malformed();
    if (!good) return refuse(std::string(name) + ": holds an entry that is no [id, logprob]");
    ids->push_back(static_cast<int32_t>(id));
    values->push_back(value == kMinusInfinity ? -std::numeric_limits<double>::infinity() : value);
  }
  return !json_.failed() || malformed();
}

bool RecordReader::top(const char* name, IdsField ids_field, RealsField logprobs_field, IntsField ends_field) {
  const JsonKind kind = json_.peek();
  if (kind == JsonKind::kNull) return null();
  if (kind != JsonKind::kArray) return wrong(name, kind, "a list with one list of [id, logprob] a token");
  auto& all_ids = sample_->ids.put(ids_field);
  auto& values = sample_->real_lists.put(logprobs_field);
  auto& ends = sample_->int_lists.put(ends_field);
  all_ids.clear();
  values.clear();
  ends.clear();
  json_.array();
  while (json_.element()) {
    const JsonKind token = json_.peek();
    if (token == JsonKind::kArray) {
      if (!alternatives(name, &all_ids, &values)) return false;
    } else if (token != JsonKind::kNull) {
      return wrong(std::string(name) + "[" + std::to_string(ends.size()) + "]", token, "a list or null");
    } else if (!null()) {
      return false;
    }
    ends.push_back(static_cast<int64_t>(all_ids.size()));
  }
  return !json_.failed() || malformed();
}

bool RecordReader::prompt() {
  return object("prompt", [&](std::string_view key) {
    if (key == "text") return text("prompt.text", TextField::kPromptText);
    if (key == "messages") return raw("prompt.messages", TextField::kPromptMessages, JsonKind::kArray, "a list of messages");
    if (key == "token_ids") return ids("prompt.token_ids", IdsField::kPromptTokenIds);
    if (key == "logprobs") return logprobs("prompt.logprobs", RealsField::kPromptLogprobs);
    if (key == "top_logprobs") return top("prompt.top_logprobs", IdsField::kPromptTopIds, RealsField::kPromptTopLogprobs, IntsField::kPromptTopEnds);
    return pass();
  });
}

bool RecordReader::output() {
  return object("output", [&](std::string_view key) {
    if (key == "text") return text("output.text", TextField::kOutputText);
    if (key == "reasoning") return text("output.reasoning", TextField::kOutputReasoning);
    if (key == "token_ids") return ids("output.token_ids", IdsField::kOutputTokenIds);
    if (key == "logprobs") return logprobs("output.logprobs", RealsField::kOutputLogprobs);
    if (key == "top_logprobs") return top("output.top_logprobs", IdsField::kOutputTopIds, RealsField::kOutputTopLogprobs, IntsField::kOutputTopEnds);
    if (key == "ids_provenance") return text("output.ids_provenance", TextField::kIdsProvenance);
    if (key == "ids_include_stop") return boolean("output.ids_include_stop", IntField::kIdsIncludeStop);
    if (key == "tool_calls") return raw("output.tool_calls", TextField::kToolCalls, JsonKind::kArray, "a list");
    return pass();
  });
}

bool RecordReader::sampling() {
  return object("sampling", [&](std::string_view key) {
    if (key == "temperature") return real("sampling.temperature", RealField::kTemperature);
    if (key == "top_p") return real("sampling.top_p", RealField::kTopP);
    if (key == "top_k") return integer("sampling.top_k", IntField::kTopK);
    if (key == "min_p") return real("sampling.min_p", RealField::kMinP);
    if (key == "seed") return id("sampling.seed", TextField::kSeed);
    if (key == "max_tokens") return integer("sampling.max_tokens", IntField::kMaxTokens);
    if (key == "repetition_penalty") return real("sampling.repetition_penalty", RealField::kRepetitionPenalty);
    if (key == "presence_penalty") return real("sampling.presence_penalty", RealField::kPresencePenalty);
    if (key == "frequency_penalty") return real("sampling.frequency_penalty", RealField::kFrequencyPenalty);
    if (key == "ignore_eos") return boolean("sampling.ignore_eos", IntField::kIgnoreEos);
    if (key == "logprobs_mode") return text("sampling.logprobs_mode", TextField::kLogprobsMode);
    return pass();
  });
}

bool RecordReader::usage() {
  return object("usage", [&](std::string_view key) {
    if (key == "prompt_tokens") return integer("usage.prompt_tokens", IntField::kPromptTokens);
    if (key == "completion_tokens") return integer("usage.completion_tokens", IntField::kCompletionTokens);
    if (key == "reasoning_tokens") return integer("usage.reasoning_tokens", IntField::kReasoningTokens);
    if (key == "cached_tokens") return integer("usage.cached_tokens", IntField::kCachedTokens);
    return pass();
  });
}

bool RecordReader::score() {
  return object("score", [&](std::string_view key) {
    if (key == "metric") return text("score.metric", TextField::kScoreMetric);
    if (key == "value") return real("score.value", RealField::kScoreValue);
    if (key == "correct") return boolean("score.correct", IntField::kScoreCorrect);
    if (key == "gold") return text_or_raw("score.gold", TextField::kScoreGold);
    if (key == "extracted") return text_or_raw("score.extracted", TextField::kScoreExtracted);
    if (key == "extraction_failed") return boolean("score.extraction_failed", IntField::kScoreExtractionFailed);
    return pass();
  });
}

bool RecordReader::timing() {
  return object("timing", [&](std::string_view key) {
    if (key == "start_s") return real("timing.start_s", RealField::kStartS);
    if (key == "end_s") return real("timing.end_s", RealField::kEndS);
    if (key == "ttft_s") return real("timing.ttft_s", RealField::kTtftS);
    if (key == "e2e_s") return real("timing.e2e_s", RealField::kE2eS);
    return pass();
  });
}

bool RecordReader::spec() {
  return object("spec", [&](std::string_view key) {
    if (key == "steps") return integer("spec.steps", IntField::kSpecSteps);
    if (key == "draft_tokens") return integer("spec.draft_tokens", IntField::kSpecDraftTokens);
    if (key == "accepted_tokens") return integer("spec.accepted_tokens", IntField::kSpecAcceptedTokens);
    if (key == "accepted_per_position") return integers("spec.accepted_per_position", IntsField::kSpecAcceptedPerPosition);
    return pass();
  });
}

bool RecordReader::error() {
  const bool given = json_.peek() == JsonKind::kObject;
  const bool good = object("error", [&](std::string_view key) {
    if (key == "message") return text("error.message", TextField::kErrorMessage);
    if (key == "status") return integer("error.status", IntField::kErrorStatus);
    if (key == "type") return text("error.type", TextField::kErrorType);
    return pass();
  });
  if (given && !sample_->has(TextField::kErrorMessage)) sample_->set(TextField::kErrorMessage, "");
  return good;
}

bool RecordReader::source() {
  return object("source", [&](std::string_view key) {
    if (key == "format") return text("source.format", TextField::kSourceFormat);
    if (key == "file") return text("source.file", TextField::kSourceFile);
    if (key == "line") return integer("source.line", IntField::kSourceLine);
    return pass();
  });
}

bool RecordReader::top_level(std::string_view key) {
  if (key == "id") return id("id", TextField::kId);
  if (key == "repeat") return integer("repeat", IntField::kRepeat);
  if (key == "dataset") return text("dataset", TextField::kDataset);
  if (key == "model") return text("model", TextField::kModel);
  if (key == "prompt") return prompt();
  if (key == "output") return output();
  if (key == "forced") return object("forced", [&](std::string_view k) {
    if (k == "from") return integer("forced.from", IntField::kForcedFrom);
    if (k == "of") return id("forced.of", TextField::kForcedOf);
    return pass();
  });
  if (key == "finish_reason") return text("finish_reason", TextField::kFinishReason);
  if (key == "stop_reason") return id("stop_reason", TextField::kStopReason);
  if (key == "stream_end") return text("stream_end", TextField::kStreamEnd);
  if (key == "sampling") return sampling();
  if (key == "usage") return usage();
  if (key == "score") return score();
  if (key == "timing") return timing();
  if (key == "endpoint") return text("endpoint", TextField::kEndpoint);
  if (key == "replica") return id("replica", TextField::kReplica);
  if (key == "rank") return integer("rank", IntField::kRank);
  if (key == "request_id") return id("request_id", TextField::kRequestId);
  if (key == "preemptions") return integer("preemptions", IntField::kPreemptions);
  if (key == "spec") return spec();
  if (key == "error") return error();
  if (key == "extra") return raw("extra", TextField::kExtra, JsonKind::kObject, "an object");
  if (key == "source") return source();
  return pass();
}

bool RecordReader::record() {
  if (!object("record", [&](std::string_view key) { return top_level(key); })) return false;
  return json_.finish() || malformed();
}

}  // namespace

bool read_record(std::string_view line, Sample* sample, std::string* why) {
  sample->clear();
  return RecordReader(line, sample, why).record();
}

void parse_record(std::string_view line, Sample* sample) {
  std::string why;
  if (!read_record(line, sample, &why)) fail(VAA_ERROR_FORMAT, why);
}

}  // namespace vaa
