// Megabytes of answers a second of one core's time: all detectors, loops and Unicode only, the loop test on ids; then `vaa check` of a file beside what it is made of.
//   detector_bench [--only WORDS] [FILE…]            FILE: answers that vaa reads; their first 64 MB are judged beside the made ones
//   detector_bench --check FILE [--threads N]        FILE is made where it is not there: 1 GB of records, three English answers to a Chinese one
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

#include "base/failure.h"
#include "base/json_writer.h"
#include "bench_text.h"
#include "cpu_clock.h"
#include "quality/check_run.h"
#include "quality/checker.h"
#include "records/reader.h"

namespace {

using Clock = std::chrono::steady_clock;
constexpr size_t kBytes = 16 << 20;
constexpr int kRounds = 5;
constexpr const char* kLoopsAndUnicode = R"({"flags":["repetition_loop","replacement_char","control_char","invalid_unicode"]})";

struct Answers {
  std::vector<vaa::Sample> samples;
  size_t bytes = 0;
  void add(std::string_view text, std::string_view prompt) {
    vaa::Sample& sample = samples.emplace_back();
    sample.set(vaa::TextField::kOutputText, text);
    sample.set(vaa::TextField::kPromptText, prompt);
    sample.set(vaa::TextField::kFinishReason, "stop");
    bytes += text.size();
  }
};

Answers made(std::string (*prose)(std::mt19937_64&, size_t), size_t low, size_t high) {
  std::mt19937_64 random(20260820);
  Answers out;
  while (out.bytes < kBytes) out.add(prose(random, low + random() % (high - low + 1)), prose(random, 300));
  return out;
}

Answers read(const std::string& path) {
  Answers out;
  const auto input = vaa::open_input(path, {});
  const auto stream = input->open();
  vaa::Sample sample;
  while (sample.clear(), out.bytes < 4 * kBytes && stream->next(&sample)) {
    out.bytes += sample.text(vaa::TextField::kOutputText).size() + sample.text(vaa::TextField::kOutputReasoning).size();
    out.samples.push_back(sample);
  }
  return out;
}

struct Flagged {
  size_t answers = 0;  // with a finding of severity fail or warn
  uint64_t flags = 0;  // of all of them
};

// Seconds of one core in a pass, the best of some.
double pass(const std::vector<vaa::Sample>& samples, const char* options, Flagged* flagged) {
  const vaa::Checker checker(options, nullptr);
  const auto scratch = checker.new_scratch();
  vaa::Judgement judgement;
  double best = 1e9;
  for (int round = 0; round < kRounds; ++round) {
    *flagged = {};
    const double start = cpu_seconds();
    for (const vaa::Sample& sample : samples) {
      checker.judge(sample, scratch.get(), &judgement);
      flagged->answers += judgement.alarm != 0;
      flagged->flags |= judgement.alarm;
    }
    best = std::min(best, cpu_seconds() - start);
  }
  return best;
}

void bench(const std::string& name, const Answers& answers) {
  Flagged flagged, ignored;
  const double all = pass(answers.samples, "", &flagged), some = pass(answers.samples, kLoopsAndUnicode, &ignored);
  const auto bytes = static_cast<double>(answers.bytes);
  std::printf("| %s | %zu | %.0f | %.0f | %zu", name.c_str(), answers.samples.size(), bytes / all / 1e6, bytes / some / 1e6, flagged.answers);
  for (size_t flag = 0; flag < vaa::detector_table().size(); ++flag)
    if (flagged.flags >> flag & 1) std::printf(" %s", vaa::detector_table()[flag]->name);
  std::printf(" |\n");
  std::fflush(stdout);
}

void bench_ids(size_t length, int32_t vocabulary) {
  std::mt19937_64 random(1);
  std::vector<vaa::Sample> samples(std::max<size_t>(1, 8'000'000 / length));
  for (vaa::Sample& sample : samples) {
    std::vector<int32_t>& ids = sample.ids.put(vaa::IdsField::kOutputTokenIds);
    ids.resize(length);
    // Frequencies of real tokens are far from even: Zipf.
    for (int32_t& id : ids) id = static_cast<int32_t>(std::pow(static_cast<double>(vocabulary), static_cast<double>(random() >> 11) * 0x1p-53));
    sample.set(vaa::TextField::kFinishReason, "stop");
  }
  Flagged flagged;
  const double loops = pass(samples, R"({"flags":["repetition_loop"]})", &flagged), all = pass(samples, "", &flagged);
  const auto count = static_cast<double>(length * samples.size());
  std::printf("| %zu ids of %d | %zu | %.0f | %.0f |\n", length, vocabulary, samples.size(), count / loops / 1e6, count / all / 1e6);
}

void make_records(const std::string& path) {
  constexpr size_t kSize = size_t{1} << 30;
  FILE* file = std::fopen(path.c_str(), "wb");
  if (!file) vaa::fail(VAA_ERROR_IO, path + ": cannot write");
  std::mt19937_64 random(20260820);
  std::string line;
  for (size_t written = 0, id = 0; written < kSize; ++id, written += line.size()) {
    const auto prose = id % 4 == 3 ? chinese_prose : english_prose;
    line = R"({"schema":"vaa.record/1","id":")" + std::to_string(id) + R"(","dataset":"made","prompt":{"text":)";
    vaa::append_json_string(&line, prose(random, 300));
    line += R"(},"output":{"text":)";
    vaa::append_json_string(&line, prose(random, (1 << 10) + random() % (7 << 10)));
    line += R"(},"finish_reason":"stop"})" "\n";
    std::fwrite(line.data(), 1, line.size(), file);
  }
  std::fclose(file);
}

// File to report, beside the reader alone and the detectors alone on the same samples; all in bytes of the file. On one thread in its processor time, else by the clock.
void bench_check(const std::string& path, int threads) {
  const vaa::Checker checker("", nullptr);
  double check = 1e9, reader = 1e9;
  size_t bytes = 0;
  Flagged flagged;
  if (!std::filesystem::exists(path)) make_records(path);
  bytes = std::filesystem::file_size(path);
  const Answers some = read(path);
  size_t all_text = 0;
  for (int round = 0; round < 2; ++round) {
    const auto input = vaa::open_input(path, {});
    const auto now = [&] { return threads == 1 ? cpu_seconds(CLOCK_PROCESS_CPUTIME_ID) : std::chrono::duration<double>(Clock::now().time_since_epoch()).count(); };
    double start = now();
    vaa::CheckRunOptions options;
    options.threads = threads;
    vaa::check_run(checker, *input, path, options, nullptr);
    check = std::min(check, now() - start);
    start = now();
    const auto stream = input->open();
    vaa::Sample sample;
    all_text = 0;
    while (sample.clear(), stream->next(&sample)) all_text += sample.text(vaa::TextField::kOutputText).size() + sample.text(vaa::TextField::kOutputReasoning).size();
    reader = std::min(reader, now() - start);
  }
  const double judge_text = static_cast<double>(some.bytes) / pass(some.samples, "", &flagged);
  const double judge = judge_text * static_cast<double>(bytes) / static_cast<double>(all_text) * threads;  // the same time, in bytes of the file
  const double read_rate = static_cast<double>(bytes) / reader, check_rate = static_cast<double>(bytes) / check;
  std::printf("\n%s: %zu MB, %d threads: check %.0f MB/s, reader %.0f MB/s, detectors x threads %.0f MB/s; check / min = %.2f\n", path.c_str(), bytes >> 20, threads, check_rate / 1e6,
              read_rate / 1e6, judge / 1e6, check_rate / std::min(read_rate, judge));
}

}  // namespace

