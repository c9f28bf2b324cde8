// The pass over an AISBench run: every file of predictions/ in turn, each answer joined with its score, ids and verdict.
#include <algorithm>

#include "records/file_input.h"
#include "records/folder_input.h"
#include "records/readers/aisbench_run.h"

namespace vaa {
namespace {

constexpr size_t kMaxDatasets = 1024;  // whose joins are held at a time

template <class Slots, class Field>
void fill(const Slots& from, Slots* to, std::initializer_list<Field> fields) {
  for (const Field f : fields)
    if (from.has(f) && !to->has(f)) to->put(f) = from.get(f);
}

}  // namespace

void AisbenchStream::set_defaults(const std::string& model) {
  defaults_.clear();
  const std::string sampling = run_.config().sampling_json(model);
  if (!sampling.empty()) {
    JsonReader json(sampling);
    std::string why;
    if (!read_sampling(&json, &defaults_, true, &why)) problems_.note("sampling of the config is not recorded: " + why);
  }
  model_name_ = std::string(member(run_.config().model(model), "model").string());
  if (model_name_.empty()) model_name_ = model;
}

void AisbenchStream::open_file(const AisbenchFile& file) {
  if (!at_ || at_->model != file.model) {
    finish_model();
    set_defaults(file.model);
  }
  at_ = &file;
  if (file.first_part || !file.part) part_offset_ = 0;
  part_samples_ = 0;
  std::optional<Failure> fault;
  auto input = FileInput::open_file(join_path(run_.folder(), file.path), file.path, run_.options(), &fault);
  if (!input) {
    std::string why = fault->message();
    const std::string prefix = join_path(run_.folder(), file.path) + ": ";
    if (starts_with(why, prefix)) why.erase(0, prefix.size());
    problems_.add(file.path, 0, why == "is empty" ? "is empty: no answer of this dataset was written" : "left out: " + why);
    return;
  }
  carried_ = 0;
  file_ = input->open_in_run(&names_);
  input_ = std::move(input);
}

void AisbenchStream::close_file() {
  problems_.take_new(&file_->problems(), &carried_);
  done_ += file_->bytes_done();
  part_offset_ += part_samples_;
  file_.reset();
}

// Questions that were scored and stand neither among the answers nor among the failures.
void AisbenchStream::finish_model() {
  for (const auto& [dataset, joins] : joins_) {
    if (!joins.results || !joins.results->by_question()) continue;
    const int64_t missing = joins.results->questions() - joins.joined;
    if (missing > 0)
      problems_.note(at_->model + "/" + dataset + ": " + std::to_string(missing) + " of " + std::to_string(joins.results->questions()) +
                     " questions that were scored have neither an answer nor an error in predictions/");
  }
  joins_.clear();
  names_ = IdCounts();
}

AisbenchStream::Joins& AisbenchStream::joins(const std::string& dataset) {
  const auto found = joins_.find(dataset);
  if (found != joins_.end()) return found->second;
  if (joins_.size() >= kMaxDatasets) joins_.clear();
  Joins& made = joins_[dataset];
  std::string path = aisbench_results_path(run_.folder(), at_->model, dataset);
  if (path.empty() && dataset != at_->dataset) path = aisbench_results_path(run_.folder(), at_->model, at_->dataset);
  Problems unsaid;  // what is wrong with the results was said when the run was opened
  if (!path.empty()) made.results = std::make_unique<AisbenchResults>(join_path(run_.folder(), path), path, run_.options().max_line, &unsaid);
  const std::string folder = "response_anomaly/" + at_->model;
  if (dataset.find('/') == std::string::npos && is_folder(join_path(run_.folder(), folder)))
    made.anomalies = std::make_unique<AisbenchAnomalies>(join_path(run_.folder(), folder), folder, dataset, run_.options().max_line, &problems_);
  return made;
}

void AisbenchStream::complete(Sample* sample) {
  if (at_->part) {
    const int64_t place = sample->integer(IntField::kSourceLine, 1);  // among the members of its part
    part_samples_ = std::max(part_samples_, place);
    sample->set(TextField::kId, std::to_string(part_offset_ + place - 1));
    sample->set(TextField::kDataset, at_->dataset);
  }
  if (!sample->has(TextField::kModel)) sample->set(TextField::kModel, model_name_);
  fill(defaults_.reals, &sample->reals,
       {RealField::kTemperature, RealField::kTopP, RealField::kMinP, RealField::kRepetitionPenalty, RealField::kPresencePenalty, RealField::kFrequencyPenalty});
  fill(defaults_.ints, &sample->ints, {IntField::kTopK, IntField::kMaxTokens, IntField::kIgnoreEos});
  fill(defaults_.texts, &sample->texts, {TextField::kSeed});
  Joins& with = joins(std::string(sample->text(TextField::kDataset)));
  if (with.results) {
    const bool found = with.results->join(sample);
    with.joined += found && sample->integer(IntField::kRepeat, 0) == 0;
  }
  std::string why;
  if (with.anomalies && !with.anomalies->join(sample, &why))
    problems_.add(std::string(sample->text(TextField::kSourceFile)), sample->integer(IntField::kSourceLine, 0), "its payload cannot be read: " + why);
}

bool AisbenchStream::next(Sample* sample) {
  for (;;) {
    if (file_) {
      if (file_->next(sample)) {
        problems_.take_new(&file_->problems(), &carried_);
        complete(sample);
        return true;
      }
      close_file();
    }
    if (next_ == run_.files().size()) {
      if (at_) finish_model();
      at_ = nullptr;
      sample->clear();
      return false;
    }
    open_file(run_.files()[next_++]);
  }
}

}  // namespace vaa
