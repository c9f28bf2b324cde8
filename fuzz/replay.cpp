// Engine rules and replays from any JSON: made or refused with one line; what an engine says of itself is read again as the same, and a replay that is made judges rows or refuses them.
#include <cstdint>
#include <string_view>
#include <vector>

#include "base/failure.h"
#include "must.h"
#include "sampler/replay/replay.h"
#include "sampler/stages/stage.h"

using namespace vaa;

namespace {

void check_refusal(const Failure& failure) {
  VAA_MUST(failure.status() == VAA_ERROR_OPTION || failure.status() == VAA_ERROR_ARGUMENT || failure.status() == VAA_ERROR_NOT_FOUND || failure.status() == VAA_ERROR_UNSUPPORTED);
  VAA_MUST(!failure.message().empty() && failure.message().size() < 4096);
}

// The engine of these bytes, or vLLM's.
Engine engine_of(std::string_view bytes) {
  try {
    const Engine engine = make_engine(bytes, stage_names());
    const std::string said = engine_json(engine);
    VAA_MUST(engine_json(make_engine(said, stage_names())) == said);
    return engine;
  } catch (const Failure& failure) {
    check_refusal(failure);
    return make_engine("vllm_v1", stage_names());
  }
}

}  // namespace

// A line of engine rules, a line of options, and bytes that rows are made of.
extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  const size_t first = std::min(bytes.find('\n'), size), second = std::min(bytes.find('\n', std::min(first + 1, size)), size);
  const std::string_view options = first < size ? bytes.substr(first + 1, second - first - 1) : std::string_view();
  const std::string_view rows = second < size ? bytes.substr(second + 1) : std::string_view();
  constexpr size_t kVocabulary = 8;
  try {
    Replay replay(engine_of(bytes.substr(0, first)), options);
    const int32_t prompt[] = {1, 2, 1};
    replay.begin("", prompt);
    float logits[kVocabulary] = {};
    int32_t ids[kVocabulary];
    double logprobs[kVocabulary];
    for (size_t at = 0; at + kVocabulary < rows.size() && at < 64 * (kVocabulary + 1); at += kVocabulary + 1) {
      for (size_t i = 0; i < kVocabulary; ++i) {
        logits[i] = static_cast<float>(static_cast<int8_t>(rows[at + i])) / 8;
        ids[i] = static_cast<int32_t>(i);
        logprobs[i] = static_cast<double>(logits[i]) - 20;
      }
      const int32_t token = static_cast<uint8_t>(rows[at + kVocabulary]) % static_cast<int32_t>(kVocabulary);
      const RowResult& r = at % 2 ? replay.push(logits, token, {}) : replay.push_top(std::span(ids).first(4), std::span(logprobs).first(4), token, {});
      VAA_MUST(r.state != RowState::kSame || r.token == token);
      VAA_MUST(!(r.margin < 0) && !(r.band < 0));
    }
    VAA_MUST(!replay.report().json().empty());
  } catch (const Failure& failure) {
    check_refusal(failure);
  }
  return 0;
}
