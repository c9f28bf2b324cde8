// A report cut into blocks with words in one language: what every renderer for people prints, in the order it prints it.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "report/document.h"

namespace vaa {

enum class Tone : uint8_t { kPlain, kGood, kBad, kUnsure, kFaint };

// Texts may hold anything that the report holds, model output too: a renderer escapes them.
struct Row {
  std::vector<std::string> cells;
  Tone tone = Tone::kPlain;
  bool inner = false;  // a part of the row above
};
struct BlockLine {
  std::string text;
  std::string quoted;   // model output
  std::string command;  // to type
  Tone tone = Tone::kPlain;
  std::string request = {};  // JSON to add to a request
};
struct Block {
  std::string heading;
  std::vector<std::string> columns;  // none: no table
  std::vector<bool> right;           // a column of numbers
  std::vector<size_t> optional;      // columns that go where there is no room, the first of these first
  std::vector<Row> rows;
  std::vector<BlockLine> lines;           // below the table
  bool doubtful = false;             // a cell says "?"
};
struct Blocks {
  std::string title;
  std::string verdict;  // PASS, FAIL, …
  Tone tone = Tone::kPlain;
  std::string reason;
  std::vector<std::string> facts;  // path, format, model; how many samples
  std::vector<Block> blocks;
};
Blocks make_blocks(const Document& report, bool chinese);

// Pieces of make_blocks.
void add_sections(const Document& report, bool chinese, Blocks* out);                 // blocks_sections.cpp
void add_account(const Document& report, bool chinese, std::vector<Block>* blocks);   // blocks_account.cpp
void add_scores(const Document& report, bool chinese, std::vector<Block>* blocks);
void add_flags(const Document& report, bool chinese, std::vector<Block>* blocks);     // blocks_checks.cpp
void add_run_checks(const Document& report, bool chinese, std::vector<Block>* blocks);  // blocks_run.cpp
void add_groups(const Document& report, bool chinese, std::vector<Block>* blocks);
void add_comparisons(const Document& report, bool chinese, std::vector<Block>* blocks);
void add_lengths(const Document& report, bool chinese, std::vector<Block>* blocks);   // blocks_cases.cpp
void add_errors(const Document& report, bool chinese, std::vector<Block>* blocks);
void add_worst(const Document& report, bool chinese, std::vector<Block>* blocks);
void add_problems(const Document& report, bool chinese, std::vector<Block>* blocks);
void add_limits(const Document& report, bool chinese, std::vector<Block>* blocks);

// A row of the table of checks of the run; not the rates of broken answers and requests.
bool is_run_check(const Document& check);
// "gsm8k/12#3"
std::string sample_name(const Document& sample);
// A text of the document that has both languages.
const std::string& said(const Document& words, bool chinese);
Tone status_tone(const std::string& status);

}  // namespace vaa
