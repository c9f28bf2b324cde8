// Counters that a test works out by hand, and what the audit says of them.
#include "reject/reject_audit.h"

#include <cmath>
#include <string>
#include <vector>

#include "base/failure.h"
#include "catch.h"
#include "report/document.h"

using namespace vaa;

namespace {

struct Engine {
  const char* name = "0";
  double drafts = 0, tokens = 0, accepted = 0, generated = 0;
  std::vector<double> at;
};

std::string page_of(const std::vector<Engine>& engines) {
  std::string out;
  for (const Engine& e : engines) {
    const auto line = [&](const std::string& name, const std::string& more, double value) { out += "vllm:" + name + "_total{engine=\"" + e.name + "\",model_name=\"toy\"" + more + "} " + std::to_string(value) + "\n"; };
    line("spec_decode_num_drafts", "", e.drafts);
    line("spec_decode_num_draft_tokens", "", e.tokens);
    line("spec_decode_num_accepted_tokens", "", e.accepted);
    line("generation_tokens", "", e.generated);
    for (size_t i = 0; i < e.at.size(); ++i) line("spec_decode_num_accepted_tokens_per_pos", ",position=\"" + std::to_string(i) + "\"", e.at[i]);
  }
  return out;
}

Document document(const RejectAudit& audit) { return Document::parse(audit.report().json()); }

// The status of a check of an engine; "" : it says nothing.
std::string status(const RejectAudit& audit, const std::string& check, const std::string& engine) {
  const Document tree = document(audit);
  for (const Document& f : tree.at("reject", "findings").items())
    if (f["check"].text() == check && f["engine"].text() == engine) return f["status"].text();
  return "";
}

RejectAudit audit_of(const std::vector<Engine>& engines) {
  RejectAudit audit{RejectAuditOptions()};
  audit.scrapes().push("", page_of(engines), 1000);
  return audit;
}

}  // namespace

TEST_CASE("reject: drafts of which none is accepted fail, few of them are undecided, and a few accepted pass", "[reject]") {
  CHECK(status(audit_of({{"0", 20000, 60000, 0, 20000, {0, 0, 0}}}), "zero_acceptance", "engine 0") == "fail");
  CHECK(status(audit_of({{"0", 200, 600, 0, 200, {0, 0, 0}}}), "zero_acceptance", "engine 0") == "undecided");
  CHECK(status(audit_of({{"0", 20000, 60000, 9000, 29000, {5000, 2500, 1500}}}), "zero_acceptance", "engine 0") == "pass");
  // (1 - 0.01)^(n / 10) falls to 0.025 at n = 3680: ceil(log(0.025) / log(0.99)) = 368.
  const Document tree = document(audit_of({{"0", 200, 600, 0, 200, {0, 0, 0}}}));
  for (const Document& f : tree.at("reject", "findings").items())
    if (f["check"].text() == "zero_acceptance") CHECK(f["n_needed"].integer() == 3680);
}

TEST_CASE("reject: counts that cannot be fail whatever their size", "[reject]") {
  CHECK(status(audit_of({{"0", 100, 300, 301, 400, {}}}), "count_bounds", "engine 0") == "fail");       // more accepted than drafted
  CHECK(status(audit_of({{"0", 100, 300, 150, 250, {101, 30, 19}}}), "count_bounds", "engine 0") == "fail");  // a position above the drafts
  CHECK(status(audit_of({{"0", 100, 300, 150, 250, {80, 40, 20}}}), "count_bounds", "engine 0") == "fail");   // positions that do not add up
  CHECK(status(audit_of({{"0", 400, 300, 150, 250, {80, 40, 30}}}), "count_bounds", "engine 0") == "fail");   // more drafts than tokens
  CHECK(status(audit_of({{"0", 100, 300, 150, 250, {80, 40, 30}}}), "count_bounds", "engine 0") == "pass");
}

TEST_CASE("reject: positions never rise and do not fall off a cliff where drafts are of full length", "[reject]") {
  CHECK(status(audit_of({{"0", 1000, 3000, 1500, 2500, {500, 600, 400}}}), "position_shape", "engine 0") == "fail");
  CHECK(status(audit_of({{"0", 20000, 60000, 14050, 34050, {14000, 40, 10}}}), "position_shape", "engine 0") == "fail");
  CHECK(status(audit_of({{"0", 20000, 21000, 14050, 34050, {14000, 40, 10}}}), "position_shape", "engine 0") == "pass");  // short drafts: few had a second position
  CHECK(status(audit_of({{"0", 20000, 60000, 30000, 50000, {14000, 9600, 6400}}}), "position_shape", "engine 0") == "pass");
}

TEST_CASE("reject: tokens without drafts fail where speculation is counted, and not on llama.cpp", "[reject]") {
  CHECK(status(audit_of({{"0", 0, 0, 0, 5000, {}}}), "nothing_drafted", "engine 0") == "fail");
  CHECK(status(audit_of({{"0", 0, 0, 0, 50, {}}}), "nothing_drafted", "engine 0") == "undecided");
  RejectAudit audit{RejectAuditOptions()};
  audit.scrapes().push("", "llamacpp:spec_decode_num_draft_tokens 0\nllamacpp:tokens_predicted_total 5000\n", 1000);
  CHECK(status(audit, "nothing_drafted", "engine") == "not_checked");
  RejectAudit told{[] { RejectAuditOptions o; o.configured = true; return o; }()};
  told.scrapes().push("", "llamacpp:spec_decode_num_draft_tokens 0\nllamacpp:tokens_predicted_total 5000\n", 1000);
  CHECK(status(told, "nothing_drafted", "engine") == "fail");
}

