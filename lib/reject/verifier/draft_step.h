// One step of one request: its drafts, the rows that judge them, and what becomes of them.
#pragma once
#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <vector>

#include "engines/policy.h"
#include "reject/verifier/recover.h"
#include "reject/verifier/value_row.h"

namespace vaa {

constexpr int32_t kPadding = -1;    // in drafts: always rejected; in rows put out: nothing
constexpr int32_t kUnknownId = -2;  // what decides it was not given

// What became of a place: one of the first five, and what is to be said of it beside.
enum Reason : int32_t {
  kNotReached = 0, kAccepted = 1, kRejected = 2, kBonus = 3, kPadded = 4,
  kBoundary = 16, kEmptyResidual = 32, kSupportViolation = 64
};

// Rows and noise of a step, made when they are asked for. What is given is borrowed until the next call of the same function.
class StepRows {
 public:
  virtual ~StepRows() = default;
  virtual TargetRow target(size_t row) = 0;       // row r judges draft r of a chain; the last one is that of the bonus token
  virtual DraftLaw draft(size_t draft) = 0;
  virtual std::span<const float> noise(size_t) { return {}; }  // none: not given
  virtual void check(size_t) {}  // a row of the target that is now read whole, and that of the draft beside it
};

// Memory of the methods, kept from step to step.
struct StepScratch {
  std::vector<uint32_t> children;
  std::vector<int32_t> ids;
  std::vector<double> reals, target_left, draft_left;
};

struct StepInput {
  const Policy* policy = nullptr;
  std::span<const int32_t> drafts;
  std::span<const int32_t> parents;   // of each draft the index of the draft that it follows, -1: none; empty: each follows the one before
  std::span<const double> uniforms;   // one a draft; method siblings: one a row of the target
  StepRows* rows = nullptr;
  StepScratch* scratch = nullptr;
  bool bonus_row = false;             // there is a row behind the last draft
  int32_t bonus = kUnknownId;
  double boundary = 1e-6;
  bool fp32 = false;
  size_t request = 0;                 // for messages

  std::string where(size_t position) const { return "request " + std::to_string(request) + ", position " + std::to_string(position) + ": "; }
};

struct StepPlace {
  int32_t id = kPadding;
  int32_t reason = kNotReached;
  double margin = std::numeric_limits<double>::quiet_NaN();
};

struct DraftOutcome {
  std::span<StepPlace> places;  // one more than there are drafts, empty ones as above
  int32_t accepted = 0;
  void put(const StepPlace& place) { places[static_cast<size_t>(size_++)] = place; }
  void accept(int32_t id, int32_t flags, double margin) {
    put({id, kAccepted | flags, margin});
    ++accepted;
  }

 private:
  int32_t size_ = 0;
};

// The law of a step whose drafts are known. All are zero before.
struct StepLaw {
  std::span<double> acceptance;  // of each draft: that its own test passes, given that it is made; of a block h
  std::span<double> lengths;     // that so many are accepted
  // Of each row of the target, given that the step comes there: the law of the token that is put out, and of the one that is put out where no draft is accepted; zero where that cannot be.
  std::vector<std::span<double>> emitted, recovered;
};

// The token at the end of a step: recovered where nothing at this row was accepted, bonus where no draft is left. `residual` is what the row leaves.
void finish_rejected(const StepInput& in, size_t row, const TargetRow& target, const Residual& residual, StepPlace place, DraftOutcome* out);
void finish_bonus(const StepInput& in, size_t row, DraftOutcome* out);

// The law that finish_rejected draws from, with the policy's rule for what is empty.
void recovered_law(const StepInput& in, size_t row, const Residual& residual, std::span<double> out);
// What remains of a step behind its last draft.
void bonus_law(const StepInput& in, size_t row, StepLaw* out);

// The uniform of a draft or row as the engine holds it.
double uniform_of(const StepInput& in, size_t index);

}  // namespace vaa
