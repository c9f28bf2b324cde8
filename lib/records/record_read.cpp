// A vaa.record/1 line into a sample. Unknown keys are skipped; a value of a wrong type is a Failure.
#include <algorithm>
#include <cmath>
#include <limits>

#include "base/failure.h"
#include "records/format.h"

namespace vaa {
namespace {

constexpr double kMinusInfinity = -9999.0;

[[noreturn]] void refuse(std::string message) { fail(VAA_ERROR_FORMAT, std::move(message)); }

class RecordReader {
 public:
  RecordReader(std::string_view line, Sample* sample) : json_(line), sample_(sample) {}
  void record();

 private:
  [[noreturn]] void malformed() {
    bad_json(json_, &why_);
    refuse(why_);
  }
  void check(bool read) {
    if (!read) refuse(why_);
  }
  void text(const char* name, TextField f) {
    check(read_text(&json_, name, sample_, f, &why_));
    try {
      if (sample_->has(f)) check_text_value(f, sample_->text(f));
    } catch (const Failure& failure) {
      refuse(failure.message());
    }
  }
  void id(const char* name, TextField f) { check(read_id(&json_, name, sample_, f, &why_)); }
  void integer(const char* name, IntField f) { check(read_integer(&json_, name, sample_, f, &why_)); }
  void boolean(const char* name, IntField f) { check(read_bool(&json_, name, sample_, f, &why_)); }
  void real(const char* name, RealField f) { check(read_real(&json_, name, sample_, f, &why_)); }
  void ids(const char* name, IdsField f) { check(read_ids(&json_, name, sample_, f, &why_)); }

  // The bytes of a value of the given kind.
  void raw(const char* name, TextField f, JsonKind kind, const char* allowed) {
    const JsonKind found = json_.peek();
    std::string_view bytes;
    if (found == JsonKind::kNull) {
      sample_->texts.unset(f);
      if (!json_.null()) malformed();
    } else if (found != kind) {
      if (json_.failed()) malformed();
      refuse(wrong_kind(name, found, allowed));
    } else if (json_.raw(&bytes)) {
      sample_->set(f, bytes);
    } else {
      malformed();
    }
  }
  // Gold and extraction are text; a number or anything else stands as it is written.
  void text_or_raw(const char* name, TextField f) {
    const JsonKind kind = json_.peek();
    if (kind == JsonKind::kString || kind == JsonKind::kNull) return text(name, f);
    std::string_view bytes;
    if (!json_.raw(&bytes)) malformed();
    sample_->set(f, bytes);
  }
  void logprobs(const char* name, RealsField f) {
    const JsonKind kind = json_.peek();
    if (kind == JsonKind::kNull) {
      sample_->real_lists.unset(f);
      if (!json_.null()) malformed();
      return;
    }
    if (kind != JsonKind::kArray) refuse(wrong_kind(name, kind, "a list of numbers"));
    size_t bad = 0;
    auto& values = sample_->real_lists.put(f);
    if (!json_.reals(&values, &bad)) {
      if (json_.failed()) malformed();
      refuse(std::string(name) + "[" + std::to_string(bad) + "]: is no number");
    }
    for (double& value : values)
      if (value == kMinusInfinity) value = -std::numeric_limits<double>::infinity();
  }
  void integers(const char* name, IntsField f);
  void top(const char* name, IdsField ids_field, RealsField logprobs_field, IntsField ends_field);
  void alternatives(const char* name, std::vector<int32_t>* ids, std::vector<double>* values);

  // member(key) reads or skips one value each; null: nothing of it is recorded.
  template <class Member>
  void object(const char* name, Member member) {
    const JsonKind kind = json_.peek();
    if (kind == JsonKind::kNull) {
      if (!json_.null()) malformed();
      return;
    }
    if (kind != JsonKind::kObject) {
      if (json_.failed()) malformed();
      refuse(wrong_kind(name, kind, "an object"));
    }
    json_.object();
    std::string_view key;
    while (json_.key(&key))
      if (!member(key) && !json_.skip()) malformed();
    if (json_.failed()) malformed();
  }
  bool top_level(std::string_view key);
  void prompt();
  void output();
  void sampling();
  void usage();
  void score();
  void timing();
  void spec();
  void error();
  void source();

