// Final answers in a text, and whether two of them are the same.
#pragma once
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace vaa {

struct FinalAnswer {
  enum class Where : uint8_t { kBoxed, kAfterCue, kLastLine } where = Where::kBoxed;
  std::string_view text;  // as it stands
  size_t at = 0;          // byte of it in the answer
};

// The places where `answer` gives its result, the last of each kind: \boxed{…}; behind "Answer:", "the answer is", "答案：", "####"; the last line that is not blank. Returns how
// many. Linear.
size_t find_final_answers(std::string_view answer, FinalAnswer out[3]);

// Memory for same_answer.
struct AnswerMemory {
  std::string left, right;
};

// Whether the text at that place gives the gold: numbers by value ("1,234.0" is "1234", "$5" is "5"), letters by themselves ("(A)", "A.", "\text{A}", "A. Paris"), anything else by
// its text without case, white space and marks around it. kSurely: it is the gold, or begins with it and a mark ("28. That is because …"). kPerhaps: the last number, the lone letter,
// or the end of a sentence that denies nothing and asks nothing is the gold.
enum class Gives : uint8_t { kNo, kPerhaps, kSurely };
Gives gives_gold(const FinalAnswer& found, std::string_view gold, AnswerMemory* memory);
// The framework's extraction is the gold.
bool same_answer(std::string_view extracted, std::string_view gold, AnswerMemory* memory);

}  // namespace vaa
