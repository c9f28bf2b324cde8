#include "quality/report_parts.h"

#include <algorithm>

#include "quality/excerpt.h"
#include "quality/without_text.h"

namespace vaa {
namespace {

// Of the places that a flag leads to: answers that may belong there and stand further down.
void append_unknown(JsonWriter* json, const Account& account, std::initializer_list<AccountPlace> places) {
  json->key("unknown").begin_object();
  for (const AccountPlace place : places) json->member(place_info(place).name, account.unknown[static_cast<size_t>(place)]);
  json->end_object();
}

void append_places(JsonWriter* json, const char* key, const Account& account) {
  json->key(key).begin_object().member("total", account.total()).member("broken", account.broken());
  for (int place = 0; place < kPlaceCount; ++place) json->member(place_info(place).name, account.places[static_cast<size_t>(place)]);
  json->key("cut_of_which").begin_object().member("looping", account.cut_looping).member("unclosed", account.cut_unclosed);
  json->member("suspected", account.cut_suspected).end_object();
  json->key("well_formed_of_which").begin_object().member("no_final_answer", account.unfinished).member("cut_unknown", account.cut_unknown).end_object();
  append_unknown(json, account, {kPlaceEmpty, kPlaceCut, kPlaceLooping, kPlaceUnclosed, kPlaceGarbled, kPlaceNotExtracted});
  json->end_object();
}

// What matters of right answers: those that are right in spite of it.
void append_right(JsonWriter* json, const Account& account) {
  const int64_t cut = account.places[kPlaceCut], unclosed = account.places[kPlaceUnclosed];
  const int64_t flagged = account.broken() - cut - unclosed + account.flagged;
  json->key("right").begin_object().member("total", account.total()).member("cut", cut).member("unclosed", unclosed);
  json->member("plain", account.total() - cut - unclosed).member("plain_flagged", flagged);
  append_unknown(json, account, {kPlaceCut, kPlaceUnclosed});
  json->end_object();
}

void append_accounts(JsonWriter* json, const Account& right, const Account& wrong, const Account& unscored) {
  append_places(json, "wrong", wrong);
  append_right(json, right);
  append_places(json, "unscored", unscored);
}

// Those that were found in it.
void append_flags(JsonWriter* json, const std::vector<FlagCounts>& flags) {
  json->key("flags").begin_array();
  for (size_t i = 0; i < flags.size(); ++i) {
    if (flags[i].found == 0) continue;
    json->begin_object().member("flag", detector_table()[i]->name).member("n", flags[i].tested).member("k", flags[i].counted).member("found", flags[i].found).end_object();
  }
  json->end_array();
}

}  // namespace

std::vector<DatasetRow> dataset_rows(const Tally::State& state, const RunView& view, const MissingQuestions& missing, const InputFacts& facts) {
  std::vector<DatasetRow> rows;
  for (size_t i = 0; i < state.datasets.size(); ++i) {
    const DatasetTally& d = state.datasets[i];
    rows.push_back({&d, view.question_count(i), missing.of_dataset[i], d.right, d.wrong, d.open});
    if (!d.has_scores()) {
      rows.back().unscored.add(d.right);
      rows.back().unscored.add(d.wrong);
      rows.back().right = rows.back().wrong = {};
    }
    if (!counts_failed_as_wrong(d, facts.format)) continue;
    rows.back().wrong.places[kPlaceFailed] += d.failed_unscored;
    rows.back().unscored.places[kPlaceFailed] -= d.failed_unscored;
  }
  const auto end = rows.size() > kMaxDatasets ? rows.end() - 1 : rows.end();
  std::sort(rows.begin(), end, [](const DatasetRow& a, const DatasetRow& b) { return a.counts->name < b.counts->name; });
  return rows;
}

void append_account(JsonWriter* json, const std::vector<DatasetRow>& datasets) {
  Account right, wrong, unscored;
  for (const DatasetRow& row : datasets) {
    right.add(row.right);
    wrong.add(row.wrong);
    unscored.add(row.unscored);
  }
  json->key("account").begin_object();
  append_accounts(json, right, wrong, unscored);
  json->key("places").begin_array();
  for (int place = 0; place < kPlaceCount; ++place) {
    const PlaceInfo& info = place_info(place);
    json->begin_object().member("name", info.name).key("title").begin_object().member("en", info.title.en).member("zh", info.title.zh).end_object().end_object();
  }
  json->end_array().key("datasets").begin_array();
  for (const DatasetRow& row : datasets) {
    json->begin_object().member("dataset", row.counts->name).member("samples", row.counts->samples).member("questions", row.questions);
    json->member("failed", row.counts->failed).member("missing", row.missing).member("with_output", row.counts->with_output);
    append_accounts(json, row.right, row.wrong, row.unscored);
    append_flags(json, row.counts->flags);
    json->end_object();
  }
  json->end_array().end_object();
}

Table dataset_table(const std::vector<DatasetRow>& datasets) {
  static constexpr const char* kNames[] = {"samples", "questions", "failed", "missing", "with_output", "right", "wrong", "wrong_broken", "unscored"};
  Table table{"datasets", {}};
  for (const char* name : kNames) table.columns.push_back({name, {}});
  for (const DatasetRow& row : datasets) {
    const int64_t values[] = {row.counts->samples, row.questions, row.counts->failed, row.missing, row.counts->with_output, row.right.total(), row.wrong.total(), row.wrong.broken(), row.unscored.total()};
    for (size_t i = 0; i < table.columns.size(); ++i) table.columns[i].values.push_back(static_cast<double>(values[i]));
  }
  return table;
}

void append_scores(JsonWriter* json, const std::vector<ScoreRow>& scores) {
  json->key("score").begin_array();
  for (const ScoreRow& row : scores) {
    json->begin_object().member("dataset", bounded(row.dataset, kMaxName)).member("metric", bounded(row.metric, kMaxName));
    json->member("from", row.of_samples ? "samples" : "file").member("share", row.share).member("value", row.value).member("error", row.error);
    json->member("lower", row.lower).member("upper", row.upper).member("if_broken_were_right", row.bound).member("broken", row.broken);
    json->member("n", row.n).member("questions", row.questions).member("subjects", row.subjects);
    json->key("file").begin_object().member("value", row.file_value).member("n", row.file_n).end_object();
    json->key("equals_file");
    !row.of_samples || std::isnan(row.file_value) ? json->null() : json->boolean(!row.differs);
    json->end_object();
  }
  json->end_array();
}

void append_errors(JsonWriter* json, const Tally::State& state) {
  std::vector<const ErrorKind*> kinds;
  for (const ErrorKind& kind : state.errors) kinds.push_back(&kind);
  std::sort(kinds.begin(), kinds.end(), [](const ErrorKind* a, const ErrorKind* b) { return std::tie(b->count, a->message, a->type) < std::tie(a->count, b->message, b->type); });
  json->key("errors").begin_object().member("count", state.failed).key("kinds").begin_array();
  for (const ErrorKind* kind : kinds) {
    json->begin_object().member("count", kind->count).key("status");
    kind->status < 0 ? json->null() : json->integer(kind->status);
    if (state.options.text) json->member("message", kind->message).member("type", kind->type);
    json->end_object();
  }
  json->end_array().member("of_further_kinds", state.errors_left_out).end_object();
}

void append_problems(JsonWriter* json, const Tally::State& state, const InputFacts& facts) {
  int64_t count = 0;
  json->key("problems").begin_object().key("first").begin_array();
  for (const Problems* problems : {facts.opening, facts.reading}) {
    if (!problems) continue;
    count += problems->count;
    for (const Problem& p : problems->first) {
      const bool text = state.options.text;
      json->begin_object().member("file", bounded(text ? p.file : base_name(p.file), 4 * kMaxName)).member("line", p.line);
      // A message may quote the input.
      if (text) json->member("message", bounded(p.message, 4 * kMaxName));
      json->end_object();
    }
  }
  json->end_array().member("count", count).end_object();
  json->key("notes").begin_array();
  for (const Problems* problems : {facts.opening, facts.reading}) {
    if (!problems || !state.options.text) continue;  // notes name files and may quote, too
    for (const std::string& note : problems->notes) json->string(bounded(note, 4 * kMaxName));
  }
  json->end_array();
}

}  // namespace vaa
