#include "capture/ask_tally.h"

#include <algorithm>

#include "capture/sample_fields.h"

namespace vaa::capture {
namespace {

bool has(const Answer& answer, vaa_field field) { return vaa_sample_has(answer.samples.front().get(), field) != 0; }

double real_field(const vaa_sample* sample, vaa_field field, double fallback) {
  double value = fallback;
  if (vaa_sample_has(sample, field)) must([&](vaa_error** err) { return vaa_sample_f64(sample, field, &value, err); });
  return value;
}

// "HTTP 503 ServiceUnavailable", "cannot connect": what failures are counted by.
std::string kind_of(const Answer& answer) {
  const vaa_sample* sample = answer.samples.front().get();
  const std::string type = text_field(sample, VAA_FIELD_ERROR_TYPE);
  if (answer.end.status >= 300) return "HTTP " + std::to_string(answer.end.status) + (type.empty() ? "" : " " + type);
  switch (answer.end.kind) {
    case HttpEnd::Kind::kRefused: return "no connection";
    case HttpEnd::Kind::kName: return "no address for the host";
    case HttpEnd::Kind::kTls: return "TLS not verified";
    case HttpEnd::Kind::kTimeout: return "timeout";
    case HttpEnd::Kind::kIdle: return "silence";
    case HttpEnd::Kind::kLost: return answer.end.began ? "cut in the answer" : "connection lost";
    case HttpEnd::Kind::kBroken: return "no answer of a server of models";
    default: return type.empty() ? "error in the answer" : type;
  }
}

void join(ServerTally* to, const ServerTally& from) {
  to->answered += from.answered;
  to->failed += from.failed;
  to->resumed += from.resumed;
  to->tokens += from.tokens;
  to->tries += from.tries;
  to->partial += from.partial;
  for (size_t i = 0; i < kWantedCount; ++i) {
    to->asked_for[i] += from.asked_for[i];
    to->lacking[i] += from.lacking[i];
  }
  to->miscounted += from.miscounted;
  to->unread += from.unread;
  to->cached_answers += from.cached_answers;
  to->second_answers += from.second_answers;
  to->second_same += from.second_same;
  if (from.spec_draft_tokens >= 0) to->spec_draft_tokens = std::max(0.0, to->spec_draft_tokens) + from.spec_draft_tokens;
  to->against_speculation.insert(from.against_speculation.begin(), from.against_speculation.end());
}

// Where ids and usage of an answer contradict each other: "48 token ids, 24 counted". Events that came twice, or were lost on the way. Some servers count the stop token and leave out its id.
std::string miscounted(const Answer& answer) {
  const vaa_sample* sample = answer.samples.front().get();
  if (answer.samples.size() != 1 || !has(answer, VAA_FIELD_OUTPUT_TOKEN_IDS) || !has(answer, VAA_FIELD_COMPLETION_TOKENS)) return "";
  const auto came = static_cast<int64_t>(ids_field(sample, VAA_FIELD_OUTPUT_TOKEN_IDS).size());
  const int64_t counted = integer_field(sample, VAA_FIELD_COMPLETION_TOKENS, 0);
  return came == counted || came == counted - 1 ? "" : std::to_string(came) + " token ids, " + std::to_string(counted) + " counted";
}

}  // namespace

void AskTally::add(const Answer& answer, bool ids_wanted, bool logprobs_wanted, bool cache_wanted) {
  ServerTally& server = servers[answer.question.server];
  const vaa_sample* sample = answer.samples.front().get();
  server.tries += answer.tries;
  server.tokens += std::max(answer.tokens, integer_field(sample, VAA_FIELD_COMPLETION_TOKENS, 0));
  const double start = real_field(sample, VAA_FIELD_START_S, 0), end = real_field(sample, VAA_FIELD_END_S, 0);
  if (start > 0 && (first_start_s == 0 || start < first_start_s)) first_start_s = start;
  last_end_s = std::max(last_end_s, end);
  if (answer.failed) {
    ++server.failed;
    server.partial += has(answer, VAA_FIELD_OUTPUT_TEXT) || has(answer, VAA_FIELD_OUTPUT_TOKEN_IDS);
    auto& [count, words] = failures[kind_of(answer)];
    if (count++ == 0) words = text_field(sample, VAA_FIELD_ERROR_MESSAGE);
    return;
  }
  ++server.answered;
  if (std::string words = miscounted(answer); !words.empty() && server.miscounted++ == 0 && first_miscounted.empty()) first_miscounted = std::move(words);
  if (!answer.unread.empty() && server.unread++ == 0 && first_unread.empty()) first_unread = answer.unread;
  if (start > 0 && end > 0) server.e2e_s.push_back(end - start);
  if (const double ttft = real_field(sample, VAA_FIELD_TTFT_S, -1); ttft >= 0) server.ttft_s.push_back(ttft);
  const double drafted = static_cast<double>(integer_field(sample, VAA_FIELD_SPEC_DRAFT_TOKENS, -1));
  if (drafted >= 0) server.spec_draft_tokens = std::max(0.0, server.spec_draft_tokens) + drafted;
  const struct {
    Wanted what;
    bool wanted;
    vaa_field field;
  } rows[] = {{Wanted::kTokenIds, ids_wanted, VAA_FIELD_OUTPUT_TOKEN_IDS},
              {Wanted::kFinishReason, true, VAA_FIELD_FINISH_REASON},
              {Wanted::kUsage, true, VAA_FIELD_COMPLETION_TOKENS},
              {Wanted::kLogprobs, logprobs_wanted, VAA_FIELD_OUTPUT_LOGPROBS},
              {Wanted::kCachedTokens, cache_wanted, VAA_FIELD_CACHED_TOKENS}};
  for (const auto& row : rows) {
    if (!row.wanted) continue;
    ++server.asked_for[static_cast<size_t>(row.what)];
    server.lacking[static_cast<size_t>(row.what)] += !has(answer, row.field);
  }
}

ServerTally AskTally::counts() const {
  ServerTally all;
  for (const ServerTally& server : servers) join(&all, server);
  return all;
}

}  // namespace vaa::capture
