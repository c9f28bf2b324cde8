// Reading records: vaa's readers beside simdjson On-Demand taking the same fields from the same file, one thread, from the page cache.
//   reader_bench [--mb N] [--dir FOLDER] [--only KIND] [--make]     N: megabytes of each kind, default 256; --make: only write the files
#include <chrono>
#include <cstdio>
#include <cstring>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include <simdjson.h>

#include "base/failure.h"
#include "bench_data.h"
#include "records/reader.h"

namespace {

using Clock = std::chrono::steady_clock;
using simdjson::ondemand::object;
using simdjson::ondemand::value;

// What a pass read, so that nothing is optimised away and both sides are seen to have read the same.
struct Seen {
  int64_t samples = 0, text = 0, ids = 0, logprobs = 0;
  double sum = 0;
  bool operator==(const Seen& o) const { return samples == o.samples && text == o.text && ids == o.ids && logprobs == o.logprobs; }
};

double seconds(const std::function<void()>& work) {
  const auto start = Clock::now();
  work();
  return std::chrono::duration<double>(Clock::now() - start).count();
}

Seen read_vaa(const std::string& path) {
  Seen seen;
  const auto input = vaa::open_input(path, {});
  const auto stream = input->open();
  vaa::Sample sample;
  while (sample.clear(), stream->next(&sample)) {
    ++seen.samples;
    seen.text += static_cast<int64_t>(sample.text(vaa::TextField::kOutputText).size());
    if (sample.has(vaa::IdsField::kOutputTokenIds)) seen.ids += static_cast<int64_t>(sample.ids.get(vaa::IdsField::kOutputTokenIds).size());
    if (sample.has(vaa::RealsField::kOutputTopLogprobs))
      for (double v : sample.real_lists.get(vaa::RealsField::kOutputTopLogprobs)) seen.sum += v, ++seen.logprobs;
  }
  return seen;
}

// The fields of an AISBench line, copied as a reader has to.
void peer_aisbench(object line, Seen* seen, std::string* text, std::string* prompt) {
  *text = std::string_view(line["data_abbr"].get_string());
  int64_t id = line["id"].get_int64();
  seen->sum += static_cast<double>(id);
  *text = std::string_view(line["uuid"].get_string());
  for (object message : line["origin_prompt"].get_array()) prompt->assign(std::string_view(message["prompt"].get_string()));
  text->assign(std::string_view(line["prediction"].get_string()));
  seen->text += static_cast<int64_t>(text->size());
  prompt->assign(std::string_view(line["gold"].get_string()));
}

void peer_lm_eval(object line, Seen* seen, std::string* text, std::string* prompt) {
  int64_t id = line["doc_id"].get_int64();
  seen->sum += static_cast<double>(id);
  prompt->assign(std::string_view(line["target"].get_string()));
  for (auto member : line["arguments"].get_object()) {
    object request = member.value().get_object();
    prompt->assign(std::string_view(request["arg_0"].get_string()));
  }
  for (auto repeats : line["resps"].get_array())
    for (auto answer : repeats.get_array()) text->assign(std::string_view(answer.get_string()));
  seen->text += static_cast<int64_t>(text->size());
  for (auto answer : line["filtered_resps"].get_array()) prompt->assign(std::string_view(answer.get_string()));
  prompt->assign(std::string_view(line["filter"].get_string()));
  seen->sum += double(line["exact_match"].get_double());
}

void peer_response(object line, Seen* seen, std::string* text, std::string*) {
  static thread_local std::vector<int32_t> ids, top_ids;
  static thread_local std::vector<double> logprobs, top;
  ids.clear(), top_ids.clear(), logprobs.clear(), top.clear();
  *text = std::string_view(line["id"].get_string());
  for (object choice : line["choices"].get_array()) {
    object message = choice["message"].get_object();
    text->assign(std::string_view(message["content"].get_string()));
    object holder = choice["logprobs"].get_object();
    for (object entry : holder["content"].get_array()) {
      logprobs.push_back(double(entry["logprob"].get_double()));
      for (object other : entry["top_logprobs"].get_array()) {
        const std::string_view token = other["token"].get_string();
        top_ids.push_back(static_cast<int32_t>(std::strtol(token.data() + 9, nullptr, 10)));
        top.push_back(double(other["logprob"].get_double()));
      }
    }
    for (int64_t id : choice["token_ids"].get_array()) ids.push_back(static_cast<int32_t>(id));
  }
  int64_t completion = line["usage"]["completion_tokens"].get_int64();
  seen->sum += static_cast<double>(completion);
  seen->text += static_cast<int64_t>(text->size());
  seen->ids += static_cast<int64_t>(ids.size());
  seen->logprobs += static_cast<int64_t>(top.size());
  for (double v : top) seen->sum += v;
}

Seen read_peer(const std::string& path, const std::string& kind) {
  const auto take = kind == "lm_eval" ? peer_lm_eval : kind == "responses" ? peer_response : peer_aisbench;
  Seen seen;
  simdjson::ondemand::parser parser;
  FILE* file = std::fopen(path.c_str(), "rb");
  std::vector<char> buffer(8 << 20);
  std::string text, prompt;
  size_t filled = 0;
  for (;;) {
    const size_t n = std::fread(buffer.data() + filled, 1, buffer.size() - filled - simdjson::SIMDJSON_PADDING, file);
    filled += n;
    size_t begin = 0;
    while (const char* end = static_cast<const char*>(std::memchr(buffer.data() + begin, '\n', filled - begin))) {
      const size_t size = static_cast<size_t>(end - buffer.data()) - begin;
      auto document = parser.iterate(buffer.data() + begin, size, size + simdjson::SIMDJSON_PADDING);
      take(document.get_object(), &seen, &text, &prompt);
      ++seen.samples;
      begin += size + 1;
    }
    std::memmove(buffer.data(), buffer.data() + begin, filled - begin);
    filled -= begin;
    if (n == 0) break;
  }
  std::fclose(file);
  return seen;
}

}  // namespace

