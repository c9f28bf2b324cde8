// AISBench's results/<model>/<ds>.json: its scores, and an index of its details (docs/formats.md).
#pragma once
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "records/id_index.h"
#include "records/random_file.h"
#include "records/reader.h"

namespace vaa {

class AisbenchResults {
 public:
  // Reads the file once; 16 bytes a question stay. What is wrong with it goes to `problems` under the name `shown`.
  AisbenchResults(const std::string& path, const std::string& shown, int64_t max_value, Problems* problems);

  // Every number at the top: "accuracy", "pass@3", …, in the file's order.
  const std::vector<std::pair<std::string, double>>& metrics() const { return metrics_; }
  int64_t questions() const { return questions_; }  // of the details; 0: there are none
  bool by_question() const { return shape_ == Shape::kObject; }

  // Adds score to a sample by its id and repeat. False: the details have no entry for it.
  bool join(Sample* sample);

 private:
  // Details are an object keyed by id, or a list with one entry a question (n > 1). The entries of such a list were seen in two forms: each holds the repeats of its question
  // (kGrouped), or the list is the first answers of all questions, then the second ones, …, cut into pieces of n (kRounds: release 3.1).
  enum class Shape : uint8_t { kNone, kObject, kGrouped, kRounds };
  void read_members(class ByteWindow* window, int64_t max_value, Problems* problems, const std::string& shown);
  void read_object(class ByteWindow* window, int64_t max_value, std::string* fault);
  void read_list(class ByteWindow* window, int64_t max_value, std::string* fault);
  bool find_entry(const Sample& sample, uint64_t* place, size_t* slot) const;

  void infer_equality(Problems* problems, const std::string& shown);

  std::vector<std::pair<std::string, double>> metrics_;
  Shape shape_ = Shape::kNone;
  int64_t questions_ = 0;
  size_t repeats_ = 1;  // of a list
  int64_t equal_ = 0;       // entries without `correct` whose prediction is the reference
  int64_t undecided_ = 0;   // entries without `correct`
  bool by_equality_ = false;
  IdIndex index_;
  RandomFile file_;
  std::string entry_;
};

}  // namespace vaa
