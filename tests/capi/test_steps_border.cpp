// Steps through the border: flat arrays with ends in both forms, what is declared to be there, rows that are refused; shapes and laws.
#include <cmath>
#include <vector>

#include "support.h"

namespace {

using Audit = Owned<vaa_audit, vaa_audit_free>;
using Ids = std::vector<int32_t>;
using Ends = std::vector<int64_t>;

template <class View, class T>
View view_of(const std::vector<T>& values) {
  return {values.data(), values.size()};
}

constexpr const char* kHeader = R"({"vocab_size": 8, "draft_probs": "one_hot"})";

// Two rows: drafts 3, 5 and the ids 3, 2; the draft 7 and the ids 7, 1.
struct Steps {
  Ends requests = {1, 2}, positions = {12, 40}, draft_ends = {2, 3}, id_ends = {2, 4};
  std::vector<float> temperatures = {0.6F, 0.6F}, p = {0.75F, 0.5F, 0.25F};
  Ids drafts = {3, 5, 7}, ids = {3, 2, 7, 1};
  int32_t fields = VAA_STEP_P;

  vaa_status push(vaa_audit* audit, vaa_error** err) const {
    return vaa_audit_push_steps(audit, view_of<vaa_i64s>(requests), view_of<vaa_i64s>(positions), view_of<vaa_f32s>(temperatures), view_of<vaa_i64s>(draft_ends), view_of<vaa_ids>(drafts), view_of<vaa_i64s>(id_ends),
                                view_of<vaa_ids>(ids), view_of<vaa_f32s>(p), {nullptr, 0}, {nullptr, 0}, {nullptr, 0}, fields, err);
  }
};

Audit begun(const char* header = kHeader) {
  vaa_audit* audit = nullptr;
  ok([&](vaa_error** err) { return vaa_audit_new(str(""), &audit, err); });
  Audit out(audit);
  ok([&](vaa_error** err) { return vaa_audit_begin_steps(audit, str(header), err); });
  return out;
}

double number(const vaa_audit* audit, const char* pointer) {
  vaa_report* report = nullptr;
  ok([&](vaa_error** err) { return vaa_audit_report(audit, &report, err); });
  const Report owned(report);
  double value = std::nan("");
  vaa_report_number(report, str(pointer), &value, nullptr);
  return value;
}

template <class Change>
std::string refused(Change change) {
  const Audit audit = begun();
  Steps steps;
  change(&steps);
  const auto failed = fault([&](vaa_error** err) { return steps.push(audit.get(), err); });
  CHECK(vaa_error_status(failed.get()) == VAA_ERROR_ARGUMENT);
  CHECK(std::isnan(number(audit.get(), "/reject/steps/ranks/0/rows")) == false);
  CHECK(number(audit.get(), "/reject/steps/ranks/0/rows") == 0);
  return message(failed);
}

}  // namespace

TEST_CASE("steps: rows are taken with ends that begin with 0 and without", "[reject]") {
  const Audit audit = begun();
  Steps steps;
  ok([&](vaa_error** err) { return steps.push(audit.get(), err); });
  steps.draft_ends = {0, 2, 3}, steps.id_ends = {0, 2, 4};
  ok([&](vaa_error** err) { return steps.push(audit.get(), err); });
  CHECK(number(audit.get(), "/reject/steps/ranks/0/rows") == 4);
  CHECK(number(audit.get(), "/reject/steps/ranks/0/accepted") == 4);
  CHECK(number(audit.get(), "/reject/steps/ranks/0/acceptance_rate") == Approx(4.0 / 6));
}

TEST_CASE("steps: what does not fit is refused by its name, and nothing of it is taken", "[reject]") {
  CHECK(refused([](Steps* s) { s->draft_ends = {2, 4}; }) == "draft_ends: the last is 4, there are 3");
  CHECK(refused([](Steps* s) { s->draft_ends = {3, 2}; }).find("draft_ends: row 1 ends at 2, before") == 0);
  CHECK(refused([](Steps* s) { s->id_ends = {4}; }).find("id_ends: has 1 entries, must have one for each of 2 rows") == 0);
  CHECK(refused([](Steps* s) { s->p.pop_back(); }) == "p: has 2 entries, must have 3");
  CHECK(refused([](Steps* s) { s->drafts[2] = 8; }) == "row 1: draft id 8 lies outside the vocabulary of 8");
  CHECK(refused([](Steps* s) { s->temperatures[0] = -1; }).find("row 0: temperature") == 0);
  CHECK(refused([](Steps* s) { s->fields = VAA_STEP_NOISE; }).find("fields: is 32") == 0);
  CHECK(refused([](Steps* s) { s->fields = VAA_STEP_P | VAA_STEP_Q; }) == "q: has 0 entries, must have 3");
}