  JsonReader json_;
  Sample* sample_;
  std::string why_;
};

void RecordReader::integers(const char* name, IntsField f) {
  const JsonKind kind = json_.peek();
  if (kind == JsonKind::kNull) {
    if (!json_.null()) malformed();
    return;
  }
  if (kind != JsonKind::kArray) refuse(wrong_kind(name, kind, "a list of integers"));
  auto& values = sample_->int_lists.put(f);
  values.clear();
  json_.array();
  while (json_.element()) {
    int64_t value = 0;
    if (json_.peek() != JsonKind::kNumber || !json_.int64(&value)) {
      if (json_.failed()) malformed();
      refuse(std::string(name) + "[" + std::to_string(values.size()) + "]: is no integer");
    }
    values.push_back(value);
  }
  if (json_.failed()) malformed();
}

// [[id, logprob], …] of one token.
void RecordReader::alternatives(const char* name, std::vector<int32_t>* ids, std::vector<double>* values) {
  json_.array();
  while (json_.element()) {
    int64_t id = -1;
    double value = 0;
    bool good = json_.peek() == JsonKind::kArray && json_.array() && json_.element() && json_.peek() == JsonKind::kNumber && json_.int64(&id) && id >= 0 &&
                id <= std::numeric_limits<int32_t>::max() && json_.element() && json_.peek() == JsonKind::kNumber && json_.real(&value) && !json_.element();
    if (json_.failed()) malformed();
    if (!good) refuse(std::string(name) + ": holds an entry that is no [id, logprob]");
    ids->push_back(static_cast<int32_t>(id));
    values->push_back(value == kMinusInfinity ? -std::numeric_limits<double>::infinity() : value);
  }
}

void RecordReader::top(const char* name, IdsField ids_field, RealsField logprobs_field, IntsField ends_field) {
  const JsonKind kind = json_.peek();
  if (kind == JsonKind::kNull) {
    if (!json_.null()) malformed();
    return;
  }
  if (kind != JsonKind::kArray) refuse(wrong_kind(name, kind, "a list with one list of [id, logprob] a token"));
  auto& all_ids = sample_->ids.put(ids_field);
  auto& values = sample_->real_lists.put(logprobs_field);
  auto& ends = sample_->int_lists.put(ends_field);
  all_ids.clear();
  values.clear();
  ends.clear();
  json_.array();
  while (json_.element()) {
    const JsonKind token = json_.peek();
    if (token == JsonKind::kArray) alternatives(name, &all_ids, &values);
    else if (token == JsonKind::kNull) json_.null();
    else if (!json_.failed()) refuse(wrong_kind(std::string(name) + "[" + std::to_string(ends.size()) + "]", token, "a list or null"));
    if (json_.failed()) malformed();
    ends.push_back(static_cast<int64_t>(all_ids.size()));
  }
  if (json_.failed()) malformed();
}

void RecordReader::prompt() {
  object("prompt", [&](std::string_view key) {
    if (key == "text") text("prompt.text", TextField::kPromptText);
    else if (key == "messages") raw("prompt.messages", TextField::kPromptMessages, JsonKind::kArray, "a list of messages");
    else if (key == "token_ids") ids("prompt.token_ids", IdsField::kPromptTokenIds);
    else if (key == "logprobs") logprobs("prompt.logprobs", RealsField::kPromptLogprobs);
    else if (key == "top_logprobs") top("prompt.top_logprobs", IdsField::kPromptTopIds, RealsField::kPromptTopLogprobs, IntsField::kPromptTopEnds);
    else return false;
    return true;
  });
}

void RecordReader::output() {
  object("output", [&](std::string_view key) {
    if (key == "text") text("output.text", TextField::kOutputText);
    else if (key == "reasoning") text("output.reasoning", TextField::kOutputReasoning);
    else if (key == "token_ids") ids("output.token_ids", IdsField::kOutputTokenIds);
    else if (key == "logprobs") logprobs("output.logprobs", RealsField::kOutputLogprobs);
    else if (key == "top_logprobs") top("output.top_logprobs", IdsField::kOutputTopIds, RealsField::kOutputTopLogprobs, IntsField::kOutputTopEnds);
    else if (key == "ids_provenance") text("output.ids_provenance", TextField::kIdsProvenance);
    else if (key == "ids_include_stop") boolean("output.ids_include_stop", IntField::kIdsIncludeStop);
    else if (key == "tool_calls") raw("output.tool_calls", TextField::kToolCalls, JsonKind::kArray, "a list");
    else return false;
    return true;
  });
}

void RecordReader::sampling() {
  object("sampling", [&](std::string_view key) {
    if (key == "temperature") real("sampling.temperature", RealField::kTemperature);
    else if (key == "top_p") real("sampling.top_p", RealField::kTopP);
    else if (key == "top_k") integer("sampling.top_k", IntField::kTopK);
    else if (key == "min_p") real("sampling.min_p", RealField::kMinP);
    else if (key == "seed") id("sampling.seed", TextField::kSeed);
    else if (key == "max_tokens") integer("sampling.max_tokens", IntField::kMaxTokens);
    else if (key == "repetition_penalty") real("sampling.repetition_penalty", RealField::kRepetitionPenalty);
    else if (key == "presence_penalty") real("sampling.presence_penalty", RealField::kPresencePenalty);
    else if (key == "frequency_penalty") real("sampling.frequency_penalty", RealField::kFrequencyPenalty);
    else if (key == "ignore_eos") boolean("sampling.ignore_eos", IntField::kIgnoreEos);
    else if (key == "logprobs_mode") text("sampling.logprobs_mode", TextField::kLogprobsMode);
    else return false;
    return true;
  });
}

void RecordReader::usage() {
  object("usage", [&](std::string_view key) {
    if (key == "prompt_tokens") integer("usage.prompt_tokens", IntField::kPromptTokens);
    else if (key == "completion_tokens") integer("usage.completion_tokens", IntField::kCompletionTokens);
    else if (key == "reasoning_tokens") integer("usage.reasoning_tokens", IntField::kReasoningTokens);
    else if (key == "cached_tokens") integer("usage.cached_tokens", IntField::kCachedTokens);
    else return false;
    return true;
  });
}

void RecordReader::score() {
  object("score", [&](std::string_view key) {
    if (key == "metric") text("score.metric", TextField::kScoreMetric);
    else if (key == "value") real("score.value", RealField::kScoreValue);
    else if (key == "correct") boolean("score.correct", IntField::kScoreCorrect);
    else if (key == "gold") text_or_raw("score.gold", TextField::kScoreGold);
    else if (key == "extracted") text_or_raw("score.extracted", TextField::kScoreExtracted);
    else if (key == "extraction_failed") boolean("score.extraction_failed", IntField::kScoreExtractionFailed);
    else return false;
    return true;
  });
}

void RecordReader::timing() {
  object("timing", [&](std::string_view key) {
    if (key == "start_s") real("timing.start_s", RealField::kStartS);
    else if (key == "end_s") real("timing.end_s", RealField::kEndS);
    else if (key == "ttft_s") real("timing.ttft_s", RealField::kTtftS);
    else if (key == "e2e_s") real("timing.e2e_s", RealField::kE2eS);
    else return false;
    return true;
  });
}

void RecordReader::spec() {
  object("spec", [&](std::string_view key) {
    if (key == "steps") integer("spec.steps", IntField::kSpecSteps);
    else if (key == "draft_tokens") integer("spec.draft_tokens", IntField::kSpecDraftTokens);
    else if (key == "accepted_tokens") integer("spec.accepted_tokens", IntField::kSpecAcceptedTokens);
    else if (key == "accepted_per_position") integers("spec.accepted_per_position", IntsField::kSpecAcceptedPerPosition);
    else return false;
    return true;
  });
}

void RecordReader::error() {
  const bool given = json_.peek() == JsonKind::kObject;
  object("error", [&](std::string_view key) {
    if (key == "message") text("error.message", TextField::kErrorMessage);
    else if (key == "status") integer("error.status", IntField::kErrorStatus);
    else if (key == "type") text("error.type", TextField::kErrorType);
    else return false;
    return true;
  });
  if (given && !sample_->has(TextField::kErrorMessage)) sample_->set(TextField::kErrorMessage, "");
}

void RecordReader::source() {
  object("source", [&](std::string_view key) {
    if (key == "format") text("source.format", TextField::kSourceFormat);
    else if (key == "file") text("source.file", TextField::kSourceFile);
    else if (key == "line") integer("source.line", IntField::kSourceLine);
    else return false;
    return true;
  });
}

bool RecordReader::top_level(std::string_view key) {
  if (key == "id") id("id", TextField::kId);
  else if (key == "repeat") integer("repeat", IntField::kRepeat);
  else if (key == "dataset") text("dataset", TextField::kDataset);
  else if (key == "model") text("model", TextField::kModel);
  else if (key == "prompt") prompt();
  else if (key == "output") output();
  else if (key == "forced") object("forced", [&](std::string_view k) {
    if (k == "from") integer("forced.from", IntField::kForcedFrom);
    else if (k == "of") id("forced.of", TextField::kForcedOf);
    else return false;
    return true;
  });
  else if (key == "finish_reason") text("finish_reason", TextField::kFinishReason);
  else if (key == "stop_reason") id("stop_reason", TextField::kStopReason);
  else if (key == "stream_end") text("stream_end", TextField::kStreamEnd);
  else if (key == "sampling") sampling();
  else if (key == "usage") usage();
  else if (key == "score") score();
  else if (key == "timing") timing();
  else if (key == "endpoint") text("endpoint", TextField::kEndpoint);
  else if (key == "replica") id("replica", TextField::kReplica);
  else if (key == "rank") integer("rank", IntField::kRank);
  else if (key == "request_id") id("request_id", TextField::kRequestId);
  else if (key == "preemptions") integer("preemptions", IntField::kPreemptions);
  else if (key == "spec") spec();
  else if (key == "error") error();
  else if (key == "extra") raw("extra", TextField::kExtra, JsonKind::kObject, "an object");
  else if (key == "source") source();
  else return false;
  return true;
}

void RecordReader::record() {
  const JsonKind kind = json_.peek();
  if (json_.failed()) malformed();
  if (kind != JsonKind::kObject) refuse("record: is " + std::string(json_kind_name(kind)) + ", must be an object");
  object("record", [&](std::string_view key) { return top_level(key); });
  if (!json_.finish()) malformed();
}

}  // namespace

void parse_record(std::string_view line, Sample* sample) {
  sample->clear();
  RecordReader(line, sample).record();
}

}  // namespace vaa
