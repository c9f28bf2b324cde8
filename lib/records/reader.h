// What a format is: one file in readers/ that defines a Format, and one line in readers/format_table.cpp.
#pragma once
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "records/sample.h"

namespace vaa {

class Task;

// What could not be read, or was left out: a finding about the input. The first 100 are kept, all are counted.
struct Problem {
  std::string file;
  int64_t line = 0;  // from 1; 0: the file as a whole
  std::string message;
};
struct Problems {
  static constexpr size_t kKept = 100;
  int64_t count = 0;
  std::vector<Problem> first;
  // Facts about the whole input that a person should know, each once: "alternatives have no ids and stay out".
  std::vector<std::string> notes;
  void add(std::string file, int64_t line, std::string message);
  void note(std::string text);
  // What `from` met since the last call; *taken counts what was taken of it, 0 at first. Its notes are moved.
  void take_new(Problems* from, int64_t* taken);
};

// Scores that a framework's own files give, for the account ("accuracy" of gsm8k: 60.0 of n = 10).
struct TaskScore {
  std::string dataset, metric;
  double value = 0;
  int64_t n = 0;         // questions; 0: not known
  bool percent = false;  // value counts to 100, not to 1
  std::string mean_of_subjects;  // group name where the value is the mean over subjects
};

// The run header (vaa.run/1) as JSON, and the scores of its tasks.
struct RunHeader {
  std::string json;
  std::vector<TaskScore> scores;
  std::string add_scores_command;  // the framework's command that adds per-sample scores; "" where they are there
};

// One pass. next() fills the sample (cleared before) and returns false at the end. Bad lines go to problems(); the pass goes on.
class SampleStream {
 public:
  virtual ~SampleStream() = default;
  virtual bool next(Sample* sample) = 0;
  virtual int64_t bytes_done() const = 0;
  // A read that waits (for a pipe) ends in VAA_ERROR_CANCELLED when the task is cancelled. The task must outlive the stream.
  virtual void watch(const Task*) {}
  Problems& problems() { return problems_; }
  const Problems& problems() const { return problems_; }

 protected:
  Problems problems_;
};

struct OpenOptions {
  std::string format;  // "" : by content
  std::string text_field, id_field, prompt_field, finish_reason_field, gold_field;
  int64_t max_line = int64_t{256} << 20;
};

// An input that was recognised: const, holds no position.
class Input {
 public:
  virtual ~Input() = default;
  virtual std::unique_ptr<SampleStream> open() const = 0;
  virtual int64_t bytes_total() const = 0;  // 0: not known
  virtual std::string_view format() const = 0;
  const RunHeader& header() const { return header_; }
  const Problems& problems() const { return problems_; }  // met while opening (files of a folder that are of another kind, …)

 protected:
  RunHeader header_;
  Problems problems_;
};

// Recognises a file or folder and describes it. Throws Failure: VAA_ERROR_NOT_FOUND, VAA_ERROR_IO, VAA_ERROR_UNSUPPORTED, VAA_ERROR_FORMAT.
std::unique_ptr<const Input> open_input(const std::string& path, const OpenOptions& options);

// For `vaa formats` and the docs.
struct FormatInfo {
  const char* name;
  const char* title;
  const char* files;
  const char* found_by;
};
std::vector<FormatInfo> known_formats();

}  // namespace vaa
