#include <algorithm>

#include "judging.h"

using namespace vaa;
using judging::Given;

namespace {

std::string replaced(std::string_view text, std::string_view blank) {
  std::string out;
  for (const char c : text) c == ' ' ? out += blank : out += c;
  return out;
}
// Sentences without numbers.
const std::string kProse = "The canal was dug by hand over nine years, and most of the workers came from villages nearby. They were paid by the metre, which made the teams compete with each other.";

}  // namespace

TEST_CASE("spacing_anomaly: blanks that were lost", "[quality]") {
  const auto said = Given().text(replaced(kProse, "")).judge();
  REQUIRE(said.alarm("spacing_anomaly"));
  const Finding& finding = said.first("spacing_anomaly");
  CHECK(finding.severity == Severity::kWarn);
  CHECK(std::string_view(finding.reason) == "lost");
  CHECK(finding.onset_byte == 0);
  CHECK(finding.count == 1);
  const auto letters = std::count_if(kProse.begin(), kProse.end(), [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); });
  CHECK(finding.measure == static_cast<double>(letters));
  CHECK(Given().text(replaced("Зимой река замерзала почти до самого дна и дети ходили по льду в школу чтобы не обходить через мост а весной лёд трескался с шумом что его было слышно на другом конце деревни", "")).judge().alarm("spacing_anomaly"));
}

TEST_CASE("spacing_anomaly: blanks that were doubled", "[quality]") {
  const auto said = Given().text(replaced(kProse, "  ")).judge();
  REQUIRE(said.alarm("spacing_anomaly"));
  const Finding& finding = said.first("spacing_anomaly");
  CHECK(std::string_view(finding.reason) == "doubled");
  CHECK(finding.onset_byte == 3);  // behind "The"
  CHECK(finding.length_bytes == 2);
  CHECK(finding.count == std::count(kProse.begin(), kProse.end(), ' '));
  CHECK(finding.measure == 1.0);
}

TEST_CASE("spacing_anomaly: a sheet of chords is a suspicion", "[quality]") {
  CHECK(Given().text(judging::times("G  D  Em  C\n", 12)).judge().first("spacing_anomaly").confidence == Confidence::kSuspected);
  CHECK(Given().text(replaced(kProse, "  ")).judge().first("spacing_anomaly").confidence == Confidence::kCertain);
}

TEST_CASE("spacing_anomaly: data, code, aligned tables and scripts without blanks are none", "[quality]") {
  const std::string base64 = judging::times("VGhlIGNhbmFsIHdhcyBkdWcgYnkgaGFuZCBvdmVyIG5pbmUgeWVhcnM", 8), dna = judging::times("ccagcgctcgtcttgctgttggggtttctctgccacgttg", 8);
  for (const std::string& text : {base64, dna, judging::times("https://example.org/a/very/long/path/to/some/resource/that/goes/on/and/on ", 6), judging::times("function(a){return this.visit(b),c.forEach(d)};", 20),
                                  "```\n" + replaced(kProse, "") + "\n```", judging::times("name    size  kind\nalpha   12    file\n", 12), judging::times("#CanalSideMorningsAndQuietWalksAlongTheWater ", 10),
                                  std::string("泡茶先要看水，山泉最好，其次是干净的自来水。") + judging::times("绿茶不要用滚水，", 10), judging::times("a", 500), kProse})
    CHECK(Given().text(text).judge().clear("spacing_anomaly"));
}

TEST_CASE("spacing_anomaly: not where the prompt speaks of spaces; without a text unknown", "[quality]") {
  CHECK(Given().prompt("Remove all spaces.").text(replaced(kProse, "")).judge().clear("spacing_anomaly"));
  CHECK(Given().ids({1}).judge().unknown("spacing_anomaly"));
}
