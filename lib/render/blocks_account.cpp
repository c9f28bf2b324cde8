// What the wrong answers died of, and the scores.
#include <algorithm>
#include <cmath>

#include "base/figures.h"
#include "render/blocks.h"
#include "render/layout.h"
#include "report/words.h"
#include "text/utf8.h"

namespace vaa {
namespace {

constexpr size_t kMostColumns = 4;   // datasets that stand beside the total
constexpr size_t kMostDatasets = 10;  // in the table of those with the most broken answers
constexpr size_t kMostScores = 24;
constexpr size_t kWidestName = 16;

// The end of a long name, which tells subjects apart.
std::string tail_of(const std::string& name) {
  const std::string shown = clean(name);
  size_t from = 0;
  while (display_width(std::string_view(shown).substr(from)) > kWidestName) from += utf8_step(shown, from).size;
  return from == 0 ? shown : "…" + shown.substr(from);
}

// One column a dataset where there are few, then the total.
struct AccountColumns {
  std::vector<const Document*> accounts;
  std::vector<std::string> names;
};
AccountColumns account_columns(const Document& account, const char* kind, bool chinese) {
  AccountColumns out;
  const auto counts = [&](const Document& d) { return d.at(kind, "total").integer() > 0 || (kind[0] == 'w' && d.at("right", "total").integer() > 0); };
  for (const Document& dataset : account["datasets"].items()) {
    if (!counts(dataset)) continue;
    out.accounts.push_back(&dataset);
    out.names.push_back(dataset["dataset"].text().empty() ? word(Word::kUnnamed, chinese) : tail_of(dataset["dataset"].text()));
  }
  if (out.accounts.size() > kMostColumns) out = {};
  if (out.accounts.size() == 1 && (*out.accounts[0])["dataset"].text().empty()) {
    out.names[0] = word(Word::kOfAll, chinese);
  } else if (out.accounts.size() != 1) {
    out.accounts.push_back(&account);
    out.names.push_back(word(Word::kOfAll, chinese));
  }
  return out;
}

// What a row says of an account: so many, and so many more that may belong there.
struct Cell {
  int64_t n = 0, unknown = 0;
};
std::string cell_text(const Cell& cell) {
  if (cell.unknown > 0) return cell.n ? grouped(cell.n) + " ?" : "?";
  return cell.n ? grouped(cell.n) : "·";
}

struct RowKind {
  Tone tone = Tone::kPlain;
  bool always = false, inner = false;
};
template <class Count>
void add_row(Block* block, const AccountColumns& columns, const char* title, RowKind kind, Count count) {
  Row row{{title}, kind.tone, kind.inner};
  bool any = false, unknown = false;
  for (const Document* account : columns.accounts) {
    const Cell cell = count(*account);
    any = any || cell.n != 0 || cell.unknown != 0;
    unknown = unknown || cell.unknown != 0;
    row.cells.push_back(cell_text(cell));
  }
  if (any || kind.always) block->rows.push_back(std::move(row));
  block->doubtful = block->doubtful || unknown;
}

// all: places without an answer, too.
void add_places(Block* block, const Document& account, const AccountColumns& columns, const char* kind, Word well_formed, bool all, bool chinese) {
  for (const Document& place : account["places"].items()) {
    const std::string& name = place["name"].text();
    const bool fine = name == "well_formed", optional = name == "no_output";
    const auto count = [&](const Document& a) { return Cell{a.at(kind, name).integer(), a[kind].at("unknown", name).integer()}; };
    add_row(block, columns, fine ? word(well_formed, chinese) : said(place["title"], chinese).c_str(), {Tone::kPlain, all && !optional}, count);
    const auto of_which = [&](const char* part, Word title, const char* key) {
      add_row(block, columns, word(title, chinese), {Tone::kFaint, false, true}, [&](const Document& a) { return Cell{a[kind].at(part, key).integer()}; });
    };
    if (fine) of_which("well_formed_of_which", Word::kCutUnknown, "cut_unknown");
    if (fine) of_which("well_formed_of_which", Word::kUnfinished, "no_final_answer");
    if (name != "cut") continue;
    of_which("cut_of_which", Word::kCutLooping, "looping");
    of_which("cut_of_which", Word::kCutUnclosed, "unclosed");
    of_which("cut_of_which", Word::kCutSuspected, "suspected");
  }
}

Block account_block(const char* heading, const AccountColumns& columns) {
  Block block;
  block.heading = heading;
  block.columns = {""};
  block.right = {false};
  for (const std::string& name : columns.names) {
    block.columns.push_back(name);
    block.right.push_back(true);
  }
  return block;
}

void add_note(Block* block, bool chinese) {
  if (block->doubtful) block->lines.push_back({word(Word::kPlaceNote, chinese), "", "", Tone::kFaint});
}

void add_dataset_table(const Document& account, bool chinese, std::vector<Block>* blocks) {
  std::vector<const Document*> datasets;
  const auto broken = [](const Document* d) { return d->at("wrong", "broken").integer() + d->at("unscored", "broken").integer() + (*d)["missing"].integer(); };
  for (const Document& d : account["datasets"].items()) {
    if (broken(&d) > 0) datasets.push_back(&d);
  }
  if (account["datasets"].items().size() <= kMostColumns || datasets.empty()) return;
  std::stable_sort(datasets.begin(), datasets.end(), [&](const Document* a, const Document* b) { return broken(a) > broken(b); });
  Block block;
  block.heading = word(Word::kDatasetsHeading, chinese);
  for (const Word w : {Word::kDataset, Word::kSamples, Word::kWrong, Word::kBroken, Word::kFailed}) block.columns.push_back(word(w, chinese));
  block.right = {false, true, true, true, true};
  for (size_t i = 0; i < std::min(datasets.size(), kMostDatasets); ++i) {
    const Document& d = *datasets[i];
    block.rows.push_back({{d["dataset"].text(), grouped(d["samples"].integer()), grouped(d.at("wrong", "total").integer()), grouped(d.at("wrong", "broken").integer()), grouped(d["failed"].integer())}, Tone::kPlain});
  }
  if (datasets.size() > kMostDatasets) block.lines.push_back({grouped(static_cast<int64_t>(datasets.size() - kMostDatasets)) + " " + word(Word::kMoreRows, chinese), "", "", Tone::kFaint});
  blocks->push_back(std::move(block));
}

std::string score_text(double value, bool share) { return share ? fixed(value * 100, 2) : fixed(value, 4); }

Row score_row(const Document& score, bool chinese) {
  const bool share = score["share"].truth();
  const bool of_samples = score["from"].text() == "samples";
  const auto text = [&](double value) { return std::isnan(value) ? std::string("–") : score_text(value, share); };
  const double lower = score["lower"].number(), upper = score["upper"].number(), file = score.at("file", "value").number();
  Row row;
  const std::string& dataset = score["dataset"].text();
  row.cells.push_back(dataset + (dataset.empty() || score["metric"].text().empty() ? "" : " ") + score["metric"].text() +
                      (score["subjects"].integer() > 0 ? " (" + std::string(word(Word::kSubjects, chinese)) + ", " + grouped(score["subjects"].integer()) + ")" : ""));
  row.cells.push_back(text(score["value"].number()));
  row.cells.push_back(text(score["error"].number()));
  row.cells.push_back(std::isnan(lower) ? "–" : score_text(lower, share) + "–" + score_text(upper, share));
  row.cells.push_back(score["n"].integer() > 0 ? grouped(score["n"].integer()) : "–");
  row.cells.push_back(text(file) + (of_samples && !std::isnan(file) ? std::string(" ") + word(score["equals_file"].truth() ? Word::kEquals : Word::kDiffers, chinese) : of_samples ? "" : std::string(" ") + word(Word::kFromFile, chinese)));
  row.cells.push_back(text(score["if_broken_were_right"].number()));
  if (of_samples && !std::isnan(file) && !score["equals_file"].truth()) row.tone = Tone::kUnsure;
  return row;
}

}  // namespace

void add_account(const Document& report, bool chinese, std::vector<Block>* blocks) {
  const Document& account = report["account"];
  const bool any_score = account.at("wrong", "total").integer() + account.at("right", "total").integer() > 0;
  if (any_score) {
    const AccountColumns columns = account_columns(account, "wrong", chinese);
    Block block = account_block(word(Word::kWrongHeading, chinese), columns);
    add_places(&block, account, columns, "wrong", Word::kWellFormedWrong, true, chinese);
    add_row(&block, columns, word(Word::kTotalWrong, chinese), {Tone::kBad, true}, [](const Document& a) { return Cell{a.at("wrong", "total").integer()}; });
    const auto right = [&](Word title, const char* key, bool inner, bool always, Tone tone) {
      add_row(&block, columns, word(title, chinese), {tone, always, inner}, [&](const Document& a) { return Cell{a.at("right", key).integer(), a["right"].at("unknown", key).integer()}; });
    };
    right(Word::kRight, "total", false, true, Tone::kGood);
    right(Word::kRightCut, "cut", true, false, Tone::kUnsure);
    right(Word::kRightUnclosed, "unclosed", true, false, Tone::kUnsure);
    right(Word::kRightPlain, "plain", true, true, Tone::kPlain);
    right(Word::kRightFlagged, "plain_flagged", true, false, Tone::kFaint);
    add_note(&block, chinese);
    blocks->push_back(std::move(block));
  }
  if (account.at("unscored", "total").integer() > 0) {
    const AccountColumns columns = account_columns(account, "unscored", chinese);
    Block block = account_block(word(Word::kUnscoredHeading, chinese), columns);
    add_places(&block, account, columns, "unscored", Word::kWellFormed, !any_score, chinese);
    add_note(&block, chinese);
    blocks->push_back(std::move(block));
  }
  add_dataset_table(account, chinese, blocks);
}

void add_scores(const Document& report, bool chinese, std::vector<Block>* blocks) {
  const std::vector<Document>& scores = report["score"].items();
  if (scores.empty()) return;
  Block block;
  block.heading = word(Word::kScoreHeading, chinese);
  for (const Word w : {Word::kScoreOf, Word::kScore, Word::kStandardError, Word::kInterval, Word::kCount, Word::kFileScore, Word::kUpperBound}) block.columns.push_back(word(w, chinese));
  block.right = {false, true, true, true, true, true, true};
  block.optional = {2, 4};  // standard error, n
  // Means over subjects first; where rows are left out, it is the subjects.
  std::vector<const Document*> order;
  for (const Document& s : scores) order.push_back(&s);
  std::stable_sort(order.begin(), order.end(), [](const Document* a, const Document* b) { return (*a)["subjects"].integer() > (*b)["subjects"].integer(); });
  bool bounded = false;
  for (size_t i = 0; i < std::min(order.size(), kMostScores); ++i) {
    block.rows.push_back(score_row(*order[i], chinese));
    bounded = bounded || (*order[i])["broken"].integer() > 0;
  }
  if (order.size() > kMostScores) block.lines.push_back({grouped(static_cast<int64_t>(order.size() - kMostScores)) + " " + word(Word::kMoreRows, chinese), "", "", Tone::kFaint});
  if (bounded) block.lines.push_back({word(Word::kBoundNote, chinese), "", "", Tone::kFaint});
  blocks->push_back(std::move(block));
}

}  // namespace vaa
