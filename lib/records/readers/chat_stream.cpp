#include "records/readers/chat_stream.h"

#include <algorithm>

#include "base/json_writer.h"
#include "records/readers/openai_common.h"

namespace vaa {
namespace {

constexpr size_t kMaxCalls = 1024;  // tool calls of one answer

// The chunk belongs to another stream than the one that is open.
bool other_stream(const Sample& open, const Sample& chunk) {
  const bool named = chunk.has(TextField::kId) && open.has(TextField::kId);
  if (named && chunk.text(TextField::kId) != open.text(TextField::kId)) return true;
  // After an error nothing more comes but the end mark.
  return open.failed() && !named;
}

std::string tool_calls_json(const std::vector<std::string>& calls) {
  std::string json;
  for (const std::string& call : calls) json += (json.empty() ? "[" : ",") + call;
  return json.empty() ? json : json + "]";
}

}  // namespace

void ChatStream::clear() {
  kind_known_ = open_ = broken_ = end_mark_ = false;
  now_ = std::numeric_limits<double>::quiet_NaN();
  ids_ = pieces_ = other_ids_ = place_ = 0;
  choices_.clear();
}

void ChatStream::begin(int64_t line) {
  open_ = true;
  broken_ = false;
  line_ = line;
  ++place_;
  common_.clear();
  choices_.clear();
}

bool ChatStream::event(std::string_view data, std::string_view type, int64_t line, SampleQueue* out, std::string* why) {
  if (data == "[DONE]") {
    if (source_ == Source::kFile) close(true, out);
    end_mark_ = source_ == Source::kResponse;
    return true;
  }
  why->clear();
  json_.reset(data);
  if (type == "error" && json_.peek() != JsonKind::kObject) {
    body_.clear();
    set_error_body(&body_.common, data);
  } else if (!read_chunk(data, why)) {
    return false;
  } else if (!json_.finish()) {
    return bad_json(json_, why);
  }
  return apply(out, line, why);
}

bool ChatStream::read_chunk(std::string_view data, std::string* why) {
  if (!kind_known_) kind_ = body_kind(data);
  if (kind_ == BodyKind::kSglang) {
    body_.clear();
    ChoicePart& part = body_.add();
    if (!sglang_.read(&json_, &part, why)) return false;
    const Sample& fields = part.fields;
    const bool has_ids = fields.has(IdsField::kOutputTokenIds);
    // --incremental-streaming-output sends pieces: fewer ids than there are tokens.
    part.so_far = !has_ids || static_cast<int64_t>(fields.ids.get(IdsField::kOutputTokenIds).size()) >= fields.integer(IntField::kCompletionTokens, 0);
  } else if (kind_ == BodyKind::kLlamacpp) {
    if (!read_llamacpp_body(&json_, &body_, why)) return false;
    // The last chunk has an empty list of ids whether they were asked for or not.
    Sample& fields = body_[0].fields;
    fields.ints.unset(IntField::kRepeat);
    if (fields.has(IdsField::kOutputTokenIds) && fields.ids.get(IdsField::kOutputTokenIds).empty()) fields.ids.unset(IdsField::kOutputTokenIds);
  } else if (!read_openai_body(&json_, &body_, why)) {
    return false;
  }
  body_.common.ids.unset(IdsField::kOutputTokenIds);  // of a chunk (__verbose), not of the answer
  // An error of a native stream is that of all choices.
  if (kind_ != BodyKind::kOpenai && body_[0].fields.failed() && !body_[0].fields.has(TextField::kFinishReason)) body_.common.swap(body_[0].fields);
  kind_known_ = !body_.common.failed();
  return true;
}

// Leaves in `part` what is new. Where the ids say that it is all of the answer, what was before and is not its beginning is replaced.
void ChatStream::take_so_far(ChoicePart* part, Choice* choice) {
  const auto begins_with = [](auto* all, const auto& had) {
    if (all->size() < had.size() || !std::equal(had.begin(), had.end(), all->begin())) return false;
    all->erase(all->begin(), all->begin() + static_cast<ptrdiff_t>(had.size()));
    return true;
  };
  Sample &fields = part->fields, &sample = choice->sample;
  const TextField text = TextField::kOutputText;
  const IdsField ids = IdsField::kOutputTokenIds;
  const bool has_ids = fields.has(ids);
  if (fields.has(text) && sample.has(text) && !begins_with(&fields.texts.put(text), sample.texts.get(text)) && has_ids) sample.texts.unset(text);
  if (has_ids && sample.has(ids) && !begins_with(&fields.ids.put(ids), sample.ids.get(ids))) sample.ids.unset(ids);
  if (part->logprobs.size() >= choice->logprobs.size()) choice->logprobs.clear();
}

bool ChatStream::apply(SampleQueue* out, int64_t line, std::string* why) {
  if (open_ && other_stream(common_, body_.common)) {
    if (source_ == Source::kFile) {
      close(false, out);
    } else if (body_.common.has(TextField::kId)) {
      ++other_ids_;
      body_.common.texts.unset(TextField::kId);
      body_.common.texts.unset(TextField::kRequestId);
    }
  }
  if (!open_) begin(line);
  overlay(body_.common, &common_);
  for (size_t i = 0; i < body_.size(); ++i) {
    if (!add_piece(&body_[i], why)) return false;
  }
  return true;
}

bool ChatStream::add_piece(ChoicePart* part, std::string* why) {
  const auto found = choices_.find(part->index);
  if (found == choices_.end() && choices_.size() == OpenaiBody::kMaxChoices) {
    *why = "choices[].index: the stream has more than " + std::to_string(OpenaiBody::kMaxChoices) + " of them";
    return false;
  }
  Choice& choice = found == choices_.end() ? choices_[part->index] : found->second;
  Sample& fields = part->fields;
  choice.message |= part->message;
  const size_t had = part->so_far ? choice.logprobs.size() : 0;
  if (part->so_far) take_so_far(part, &choice);
  if (source_ == Source::kResponse) count(*part, part->logprobs.size() - std::min(had, part->logprobs.size()), &choice);
  if (fields.has(TextField::kOutputText)) append_text(&choice.sample, TextField::kOutputText, fields.text(TextField::kOutputText));
  // An empty piece of reasoning is padding: it says nothing of whether the model reasoned.
  if (!fields.text(TextField::kOutputReasoning).empty()) append_text(&choice.sample, TextField::kOutputReasoning, fields.text(TextField::kOutputReasoning));
  fields.texts.unset(TextField::kOutputText);
  fields.texts.unset(TextField::kOutputReasoning);
  if (fields.has(IdsField::kOutputTokenIds)) {
    const std::vector<int32_t>& piece = fields.ids.get(IdsField::kOutputTokenIds);
    const bool first = !choice.sample.has(IdsField::kOutputTokenIds);
    std::vector<int32_t>& all = choice.sample.ids.put(IdsField::kOutputTokenIds);
    if (first) all.clear();
    all.insert(all.end(), piece.begin(), piece.end());
    fields.ids.unset(IdsField::kOutputTokenIds);
  }
  overlay(fields, &choice.sample);
  choice.logprobs.append(part->logprobs);
  if (!part->prompt_logprobs.empty()) choice.prompt_logprobs = part->prompt_logprobs;
  return part->tool_calls.empty() || add_calls(part->tool_calls, &choice, why);
}

// What a chunk brought: its ids, else its new entries of logprobs.
void ChatStream::count(const ChoicePart& part, size_t entries, Choice* choice) {
  const Sample& fields = part.fields;
  const bool has_ids = fields.has(IdsField::kOutputTokenIds);
  const auto ids = static_cast<int64_t>(has_ids ? fields.ids.get(IdsField::kOutputTokenIds).size() : entries);
  if (ids == 0 && fields.text(TextField::kOutputText).empty() && fields.text(TextField::kOutputReasoning).empty() && part.tool_calls.empty()) return;
  if (choice->portions.empty()) choice->first = now_;
  if (choice->portions.empty() || choice->portions.back().tokens != ids) choice->portions.push_back({ids, 0});
  ++choice->portions.back().chunks;
  choice->ids += ids;
  ids_ += ids;
  ++pieces_;
}

void ChatStream::record_arrival(const Choice& choice, Sample* sample) const {
  if (choice.first >= 0) sample->set(RealField::kTtftS, choice.first);
  // Where the entries of logprobs were counted, they must be all tokens that there are.
  const bool has_ids = sample->has(IdsField::kOutputTokenIds);
  const int64_t tokens = has_ids ? static_cast<int64_t>(sample->ids.get(IdsField::kOutputTokenIds).size()) : sample->integer(IntField::kCompletionTokens, -1);
  if (choice.ids > 0 && choice.ids == tokens) {
    std::string json = "[";
    for (const Portion& portion : choice.portions) {
      if (json.size() > 1) json += ", ";
      json += '[' + std::to_string(portion.tokens) + ", " + std::to_string(portion.chunks) + ']';
    }
    add_extra(sample, "chunk_tokens", json + "]");
  }
  if (other_ids_ > 0) add_extra(sample, "chunks_of_other_ids", std::to_string(other_ids_));
}

// [{"index": 0, "id": …, "function": {"name": …, "arguments": "…"}}]: arguments come in pieces.
bool ChatStream::add_calls(const std::string& text, Choice* choice, std::string* why) {
  JsonReader json(text);
  if (!enter_array(&json, "tool_calls", why)) return false;
  std::string_view key, inner;
  while (json.element()) {
    if (!enter_object(&json, "tool_calls[]", why)) return false;
    int64_t index = 0;
    ToolCall piece;
    while (json.key(&key)) {
      if (key == "index" && json.peek() == JsonKind::kNumber) {
        json.int64(&index);
      } else if (key == "id" && json.peek() == JsonKind::kString) {
        json.string(&piece.id);
      } else if (key == "function" && json.peek() == JsonKind::kObject) {
        json.object();
        while (json.key(&inner)) {
          const bool name = inner == "name", arguments = inner == "arguments";
          if ((name || arguments) && json.peek() == JsonKind::kString) json.string(name ? &piece.name : &piece.arguments);
          else json.skip();
        }
      } else {
        json.skip();
      }
    }
    if (choice->calls.size() == kMaxCalls && choice->calls.count(index) == 0) {
      *why = "tool_calls[].index: the answer has more than " + std::to_string(kMaxCalls) + " of them";
      return false;
    }
    ToolCall& call = choice->calls[index];
    if (!piece.id.empty()) call.id = std::move(piece.id);
    call.name += piece.name;
    call.arguments += piece.arguments;
  }
  return !json.failed() || bad_json(json, why);
}

void ChatStream::finish_sample(Choice* choice, bool end_mark, Sample* sample) {
  std::vector<std::string> calls;
  for (const auto& [index, call] : choice->calls) {
    std::string json;
    JsonWriter writer(&json);
    writer.begin_object().member("id", call.id).member("type", "function").key("function").begin_object();
    writer.member("name", call.name).member("arguments", call.arguments).end_object().end_object();
    calls.push_back(std::move(json));
  }
  // A stream of tool calls has empty pieces of content beside them.
  if (!calls.empty() && sample->text(TextField::kOutputText).empty()) sample->texts.unset(TextField::kOutputText);
  fill_missing(common_, sample);
  const bool finished = sample->has(TextField::kFinishReason);
  sample->set(TextField::kStreamEnd, common_.failed() ? "error" : finished ? "complete" : broken_ ? "cut_in_event" : end_mark ? "no_finish_reason" : "cut");
  if (source_ == Source::kResponse) {
    sample->set(TextField::kSourceFormat, format_);
  } else {
    if (!sample->has(TextField::kId)) sample->set(TextField::kId, std::to_string(place_));
    set_source(sample, format_, context_, line_);
  }
  finish_choice(true, choice->message, tool_calls_json(calls), choice->logprobs, sample, context_.problems);
  if (source_ == Source::kResponse) record_arrival(*choice, sample);
  std::string why;
  if (!choice->prompt_logprobs.empty() && !read_prompt_logprobs(choice->prompt_logprobs, sample, context_.problems, &why)) context_.problems->add(context_.path, line_, why);
}

void ChatStream::close(bool end_mark, SampleQueue* out) {
  if (!open_) return;
  kind_known_ = open_ = false;
  if (choices_.size() > 1) {
    // usage counts all choices together.
    common_.ints.unset(IntField::kCompletionTokens);
    common_.ints.unset(IntField::kReasoningTokens);
  }
  Choice none;
  if (choices_.empty()) {
    Sample& sample = out->add();
    sample.set(IntField::kRepeat, 0);
    finish_sample(&none, end_mark, &sample);
  }
  for (auto& [index, choice] : choices_) {
    Sample& sample = out->add();
    sample.swap(choice.sample);
    sample.set(IntField::kRepeat, index);
    finish_sample(&choice, end_mark, &sample);
  }
  choices_.clear();
}

}  // namespace vaa
