#include "capture/rungs.h"

#include <algorithm>
#include <memory>
#include <queue>
#include <set>

#include "capture/draw_order.h"
#include "capture/flag_judge.h"
#include "capture/reencode.h"
#include "capture/sample_fields.h"

namespace vaa::capture {
namespace {

constexpr size_t kProblems = 10;

class Reader {
 public:
  Reader(const PassageChoice& choice, Reencoder* reencoder, PassageCounts* counts) : choice_(choice), reencoder_(reencoder), counts_(counts) {
    if (!choice.flag.empty()) judge_ = std::make_unique<FlagJudge>(choice.flag);
  }

  void take(const vaa_sample* sample) {
    ++counts_->samples;
    if (vaa_sample_has(sample, VAA_FIELD_ERROR_MESSAGE)) {
      ++counts_->failed;
      return;
    }
    Passage passage;
    passage.id = text_field(sample, VAA_FIELD_ID);
    passage.dataset = text_field(sample, VAA_FIELD_DATASET);
    passage.repeat = integer_field(sample, VAA_FIELD_REPEAT, 0);
    if (!chosen(passage) || (judge_ && !judge_->has(sample))) {
      ++counts_->not_chosen;
      return;
    }
    if (!fill(sample, &passage)) return;
    if (passage.size() < choice_.shortest) {
      ++counts_->too_short;
      return;
    }
    ++counts_->usable;
    counts_->reencoded += passage.output_reencoded;
    counts_->reencoded_prompts += passage.prompt_reencoded;
    keep(std::move(passage));
  }

  std::vector<Passage> finish() {
    for (const std::string& id : choice_.ids) {
      if (!seen_.count(id)) problem("ids: " + quoted(id) + " is not in the run");
    }
    std::sort(kept_.begin(), kept_.end(), [](const Kept& a, const Kept& b) { return a.place < b.place; });
    std::vector<Passage> passages;
    for (Kept& kept : kept_) passages.push_back(std::move(kept.passage));
    return passages;
  }

 private:
  struct Kept {
    uint64_t draw;
    int64_t place;
    Passage passage;
    bool operator<(const Kept& other) const { return draw != other.draw ? draw < other.draw : place < other.place; }
  };

  bool chosen(const Passage& passage) {
    if (choice_.ids.empty()) return true;
    bool found = false;
    for (const std::string& name : {passage.id, passage.dataset + "/" + passage.id}) {
      if (std::find(choice_.ids.begin(), choice_.ids.end(), name) == choice_.ids.end()) continue;
      seen_.insert(name);
      found = true;
    }
    return found;
  }

  bool fill(const vaa_sample* sample, Passage* passage) {
    const bool prompt = vaa_sample_has(sample, VAA_FIELD_PROMPT_TOKEN_IDS), output = vaa_sample_has(sample, VAA_FIELD_OUTPUT_TOKEN_IDS);
    counts_->without_prompt_ids += !prompt;
    counts_->without_output_ids += !output;
    if (prompt) passage->ids = ids_field(sample, VAA_FIELD_PROMPT_TOKEN_IDS);
    std::vector<int32_t> said = ids_field(sample, VAA_FIELD_OUTPUT_TOKEN_IDS);
    if (!prompt || !output) {
      if (!reencoder_) return false;
      std::string why;
      if ((!prompt && !reencoder_->prompt(sample, &passage->ids, &why)) || (!output && !reencoder_->output(sample, &said, &why))) {
        problem((passage->dataset.empty() ? "" : passage->dataset + "/") + passage->id + ": " + why);
        return false;
      }
    }
    passage->prompt_reencoded = !prompt;
    // A run whose output ids were encoded again by whoever wrote it says so itself.
    passage->output_reencoded = !output || text_field(sample, VAA_FIELD_IDS_PROVENANCE) == "reencoded";
    passage->prompt_tokens = passage->size();
    passage->ids.insert(passage->ids.end(), said.begin(), said.end());
    passage->logprobs = reals_field(sample, VAA_FIELD_OUTPUT_LOGPROBS);
    if (passage->logprobs.size() != said.size()) passage->logprobs.clear();
    return true;
  }

  // Of a drawn sample the `sample` with the smallest hashes: a heap with the largest on top.
  void keep(Passage passage) {
    kept_.push_back({draw_order(choice_.seed, passage.dataset, passage.id, passage.repeat), counts_->usable, std::move(passage)});
    if (choice_.sample == 0) return;
    std::push_heap(kept_.begin(), kept_.end());
    if (static_cast<int64_t>(kept_.size()) <= choice_.sample) return;
    std::pop_heap(kept_.begin(), kept_.end());
    kept_.pop_back();
  }

  void problem(std::string words) {
    if (counts_->problems.size() < kProblems) counts_->problems.push_back(std::move(words));
  }

  const PassageChoice& choice_;
  Reencoder* reencoder_;
  PassageCounts* counts_;
  std::unique_ptr<FlagJudge> judge_;
  std::set<std::string> seen_;  // of choice_.ids
  std::vector<Kept> kept_;
};

[[noreturn]] void fail_without(const std::string& run, const PassageChoice& choice, const PassageCounts& counts, bool reencoder) {
  const int64_t answers = counts.samples - counts.failed - counts.not_chosen;
  std::string said = run + ": ";
  if (counts.samples == 0) {
    said += "holds no sample";
  } else if (answers == 0) {
    said += "none of its " + std::to_string(counts.samples) + " samples is an answer that was chosen (" + std::to_string(counts.failed) + " failed requests, " + std::to_string(counts.not_chosen) + " not chosen by flag or ids)";
  } else if (counts.too_short > 0) {
    said += "no answer is as long as " + std::to_string(choice.shortest) + " ids with its prompt (" + std::to_string(counts.too_short) + " are shorter)";
  } else {
    said += "no answer can be cut by its ids: of " + std::to_string(answers) + ", " + std::to_string(counts.without_prompt_ids) + " have no prompt.token_ids and " + std::to_string(counts.without_output_ids) +
            " no output.token_ids. `vaa ask --from " + run + " --url URL --out NEW.jsonl` asks again and records them (vLLM and vLLM-Ascend return them since 0.10.2, for return_token_ids in the request; llama.cpp beside logprobs)";
    said += reencoder ? "; they could not be encoded again either" : "; or reencode takes them from the server's /tokenize and marks them so";
  }
  for (const std::string& problem : counts.problems) said += "; " + problem;
  fail(VAA_ERROR_FORMAT, said);
}

}  // namespace

std::vector<Passage> read_passages(const std::string& run, const PassageChoice& choice, Reencoder* reencoder, const vaa_task* task, PassageCounts* counts) {
  *counts = PassageCounts();
  vaa_records* records = nullptr;
  must([&](vaa_error** err) { return vaa_records_open(border(run), vaa_str{"", 0}, &records, err); });
  const OwnedRecords own_records(records);
  vaa_cursor* cursor = nullptr;
  must([&](vaa_error** err) { return vaa_cursor_new(records, &cursor, err); });
  const OwnedCursor own_cursor(cursor);
  const OwnedSample sample = new_sample();
  Reader reader(choice, reencoder, counts);
  for (int32_t more = 1;;) {
    if (vaa_task_cancelled(task)) fail(VAA_ERROR_CANCELLED, "cancelled");
    must([&](vaa_error** err) { return vaa_cursor_next(cursor, sample.get(), &more, err); });
    if (!more) break;
    reader.take(sample.get());
  }
  std::vector<Passage> passages = reader.finish();
  if (passages.empty()) fail_without(run, choice, *counts, reencoder != nullptr);
  return passages;
}

}  // namespace vaa::capture
