// Policies from any JSON, and batches from any bytes: made or refused with one line; rows that come out are whole, and a law's lengths are shares.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string_view>
#include <vector>

#include "base/failure.h"
#include "must.h"
#include "reject/verifier/verifier.h"

using namespace vaa;

namespace {

constexpr size_t kVocabulary = 5;

void check_refusal(const Failure& failure) {
  VAA_MUST(failure.status() == VAA_ERROR_OPTION || failure.status() == VAA_ERROR_ARGUMENT || failure.status() == VAA_ERROR_NOT_FOUND || failure.status() == VAA_ERROR_UNSUPPORTED);
  VAA_MUST(!failure.message().empty() && failure.message().size() < 4096);
}

// Numbers out of bytes; zeros behind the last.
class Bytes {
 public:
  explicit Bytes(std::string_view bytes) : bytes_(bytes) {}
  uint8_t next() {
    if (bytes_.empty()) return 0;
    const uint8_t byte = static_cast<uint8_t>(bytes_.front());
    bytes_.remove_prefix(1);
    return byte;
  }
  // A law, seldom a row that is none.
  template <class Value>
  void law(std::vector<Value>* out) {
    double weights[kVocabulary], sum = 0;
    for (double& w : weights) sum += w = next() % 16 == 0 ? 0 : next();
    weights[next() % kVocabulary] += sum > 0 ? 0 : (sum = 1);
    for (const double w : weights) out->push_back(static_cast<Value>(w / sum));
    if (next() == 255) out->back() = static_cast<Value>(next() % 2 ? NAN : -1);
  }

 private:
  std::string_view bytes_;
};

void check_rows(const VerifiedRows& rows, size_t requests, size_t columns) {
  for (size_t i = 0; i < requests; ++i) {
    const int32_t accepted = rows.accepted[i];
    VAA_MUST(accepted >= 0 && static_cast<size_t>(accepted) < columns);
    for (size_t column = 0; column < columns; ++column) {
      const int32_t id = rows.ids[i * columns + column], place = rows.reasons[i * columns + column] & 15;
      VAA_MUST(id >= kUnknownId && id < static_cast<int32_t>(kVocabulary));
      VAA_MUST((place == kAccepted) == (column < static_cast<size_t>(accepted)));
      VAA_MUST((id == kPadding) == (column > static_cast<size_t>(accepted)) && (place == kNotReached) == (id == kPadding));
    }
  }
}

void run_batch(Verifier* verifier, Bytes bytes) {
  const size_t requests = bytes.next() % 4, width = bytes.next() % 4, kind = bytes.next();
  std::vector<int64_t> cu;
  if (kind & 1) cu.push_back(0);
  for (size_t i = 0; i < requests; ++i) cu.push_back((cu.empty() ? 0 : cu.back()) + (kind & 2 ? static_cast<int64_t>(width) : bytes.next() % 4) - (bytes.next() == 255));
  const size_t drafts = kind & 4 ? requests * width : static_cast<size_t>(std::max<int64_t>(cu.empty() ? 0 : cu.back(), 0)), rows = drafts + (kind & 8 ? requests : 0);
  std::vector<int32_t> ids, parents, bonus;
  std::vector<float> target, draft_probs, noise;
  std::vector<double> uniforms;
  for (size_t i = 0; i < drafts; ++i) {
    ids.push_back(static_cast<int32_t>(bytes.next() % (kVocabulary + 1)) - 1);
    if (kind & 16) parents.push_back(static_cast<int32_t>(bytes.next() % (i % 4 + 1)) - 1);
    bytes.law(&draft_probs);
  }
  for (size_t i = 0; i < rows; ++i) bytes.law(&target);
  for (size_t i = 0; i < (kind & 32 ? rows : drafts); ++i) uniforms.push_back(bytes.next() / 255.0);
  const size_t noise_rows = kind & 64 ? rows : requests, noise_columns = bytes.next() % 2 ? 1 : kVocabulary;
  for (size_t i = 0; i < noise_rows * noise_columns; ++i) noise.push_back(static_cast<float>(bytes.next()) / 256);
  for (size_t i = 0; i < requests && (kind & 128); ++i) bonus.push_back(static_cast<int32_t>(bytes.next() % (kVocabulary + 2)) - 2);
  DraftBatch batch{ids, cu, parents, {target.data(), rows, kVocabulary, kVocabulary}, {}, {}, {}, {}, uniforms, {}, bonus};
  if (bytes.next() % 2) batch.draft_probs = {draft_probs.data(), drafts, kVocabulary, kVocabulary};
  if (bytes.next() % 4) batch.noise = {noise.data(), noise_rows, noise_columns, noise_columns};
  const size_t columns = verifier->width_of(batch) + 1, all = verifier->requests() * columns;
  std::vector<int32_t> out_ids(all), accepted(verifier->requests()), reasons(all);
  std::vector<double> margins(all);
  const VerifiedRows out{out_ids, accepted, reasons, margins};
  verifier->run(batch, out);
  check_rows(out, verifier->requests(), columns);
}

void run_law(Verifier* verifier, Bytes bytes) {
  const size_t drafts = bytes.next() % 4;
  std::vector<int32_t> ids;
  std::vector<double> target, draft_probs, acceptance(drafts), lengths(drafts + 1);
  for (size_t i = 0; i < drafts; ++i) {
    ids.push_back(static_cast<int32_t>(bytes.next() % (kVocabulary + 1)) - 1);
    bytes.law(&draft_probs);
  }
  for (size_t i = 0; i <= drafts; ++i) bytes.law(&target);
  verifier->law({ids, {}, {target.data(), drafts + 1, kVocabulary, kVocabulary}, {draft_probs.data(), bytes.next() % 2 ? drafts : 0, kVocabulary, kVocabulary}}, {acceptance, lengths, {}, {}});
  double sum = 0;
  for (const double share : lengths) {
    VAA_MUST(share >= -1e-12 && share <= 1 + 1e-12);
    sum += share;
  }
  VAA_MUST(std::fabs(sum - 1) < 1e-9);
}

}  // namespace

// A line of a policy, a line of options, and bytes that a batch and a step are made of.
extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  const size_t first = std::min(bytes.find('\n'), size), second = std::min(bytes.find('\n', std::min(first + 1, size)), size);
  const std::string_view options = first < size ? bytes.substr(first + 1, second - first - 1) : std::string_view();
  try {
    Verifier verifier(bytes.substr(0, first), options);
    const std::string said = policy_json(verifier.policy());
    VAA_MUST(policy_json(make_policy(said, method_names())) == said);
    const Bytes rest(second < size ? bytes.substr(second + 1) : std::string_view());
    try {
      run_batch(&verifier, rest);
    } catch (const Failure& failure) {
      check_refusal(failure);
    }
    run_law(&verifier, rest);
  } catch (const Failure& failure) {
    check_refusal(failure);
  }
  return 0;
}