int main(int argc, char** argv) try {
  std::string checked, only;
  std::vector<std::string> files;
  int threads = 1;
  for (int i = 1; i < argc; ++i) {
    const std::string option = argv[i];
    if (option == "--check" && i + 1 < argc) checked = argv[++i];
    else if (option == "--only" && i + 1 < argc) only = argv[++i];
    else if (option == "--threads" && i + 1 < argc) threads = std::max(1, std::atoi(argv[++i]));
    else if (option.empty() || option[0] == '-') return std::fprintf(stderr, "usage: detector_bench [--only WORDS] [FILE...] | --check FILE [--threads N]\n"), 2;
    else files.push_back(option);
  }
  if (!checked.empty()) return bench_check(checked, threads), 0;
  std::printf("| answers | number | all detectors, MB/s a core | loops and Unicode, MB/s | flagged |\n|---|---:|---:|---:|---:|\n");
  const struct {
    const char* name;
    std::string (*prose)(std::mt19937_64&, size_t);
    size_t low, high;
  } kMade[] = {{"English, made, 1 to 8 KB", english_prose, 1 << 10, 8 << 10},
               {"English, made, 128 KB", english_prose, 128 << 10, 128 << 10},
               {"Chinese, made, 1 to 8 KB", chinese_prose, 1 << 10, 8 << 10},
               {"Chinese, made, 128 KB", chinese_prose, 128 << 10, 128 << 10}};
  for (const auto& kind : kMade)
    if (std::string(kind.name).find(only) != std::string::npos) bench(kind.name, made(kind.prose, kind.low, kind.high));
  for (const std::string& path : files) bench(path.substr(path.rfind('/') + 1), read(path));
  if (!only.empty()) return 0;
  std::printf("\n| ids | number | the loop test, M ids/s a core | all detectors, M ids/s |\n|---|---:|---:|---:|\n");
  for (const size_t length : {1000, 32000}) bench_ids(length, 129280);
  return 0;
} catch (const vaa::Failure& failure) {
  return std::fprintf(stderr, "%s\n", failure.what()), 1;
}