TEST_CASE("steps: a header is needed, and read like options", "[reject]") {
  vaa_audit* raw = nullptr;
  ok([&](vaa_error** err) { return vaa_audit_new(str(""), &raw, err); });
  const Audit audit(raw);
  CHECK(message(fault([&](vaa_error** err) { return Steps().push(raw, err); })).find("vaa_audit_begin_steps") != std::string::npos);
  const auto failed = fault([&](vaa_error** err) { return vaa_audit_begin_steps(raw, str(R"({"vocab_size": 8, "vocabulary": 8})"), err); });
  CHECK(vaa_error_status(failed.get()) == VAA_ERROR_OPTION);
}

TEST_CASE("steps: all probabilities belong to a row of the last push", "[reject]") {
  const Audit audit = begun();
  const std::vector<float> p(3 * 8, 0.125F);
  const auto push = [&](int64_t row, size_t rows, size_t cols, vaa_error** err) { return vaa_audit_push_rows(audit.get(), row, {p.data(), rows, cols, cols}, {nullptr, 0, 0, 0}, {nullptr, 0}, {nullptr, 0}, 0, err); };
  CHECK(message(fault([&](vaa_error** err) { return push(0, 3, 8, err); })).find("row: is 0") == 0);
  ok([&](vaa_error** err) { return Steps().push(audit.get(), err); });
  ok([&](vaa_error** err) { return push(0, 3, 8, err); });
  ok([&](vaa_error** err) { return push(1, 1, 8, err); });  // without the bonus row
  CHECK(message(fault([&](vaa_error** err) { return push(1, 3, 8, err); })) == "p has 3 rows, must be 1 or 2");
  CHECK(message(fault([&](vaa_error** err) { return push(0, 3, 7, err); })) == "rows have 7 ids, the header says 8");
  CHECK(number(audit.get(), "/reject/steps/ranks/0/full_rows") == 2);
}

TEST_CASE("steps: an empty push is no row, and -1 at the end of a row is none of its ids", "[reject]") {
  const Audit audit = begun();
  Steps none;
  none.requests.clear(), none.positions.clear(), none.temperatures.clear(), none.draft_ends.clear(), none.id_ends.clear(), none.drafts.clear(), none.ids.clear(), none.p.clear();
  ok([&](vaa_error** err) { return none.push(audit.get(), err); });
  CHECK(number(audit.get(), "/reject/steps/ranks/0/rows") == 0);
  Steps padded;
  padded.ids = {3, 2, -1, 7, 1, -1}, padded.id_ends = {3, 6};
  ok([&](vaa_error** err) { return padded.push(audit.get(), err); });
  CHECK(number(audit.get(), "/reject/steps/ranks/0/emitted") == 4);
}

TEST_CASE("steps: shapes of rows, and the law of a known fault", "[reject]") {
  const Ends draft_ends = {3, 6}, id_ends = {4, 6};
  const Ids drafts = {5, 7, 9, 5, 7, 9}, ids = {5, 7, 9, 2, 5, 7};
  std::vector<int64_t> shapes(2), accepted(2);
  size_t n = 0, m = 0;
  ok([&](vaa_error** err) {
    return vaa_row_shapes(view_of<vaa_i64s>(draft_ends), view_of<vaa_ids>(drafts), view_of<vaa_i64s>(id_ends), view_of<vaa_ids>(ids), 10, {shapes.data(), 2}, &n, {accepted.data(), 2}, &m, err);
  });
  CHECK((n == 2 && shapes == Ends{VAA_ROW_RIGHT, VAA_ROW_RECOVERED_EQUALS_DRAFT} && accepted == Ends{3, 1}));
  const std::vector<double> p = {0.125, 0.625, 0.25};
  const Ids draft = {1};
  std::vector<double> recovered(3), emitted(3);
  double accept = -1;
  const auto law = [&](const char* name, vaa_error** err) {
    return vaa_step_law(str(name), {p.data(), 1, 3, 3}, {nullptr, 0, 0, 0}, view_of<vaa_ids>(draft), {nullptr, 0}, 0, 1, &accept, {recovered.data(), 3}, &n, {emitted.data(), 3}, &m, err);
  };
  ok([&](vaa_error** err) { return law("aliased_restore", err); });
  CHECK((accept == 0 && emitted[1] == 0 && emitted[0] == Approx(1.0 / 3)));  // B01
  ok([&](vaa_error** err) { return law("", err); });
  CHECK((accept == 0.625 && emitted[0] == Approx(0.125) && emitted[1] == Approx(0.625)));
  CHECK(message(fault([&](vaa_error** err) { return law("B99", err); })).find("known: aliased_restore") != std::string::npos);
  CHECK(message(fault([&](vaa_error** err) { return law("product_rule", err); })).find("judges all places together") != std::string::npos);
}