TEST_CASE("reject: pages without counters of speculation are not checked", "[reject]") {
  RejectAudit audit{RejectAuditOptions()};
  audit.scrapes().push("", "vllm:generation_tokens_total 5\n", 1000);
  CHECK(audit.report().verdict() == Verdict::kNotChecked);
  CHECK(RejectAudit{RejectAuditOptions()}.report().verdict() == Verdict::kNotChecked);
}

TEST_CASE("reject: all accepted is suspected", "[reject]") {
  CHECK(status(audit_of({{"0", 20000, 60000, 60000, 80000, {20000, 20000, 20000}}}), "full_acceptance", "engine 0") == "fail");
  CHECK(status(audit_of({{"0", 20, 60, 60, 80, {20, 20, 20}}}), "full_acceptance", "engine 0") == "pass");
}

TEST_CASE("reject: a counter that goes back is a restart, and counts on from 0", "[reject]") {
  RejectAudit audit{RejectAuditOptions()};
  audit.scrapes().push("", page_of({{"0", 100, 300, 150, 250, {}}}), 1000);
  audit.scrapes().push("", page_of({{"0", 300, 900, 450, 750, {}}}), 1010);
  audit.scrapes().push("", page_of({{"0", 50, 150, 75, 125, {}}}), 1020);
  const Document tree = document(audit);
  const Document& engine = tree.at("reject", "engines").items().at(0);
  CHECK(engine["restarts"].integer() == 1);
  CHECK(engine["drafts"].integer() == 250);
  CHECK(engine["restarted_at"].items().size() == 1);
}

TEST_CASE("reject: pages out of order are sorted, and one that comes twice is taken once; both are counted", "[reject]") {
  RejectAudit audit{RejectAuditOptions()};
  audit.scrapes().push("", page_of({{"0", 300, 900, 450, 750, {}}}), 1010);
  audit.scrapes().push("", page_of({{"0", 100, 300, 150, 250, {}}}), 1000);
  audit.scrapes().push("", page_of({{"0", 300, 900, 450, 750, {}}}), 1010);
  const Document tree = document(audit);
  const Document& pages = tree.at("reject", "pages");
  CHECK(pages["out_of_order"].integer() == 1);
  CHECK(pages["duplicates"].integer() == 1);
  CHECK(tree.at("reject", "engines").items().at(0)["drafts"].integer() == 200);
  CHECK(tree.at("reject", "engines").items().at(0)["restarts"].integer() == 0);
}

TEST_CASE("reject: an engine that later pages do not have is undecided", "[reject]") {
  RejectAudit audit{RejectAuditOptions()};
  for (int i = 0; i < 4; ++i) {
    std::vector<Engine> engines{{"0", 1000.0 * i, 3000.0 * i, 1500.0 * i, 2500.0 * i, {}}};
    if (i < 2) engines.push_back({"1", 1000.0 * i, 3000.0 * i, 1500.0 * i, 2500.0 * i, {}});
    audit.scrapes().push("", page_of(engines), 1000 + i);
  }
  CHECK(status(audit, "engine_vanished", "engine 1") == "undecided");
  CHECK(status(audit, "engine_vanished", "engine 0") == "");
}

TEST_CASE("reject: values that no counter has are counted lines, and the rest of the page stands", "[reject]") {
  RejectAudit audit{RejectAuditOptions()};
  audit.scrapes().push("", page_of({{"0", 100, 300, 150, 250, {}}}) + "vllm:spec_decode_num_drafts_total{engine=\"1\"} NaN\nvllm:spec_decode_num_drafts_total{engine=\"2\"} -1\nvllm:spec_decode_num_drafts_total{engine=\"3\"} +Inf\n"
                           "vllm:spec_decode_num_accepted_tokens_per_pos_total{engine=\"0\",position=\"x\"} 3\ncut li", 1000);
  const Document tree = document(audit);
  CHECK(tree.at("reject", "pages")["bad_lines"].integer() == 5);
  CHECK(tree.at("reject", "engines").items().size() == 1);
  CHECK_THROWS_AS(audit.scrapes().push("", "<html>", 1001), Failure);
}

TEST_CASE("reject: a stretch without one accepted has its onset, and none outside of it", "[reject]") {
  RejectAudit audit{RejectAuditOptions()};
  double drafts = 0, accepted = 0;
  for (int i = 0; i <= 20; ++i) {
    audit.scrapes().push("", page_of({{"0", drafts, 3 * drafts, accepted, drafts + accepted, {}}}), 1787220000 + 10 * i);
    drafts += 1000;
    accepted += i < 8 ? 1500 : 0;  // windows 0 to 7
  }
  const Document tree = document(audit);
  bool seen = false;
  for (const Document& f : tree.at("reject", "findings").items()) {
    if (f["check"].text() != "zero_stretch") continue;
    seen = true;
    CHECK(f["status"].text() == "fail");
    CHECK(f["n"].integer() == 12000);
    CHECK(f.at("onset", "at").text() == "2026-08-20 10:01:20");
    CHECK(f.at("onset", "from").text() == "2026-08-20 10:01:10");
  }
  CHECK(seen);
}
