#include "reject/log_wordings.h"

#include <algorithm>

#include "base/json.h"

namespace vaa {
namespace {

// The number that begins `text`; its length in *used.
bool leading_number(std::string_view text, double* out, size_t* used) {
  *used = std::min(text.find_first_not_of("0123456789.eE+-"), text.size());
  while (*used > 0 && std::string_view(".eE+-").find(text[*used - 1]) != std::string_view::npos) --*used;
  JsonReader json(text.substr(0, *used));
  return json.peek() == JsonKind::kNumber && json.real(out) && json.finish() && std::isfinite(*out);
}

// The number between a name such as "Accepted: ", which begins the text or stands behind a blank, and what follows it: a line that was cut inside a number says another one.
bool number_of(std::string_view text, std::string_view name, std::string_view follows, double* out) {
  for (size_t at = text.find(name); at != std::string_view::npos; at = text.find(name, at + 1)) {
    size_t used = 0;
    if (at == 0 || text[at - 1] == ' ') return leading_number(text.substr(at + name.size()), out, &used) && text.substr(at + name.size() + used, follows.size()) == follows;
  }
  return false;
}

bool whole(double x) { return x >= 0 && x == std::floor(x) && x < 0x1p53; }

std::vector<double> rates_of(std::string_view text, std::string_view name) {
  std::vector<double> out;
  size_t at = text.find(name);
  if (at == std::string_view::npos) return out;
  text.remove_prefix(at + name.size());
  double rate = 0;
  for (size_t used = 0; leading_number(text, &rate, &used) && out.size() < 1024;) {
    out.push_back(rate);
    text.remove_prefix(used);
    if (text.substr(0, 2) != ", ") break;
    text.remove_prefix(2);
  }
  return out;
}

// vLLM V1 (vLLM-Ascend alike), since the line before. The first versions print neither the mean length nor the positions.
// Drafts are not printed. All of full length: the drafted tokens over the positions; else what the mean length says, to its two decimals.
bool read_vllm(std::string_view line, LogReading* out) {
  SpecCounts& c = out->counts;
  if (!number_of(line, "Accepted: ", " tokens", &c.accepted) || !number_of(line, "Drafted: ", " tokens", &c.draft_tokens) || !whole(c.accepted) || !whole(c.draft_tokens)) return false;
  double printed = 0;
  if (c.draft_tokens > 0 && number_of(line, "Draft acceptance rate: ", "%", &printed) && std::fabs(100 * c.accepted / c.draft_tokens - printed) > 0.06) return false;
  const std::vector<double> rates = rates_of(line, "Per-position acceptance rate: ");
  if (rates.empty()) return line.find("Per-position") == std::string_view::npos;
  double length = 0, sum = 0;
  for (const double rate : rates) {
    if (!(rate >= 0)) return false;
    sum += rate;
  }
  if (!number_of(line, "Mean acceptance length: ", ",", &length) || !(std::fabs(1 + sum - length) <= 0.0051 + 0.0005 * static_cast<double>(rates.size()))) return false;
  c.drafts = std::ceil(c.draft_tokens / static_cast<double>(rates.size()));
  out->position_error = 0.0005 * c.drafts;
  if (c.accepted > 0 && length > 1.005) {
    const double low = c.accepted / (length - 1 + 0.0051), high = c.accepted / (length - 1 - 0.0051);
    if (c.drafts < low || c.drafts > high) {
      c.drafts = std::round(c.accepted / (length - 1));
      out->position_error = 0.0005 * c.drafts + (high - low);
    }
  }
  for (const double rate : rates) c.at_position.push_back(rate * c.drafts);
  return true;
}

// vLLM V0, since the engine started.
bool read_vllm_v0(std::string_view line, LogReading* out) {
  SpecCounts& c = out->counts;
  double tokens_per_draft = 0;
  out->cumulative = true;
  if (!number_of(line, "Number of accepted tokens: ", ",", &c.accepted) || !number_of(line, "Number of draft tokens: ", ",", &c.draft_tokens) || !whole(c.accepted) || !whole(c.draft_tokens)) return false;
  if (!number_of(line, "Number of emitted tokens: ", ".", &c.generated)) c.generated = std::nan("");
  if (number_of(line, "Number of speculative tokens: ", ",", &tokens_per_draft) && tokens_per_draft >= 1) c.drafts = std::ceil(c.draft_tokens / tokens_per_draft);
  return true;
}

// SGLang: what a verify step emits on average, newer versions the accepted share of drafted tokens too.
bool read_sglang(std::string_view line, LogReading* out) {
  double length = 0, rate = 0;
  if (line.find("gen throughput") == std::string_view::npos) return false;  // cut before the rate, where there may be one
  if (!number_of(line, "accept len: ", ",", &length) || !(length >= 1 && length <= 1024)) return false;
  out->ratios = true;
  out->counts.drafts = out->counts.draft_tokens = 1;
  if (number_of(line, "accept rate: ", ",", &rate)) {
    if (!(rate >= 0 && rate <= 1.005)) return false;
    out->counts.accepted = std::min(rate, 1.0);
  } else {
    out->length = length;
  }
  return true;
}

// The statistics of one iteration of TensorRT-LLM, a JSON object a line.
bool read_trtllm(std::string_view line, LogReading* out) {
  SpecCounts& c = out->counts;
  const auto member = [&](std::string_view name, double* count) {
    const size_t at = line.find(name);
    size_t used = 0;
    if (at == std::string_view::npos) return false;
    std::string_view rest = line.substr(at + name.size());
    rest.remove_prefix(std::min(rest.find_first_not_of(' '), rest.size()));
    return leading_number(rest, count, &used) && whole(*count);
  };
  return member("\"numDraftTokens\":", &c.draft_tokens) && member("\"numAcceptedTokens\":", &c.accepted) && member("\"numRequestsWithDraftTokens\":", &c.drafts);
}

constexpr LogWording kWordings[] = {
    {"vllm", "SpecDecoding metrics: ", "", read_vllm,
     "SpecDecoding metrics: Mean acceptance length: 3.42, Accepted throughput: 67.60 tokens/s, Drafted throughput: 83.70 tokens/s, Accepted: 676 tokens, Drafted: 837 tokens, Per-position acceptance rate: 0.921, 0.828, "
     "0.674, Avg Draft acceptance rate: 80.8%"},
    {"vllm", "Speculative metrics: ", "Number of draft tokens: ", read_vllm_v0,
     "Speculative metrics: Draft acceptance rate: 0.642, System efficiency: 0.598, Number of speculative tokens: 3, Number of accepted tokens: 8547, Number of draft tokens: 13311, Number of emitted tokens: 10616."},
    {"sglang", "accept len: ", "Decode batch", read_sglang, "Decode batch. #running-req: 8, #token: 4096, token usage: 0.02, accept len: 2.41, accept rate: 0.47, cuda graph: True, gen throughput (token/s): 812.10, #queue-req: 0"},
    {"trtllm", "\"specDecodingStats\"", "numDraftTokens", read_trtllm,
     "{\"iter\": 812, \"specDecodingStats\": {\"numDraftTokens\": 24, \"numAcceptedTokens\": 13, \"numRequestsWithDraftTokens\": 8, \"acceptanceLength\": 2.625, \"iterLatencyMS\": 1.9, \"draftOverhead\": 0.1}}"},
};

}  // namespace

std::span<const LogWording> log_wordings() { return kWordings; }

const LogWording* wording_of(std::string_view line, size_t* at) {
  for (const LogWording& wording : kWordings) {
    *at = line.find(wording.mark);
    if (*at != std::string_view::npos && (wording.beside.empty() || line.find(wording.beside) != std::string_view::npos)) return &wording;
  }
  return nullptr;
}

}  // namespace vaa
