#include "records/readers/token_logprobs.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "records/readers/openai_common.h"

namespace vaa {
namespace {

constexpr const char* kTextOnly = "alternatives that a server gives as text have no token ids and stay out of top_logprobs";
constexpr const char* kPlaceholders = "logprobs of some answers hold placeholders of drafted tokens (0, without alternatives) and stay out";
constexpr const char* kOtherLength = "logprobs and token ids of some answers differ in length: both are kept as they are and not paired";

// {"token", "id", "logprob", "top_logprobs", …}: a token or one of its alternatives. Alternatives of alternatives are skipped.
bool read_entry(JsonReader* json, std::string_view name, bool top, TokenLogprobs* out, std::string* why) {
  if (!enter_object(json, name, why)) return false;
  int32_t id = TokenLogprobs::kNoId;
  double logprob = std::numeric_limits<double>::quiet_NaN();
  bool own = false, alone = false;
  std::string_view key;
  while (json->key(&key)) {
    if (key == "logprob") {
      if (!read_number(json, "logprob", &logprob, why)) return false;
    } else if (key == "token" && json->peek() == JsonKind::kString) {
      std::string_view token;
      if (!json->string(&token)) return false;
      if (id == TokenLogprobs::kNoId) id = token_id_of(token);
    } else if (key == "id" && json->peek() == JsonKind::kNumber) {
      int64_t value = 0;
      if (!json->int64(&value) || value < 0 || value > std::numeric_limits<int32_t>::max()) {
        if (!json->failed()) *why = std::string(name) + ".id: is no token id";
        return false;
      }
      id = static_cast<int32_t>(value);
      own = true;
      out->set_own_ids();
    } else if (key == "top_logprobs" && top && json->peek() == JsonKind::kArray) {
      json->array();
      alone = true;
      while (json->element()) {
        alone = false;
        if (!read_entry(json, "top_logprobs", false, out, why)) return false;
      }
    } else {
      json->skip();
    }
  }
  if (json->failed()) return false;
  if (top) {
    if (own && alone && logprob == 0) out->set_placeholder();
    out->token(id, logprob_value(logprob));
    out->end_token();
  } else {
    out->alternative(id, logprob_value(logprob));
  }
  return true;
}

// One element of a completion's top_logprobs: {"token": logprob, …} or null.
bool read_top_map(JsonReader* json, TokenLogprobs* out, std::string* why) {
  if (json->peek() == JsonKind::kNull) return json->null();
  if (!enter_object(json, "top_logprobs", why)) return false;
  std::string_view token;
  while (json->key(&token)) {
    const int32_t id = token_id_of(token);
    double logprob = 0;
    if (!read_number(json, "top_logprobs", &logprob, why)) return false;
    out->alternative(id, logprob_value(logprob));
  }
  return !json->failed();
}

}  // namespace

double logprob_value(double written) { return written <= -9999.0 ? -std::numeric_limits<double>::infinity() : written; }

int32_t token_id_of(std::string_view token) {
  constexpr std::string_view kPrefix = "token_id:";
  if (token.size() <= kPrefix.size() || token.size() > kPrefix.size() + 10 || token.substr(0, kPrefix.size()) != kPrefix) return TokenLogprobs::kNoId;
  int64_t id = 0;
  for (char c : token.substr(kPrefix.size())) {
    if (c < '0' || c > '9') return TokenLogprobs::kNoId;
    id = id * 10 + (c - '0');
  }
  return id <= std::numeric_limits<int32_t>::max() ? static_cast<int32_t>(id) : TokenLogprobs::kNoId;
}

void TokenLogprobs::clear() {
  seen_ = text_only_ = own_ids_ = placeholder_ = false;
  logprobs_.clear();
  ids_.clear();
  other_logprobs_.clear();
  other_ids_.clear();
  ends_.clear();
}

void TokenLogprobs::token(int32_t id, double logprob) {
  seen_ = true;
  ids_.push_back(id);
  logprobs_.push_back(logprob);
}

void TokenLogprobs::alternative(int32_t id, double logprob) {
  seen_ = true;
  if (id == kNoId) {
    text_only_ = true;
    return;
  }
  other_ids_.push_back(id);
  other_logprobs_.push_back(logprob);
}

void TokenLogprobs::append(const TokenLogprobs& piece) {
  own_ids_ |= piece.own_ids_;
  placeholder_ |= piece.placeholder_;
  if (!piece.seen_) return;
  seen_ = true;
  text_only_ |= piece.text_only_;
  // A list that ended early elsewhere: its tokens have no alternatives.
  ends_.resize(logprobs_.size(), static_cast<int64_t>(other_ids_.size()));
  const int64_t offset = static_cast<int64_t>(other_ids_.size());
  for (int64_t end : piece.ends_) ends_.push_back(end + offset);
  logprobs_.insert(logprobs_.end(), piece.logprobs_.begin(), piece.logprobs_.end());
  ids_.insert(ids_.end(), piece.ids_.begin(), piece.ids_.end());
  other_ids_.insert(other_ids_.end(), piece.other_ids_.begin(), piece.other_ids_.end());
  other_logprobs_.insert(other_logprobs_.end(), piece.other_logprobs_.begin(), piece.other_logprobs_.end());
}

void append_top(int32_t own, double own_logprob, const int32_t* other_ids, const double* other_logprobs, size_t n, std::vector<int32_t>* ids, std::vector<double>* logprobs) {
  constexpr size_t kScan = 64;  // up to here a scan finds a repeated id sooner than sorting
  const size_t first = ids->size();
  ids->push_back(own);
  logprobs->push_back(own_logprob);
  bool falling = true;
  for (size_t i = 0; i < n; ++i) {
    if (other_ids[i] == own) continue;
    if (logprobs->size() > first + 1 && !(other_logprobs[i] <= logprobs->back())) falling = false;
    ids->push_back(other_ids[i]);
    logprobs->push_back(other_logprobs[i]);
  }
  const size_t count = ids->size() - first - 1;
  if (falling && count <= kScan) {
    size_t kept = first + 1;
    for (size_t i = first + 1; i < ids->size(); ++i) {
      if (std::find(ids->begin() + static_cast<ptrdiff_t>(first), ids->begin() + static_cast<ptrdiff_t>(kept), (*ids)[i]) != ids->begin() + static_cast<ptrdiff_t>(kept)) continue;
      (*ids)[kept] = (*ids)[i];
      (*logprobs)[kept++] = (*logprobs)[i];
    }
    ids->resize(kept);
    logprobs->resize(kept);
    return;
  }
  struct Other {
    int32_t id;
    double logprob;
  };
  std::vector<Other> others;
  others.reserve(count);
  for (size_t i = first + 1; i < ids->size(); ++i) others.push_back({(*ids)[i], std::isnan((*logprobs)[i]) ? -std::numeric_limits<double>::infinity() : (*logprobs)[i]});
  std::sort(others.begin(), others.end(), [](const Other& a, const Other& b) { return a.id != b.id ? a.id < b.id : a.logprob > b.logprob; });
  others.erase(std::unique(others.begin(), others.end(), [](const Other& a, const Other& b) { return a.id == b.id; }), others.end());
  std::sort(others.begin(), others.end(), [](const Other& a, const Other& b) { return a.logprob != b.logprob ? a.logprob > b.logprob : a.id < b.id; });
  ids->resize(first + 1);
  logprobs->resize(first + 1);
  for (const Other& other : others) {
    ids->push_back(other.id);
    logprobs->push_back(other.logprob);
  }
}

void TokenLogprobs::record_alternatives(Sample* sample, bool* left_out) const {
  std::vector<int32_t>& top_ids = sample->ids.put(IdsField::kOutputTopIds);
  std::vector<double>& top_logprobs = sample->real_lists.put(RealsField::kOutputTopLogprobs);
  std::vector<int64_t>& top_ends = sample->int_lists.put(IntsField::kOutputTopEnds);
  top_ids.clear();
  top_logprobs.clear();
  top_ends.clear();
  size_t begin = 0;
  for (size_t i = 0; i < logprobs_.size(); ++i) {
    const size_t end = i < ends_.size() ? static_cast<size_t>(ends_[i]) : begin;
    if (end > begin && ids_[i] == kNoId) {
      *left_out = true;
    } else if (end > begin) {
      append_top(ids_[i], logprobs_[i], other_ids_.data() + begin, other_logprobs_.data() + begin, end - begin, &top_ids, &top_logprobs);
    }
    top_ends.push_back(static_cast<int64_t>(top_ids.size()));
    begin = end;
  }
  if (!top_ids.empty()) return;
  sample->ids.unset(IdsField::kOutputTopIds);
  sample->real_lists.unset(RealsField::kOutputTopLogprobs);
  sample->int_lists.unset(IntsField::kOutputTopEnds);
}

void TokenLogprobs::record(Sample* sample, Problems* problems) const {
  // A list without any number (llama.cpp's post-sampling probabilities) is none of logprobs.
  if (!seen_ || (!logprobs_.empty() && std::all_of(logprobs_.begin(), logprobs_.end(), [](double v) { return std::isnan(v); }))) return;
  bool left_out = text_only_;
  if (!placeholder_ && !other_ids_.empty()) record_alternatives(sample, &left_out);
  if (left_out) problems->note(kTextOnly);
  if (placeholder_) problems->note(kPlaceholders);
  else sample->real_lists.put(RealsField::kOutputLogprobs) = logprobs_;
  const bool all_ids = !ids_.empty() && std::find(ids_.begin(), ids_.end(), kNoId) == ids_.end();
  if (!sample->has(IdsField::kOutputTokenIds)) {
    if (all_ids) sample->ids.put(IdsField::kOutputTokenIds) = ids_;
    return;
  }
  // llama.cpp leaves the stop token out of the ids and may keep its logprob.
  const size_t ids = sample->ids.get(IdsField::kOutputTokenIds).size();
  if (logprobs_.size() != ids && !(own_ids_ && logprobs_.size() == ids + 1)) problems->note(kOtherLength);
}

bool read_logprob_entries(JsonReader* json, std::string_view name, TokenLogprobs* out, std::string* why) {
  if (json->peek() == JsonKind::kNull) return json->null();
  if (!enter_array(json, name, why)) return false;
  out->begin();
  while (json->element()) {
    if (!read_entry(json, name, true, out, why)) return false;
  }
  return !json->failed();
}

bool read_parallel_logprobs(JsonReader* json, std::string_view key, TokenLogprobs* out, std::string* why) {
  if (json->peek() == JsonKind::kNull) return json->null();
  if (!enter_array(json, key, why)) return false;
  out->begin();
  if (key == "tokens") {
    std::string_view token;
    while (json->element()) {
      if (json->peek() == JsonKind::kString) {
        if (!json->string(&token)) return false;
        out->ids_.push_back(token_id_of(token));
      } else {
        json->skip();
        out->ids_.push_back(TokenLogprobs::kNoId);
      }
    }
  } else if (key == "token_logprobs") {
    while (json->element()) {
      double logprob = 0;
      if (!read_number(json, "token_logprobs", &logprob, why)) return false;
      out->logprobs_.push_back(logprob_value(logprob));
    }
  } else {
    while (json->element()) {
      if (!read_top_map(json, out, why)) return false;
      out->end_token();
    }
  }
  return !json->failed();
}

bool read_logprobs(JsonReader* json, TokenLogprobs* out, std::string* why) {
  if (json->peek() == JsonKind::kNull) return json->null();
  if (!enter_object(json, "logprobs", why)) return false;
  std::string_view key;
  while (json->key(&key)) {
    if (key == "content") {
      if (!read_logprob_entries(json, "logprobs.content", out, why)) return false;
    } else if (key == "tokens") {
      if (!read_parallel_logprobs(json, "tokens", out, why)) return false;
    } else if (key == "token_logprobs") {
      if (!read_parallel_logprobs(json, "token_logprobs", out, why)) return false;
    } else if (key == "top_logprobs") {
      if (!read_parallel_logprobs(json, "top_logprobs", out, why)) return false;
    } else {
      json->skip();
    }
  }
  if (json->failed()) return false;
  if (out->logprobs_.size() < out->ends_.size() || (!out->ids_.empty() && out->ids_.size() != out->logprobs_.size())) {
    *why = "logprobs: tokens, token_logprobs and top_logprobs differ in length";
    return false;
  }
  out->ids_.resize(out->logprobs_.size(), TokenLogprobs::kNoId);
  out->ends_.resize(out->logprobs_.size(), static_cast<int64_t>(out->other_ids_.size()));
  return true;
}

bool read_logprob_triples(JsonReader* json, std::string_view name, std::vector<double>* logprobs, std::vector<int32_t>* ids, std::string* why) {
  if (json->peek() == JsonKind::kNull) return json->null();
  if (!enter_array(json, name, why)) return false;
  while (json->element()) {
    if (!enter_array(json, name, why)) return false;
    double logprob = 0;
    int64_t id = -1;
    size_t place = 0;
    for (; json->element(); ++place) {
      if (place == 0) {
        if (!read_number(json, name, &logprob, why)) return false;
      } else if (place == 1) {
        if (json->peek() != JsonKind::kNumber || !json->int64(&id) || id < 0 || id > std::numeric_limits<int32_t>::max()) {
          if (!json->failed()) *why = std::string(name) + ": holds an id that is no token id";
          return false;
        }
      } else {
        json->skip();
      }
    }
    if (json->failed()) return false;
    if (place < 2) {
      *why = std::string(name) + ": an entry has fewer than two elements";
      return false;
    }
    logprobs->push_back(logprob_value(logprob));
    ids->push_back(static_cast<int32_t>(id));
  }
  return !json->failed();
}

}  // namespace vaa