int main(int argc, char** argv) {
  int megabytes = 256;
  std::string folder = "/tmp", only;
  bool make = false;
  for (int i = 1; i < argc; ++i) {
    const std::string option = argv[i];
    if (option == "--mb" && i + 1 < argc) megabytes = std::atoi(argv[++i]);
    else if (option == "--dir" && i + 1 < argc) folder = argv[++i];
    else if (option == "--only" && i + 1 < argc) only = argv[++i];
    else if (option == "--make") make = true;
    else return std::fprintf(stderr, "usage: reader_bench [--mb N] [--dir FOLDER] [--only KIND] [--make]\n"), 2;
  }
  std::printf("%-18s %10s %12s %12s %8s\n", "lines", "bytes", "vaa MB/s", "simdjson", "ratio");
  for (const std::string kind : {"aisbench", "aisbench_escaped", "lm_eval", "responses"}) {
    if (!only.empty() && only != kind) continue;
    const std::string named = folder + (kind == "lm_eval" ? "/samples_gsm8k_2026-08-20T10-15-02.114233" : "/vaa-bench-" + kind) + ".jsonl";
    const int64_t bytes = make_lines(named, kind, megabytes);
    if (make) {
      std::printf("%s\n", named.c_str());
      continue;
    }
    Seen ours, theirs;
    double vaa_s = 1e9, peer_s = 1e9;
    try {
      for (int round = 0; round < 3; ++round) {  // the better of three, turn by turn, so that a busy moment hits both
        vaa_s = std::min(vaa_s, seconds([&] { ours = read_vaa(named); }));
        peer_s = std::min(peer_s, seconds([&] { theirs = read_peer(named, kind); }));
      }
    } catch (const vaa::Failure& failure) {
      return std::fprintf(stderr, "%s\n", failure.what()), 1;
    }
    std::printf("%-18s %10lld %12.0f %12.0f %8.2f%s\n", kind.c_str(), static_cast<long long>(bytes), static_cast<double>(bytes) / vaa_s / 1e6,
                static_cast<double>(bytes) / peer_s / 1e6, peer_s / vaa_s, ours == theirs ? "" : "   (the two did not read the same)");
  }
  return 0;
}
