// The words and numbers of a text that tell what it is about.
#include "catch.h"
#include "quality/run/terms.h"

using namespace vaa;

namespace {

std::vector<uint32_t> terms(std::string_view text) {
  TermList list;
  list.clear();
  list.read_first(text, TermList::kMostTerms);
  return list.terms();
}

}  // namespace

TEST_CASE("terms: words of four letters and numbers of two digits, without case and plural", "[quality]") {
  CHECK(terms("to be or not a 1 2 3 x1").empty());
  CHECK(terms("Natalia sold CLIPS").size() == 3);
  CHECK(terms("clips") == terms("Clip"));
  CHECK(terms("1,234 boats") == terms("1234 BOAT"));
  CHECK(terms("boat boat boats").size() == 1);
  CHECK(terms("48 72") != terms("72 48"));
  CHECK(terms("naïve café").size() == 2);
}

TEST_CASE("terms: pairs of neighbours where a script writes no spaces", "[quality]") {
  CHECK(terms("水").empty());
  CHECK(terms("水电站").size() == 2);
  CHECK(terms("水电，站").size() == 1);
  CHECK(terms("水电 boats").size() == 2);
}

TEST_CASE("terms: of a prompt those at its end count", "[quality]") {
  std::string long_prompt;
  for (int i = 0; i < 2000; ++i) long_prompt += "word" + std::to_string(i) + " ";
  TermList list;
  list.read_last(long_prompt + "the final question", 64);
  CHECK(list.terms().size() == 64);
  CHECK(list.find(terms("question")[0]) == 63);
  CHECK(list.find(terms("word1990")[0]) >= 0);
  CHECK(list.find(terms("word7")[0]) == -1);
}

TEST_CASE("terms: any bytes are read to their end", "[quality]") {
  for (const char* text : {"\xE6", "\xE6\xB0", "\xFF\xFE\xFD\xFC", "\xC2", "\xEF\xBF", "ab\xE2\x80"}) terms(text);
  std::string all;
  for (int i = 0; i < 256; ++i) all += static_cast<char>(i);
  CHECK(terms(all + all).size() == terms(all).size());
}
