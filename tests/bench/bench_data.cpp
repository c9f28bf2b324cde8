#include "bench_data.h"

#include <sys/stat.h>

#include <cstdio>
#include <random>
#include <stdexcept>

#include "base/json_writer.h"
#include "text/utf8.h"

namespace {

using Random = std::mt19937_64;

// Prose of about `bytes` bytes: English words, a Chinese sentence one time in eight, a line feed now and then.
std::string prose(Random& random, size_t bytes) {
  static const char* kWords[] = {"the", "jar", "holds", "marbles", "and", "each", "of", "them", "is", "counted", "once", "so", "we", "add", "fourteen", "to", "nine", "which",
                                 "gives", "twenty-three", "before", "Lena", "puts", "five", "more", "blue", "ones", "in", "a", "total", "that", "answer", "must", "be", "checked"};
  static const char* kChinese[] = {"先把两个数加起来，", "再减去已经卖出的部分，", "所以答案是二十八。", "我们再检查一遍这个结果，"};
  std::string text;
  text.reserve(bytes + 64);
  while (text.size() < bytes) {
    if (random() % 64 == 0) {
      for (int i = 0; i < 8; ++i) text += kChinese[random() % 4];
    } else {
      text += kWords[random() % (sizeof kWords / sizeof *kWords)];
      text += random() % 12 == 0 ? (random() % 5 == 0 ? ".\n" : ". ") : " ";
    }
  }
  return text;
}

size_t answer_size(Random& random) { return 600 + random() % 6000; }

// A JSON string with every character outside ASCII as \u escapes, as Python's json writes it by default.
void append_escaped(std::string* out, const std::string& text) {
  out->push_back('"');
  for (size_t at = 0; at < text.size();) {
    const vaa::Utf8Step step = vaa::utf8_step(text, at);
    char hex[16];
    if (step.code >= 0x80) {
      std::snprintf(hex, sizeof hex, "\\u%04x", step.code);
      *out += hex;
    } else if (step.code == '\n') {
      *out += "\\n";
    } else if (step.code == '"' || step.code == '\\') {
      *out += '\\';
      *out += static_cast<char>(step.code);
    } else {
      *out += static_cast<char>(step.code);
    }
    at += step.size;
  }
  out->push_back('"');
}

void aisbench(Random& random, int64_t id, bool escaped, std::string* out) {
  *out += "{\"data_abbr\": \"gsm8k\", \"id\": " + std::to_string(id) + ", \"success\": true, \"uuid\": \"1cde6b765f8071422abb7326057cb9e6\", \"origin_prompt\": [{\"role\": \"HUMAN\", \"prompt\": ";
  // The escaped kind is the case that escapes are about: an answer in Chinese.
  std::string answer = prose(random, answer_size(random));
  if (escaped) {
    answer.clear();
    while (answer.size() < 4000) answer += "我们先把两个数加起来，再减去已经卖出的部分，所以答案是二十八。\n";
  }
  const std::string prompt = prose(random, 400);
  escaped ? append_escaped(out, prompt) : vaa::append_json_string(out, prompt);
  *out += "}], \"prediction\": ";
  escaped ? append_escaped(out, answer) : vaa::append_json_string(out, answer);
  *out += ", \"gold\": \"#### 28\"}\n";
}

void lm_eval(Random& random, int64_t id, std::string* out) {
  *out += "{\"doc_id\": " + std::to_string(id) + ", \"doc\": {\"question\": ";
  const std::string question = prose(random, 300);
  vaa::append_json_string(out, question);
  *out += ", \"answer\": \"#### 28\"}, \"target\": \"#### 28\", \"arguments\": {\"gen_args_0\": {\"arg_0\": ";
  vaa::append_json_string(out, "Question: " + question + "\nAnswer:");
  *out += ", \"arg_1\": {\"until\": [\"Question:\"], \"do_sample\": false, \"temperature\": 0.0}}}, \"resps\": [[";
  vaa::append_json_string(out, prose(random, answer_size(random)));
  *out += "]], \"filtered_resps\": [\"28\"], \"filter\": \"strict-match\", \"metrics\": [\"exact_match\"], \"doc_hash\": \"aa\", \"prompt_hash\": \"bb\", \"target_hash\": \"cc\", \"exact_match\": 1.0}\n";
}

void response(Random& random, int64_t id, std::string* out) {
  const int tokens = 200 + static_cast<int>(random() % 1500);
  *out += "{\"id\":\"chatcmpl-" + std::to_string(id) + "\",\"object\":\"chat.completion\",\"created\":1787220000,\"model\":\"toy-8b\",\"choices\":[{\"index\":0,\"message\":{\"role\":\"assistant\",\"content\":";
  vaa::append_json_string(out, prose(random, static_cast<size_t>(tokens) * 4));
  *out += "},\"logprobs\":{\"content\":[";
  std::string ids;
  char item[128];
  for (int i = 0; i < tokens; ++i) {
    const int token = static_cast<int>(random() % 129280);
    ids += (i ? "," : "") + std::to_string(token);
    const double logprob = -static_cast<double>(random() % 1000000007) / 2e9;
    std::snprintf(item, sizeof item, "%s{\"token\":\"token_id:%d\",\"logprob\":%.17g,\"bytes\":[50,56],\"top_logprobs\":[", i ? "," : "", token, logprob);
    *out += item;
    for (int k = 0; k < 5; ++k) {
      std::snprintf(item, sizeof item, "%s{\"token\":\"token_id:%d\",\"logprob\":%.17g,\"bytes\":[116]}", k ? "," : "", k ? (token + k * 7) % 129280 : token, logprob - k * 1.37);
      *out += item;
    }
    *out += "]}";
  }
  *out += "]},\"finish_reason\":\"stop\",\"stop_reason\":null,\"token_ids\":[" + ids + "]}],\"usage\":{\"prompt_tokens\":40,\"completion_tokens\":" + std::to_string(tokens) +
          ",\"total_tokens\":" + std::to_string(tokens + 40) + "}}\n";
}

}  // namespace

int64_t make_lines(const std::string& path, const std::string& kind, int megabytes) {
  const int64_t want = static_cast<int64_t>(megabytes) << 20;
  struct stat info {};
  if (stat(path.c_str(), &info) == 0 && info.st_size >= want && info.st_size < want + (8 << 20)) return info.st_size;
  FILE* file = std::fopen(path.c_str(), "wb");
  if (!file) throw std::runtime_error(path + ": cannot write");
  Random random(20260820);
  int64_t written = 0;
  std::string line;
  for (int64_t id = 0; written < want; ++id) {
    line.clear();
    if (kind == "lm_eval") lm_eval(random, id, &line);
    else if (kind == "responses") response(random, id, &line);
    else aisbench(random, id, kind == "aisbench_escaped", &line);
    std::fwrite(line.data(), 1, line.size(), file);
    written += static_cast<int64_t>(line.size());
  }
  std::fclose(file);
  return written;
}
