#include "judging.h"

using namespace vaa;
using judging::Given;

TEST_CASE("think_orphan_close: a closing tag that nothing opened", "[quality]") {
  const auto said = Given().text("水 is wet.</think>391").finish("stop").judge();
  CHECK(said.alarm("think_orphan_close"));
  CHECK_FALSE(said.failing("think_orphan_close"));
  CHECK(said.clear("think_unclosed"));
  const Finding& finding = said.first("think_orphan_close");
  CHECK(finding.onset_byte == 11);
  CHECK(finding.onset_char == 9);
  CHECK(finding.length_bytes == 8);
  CHECK(finding.count == 1);
  CHECK(Given().text("<think>a</think>b</think>c</thinking>").judge().first("think_orphan_close").count == 2);
}

TEST_CASE("think_orphan_close: not in code or quotes, and no turn's end of other templates", "[quality]") {
  CHECK(Given().text("It ends with `</think>`.").judge().clear("think_orphan_close"));
  CHECK(Given().text("```\n</think>\n```\n").judge().clear("think_orphan_close"));
  CHECK(Given().text("It ends with \"</think>\".").judge().clear("think_orphan_close"));
  CHECK(Given().text("Yes.<|end|>").judge().clear("think_orphan_close"));
  CHECK(Given().ids({1, 2}).judge().unknown("think_orphan_close"));
}
