// Event streams: lines of any bytes into the reader of openai_sse, and the same bytes as one body of each kind that servers answer with.
#include <cmath>
#include <memory>
#include <string>
#include <string_view>

#include "must.h"
#include "records/format.h"
#include "records/readers/openai_body.h"

using namespace vaa;

namespace vaa {
extern const Format kOpenaiSse;
}

namespace {

void must_be_paired(const Sample& sample, IdsField ids_field, RealsField logprobs_field, IntsField ends_field) {
  if (!sample.has(ids_field)) return;
  VAA_MUST(sample.has(logprobs_field) && sample.has(ends_field));
  const auto& ids = sample.ids.get(ids_field);
  const auto& logprobs = sample.real_lists.get(logprobs_field);
  VAA_MUST(ids.size() == logprobs.size());
  int64_t before = 0;
  for (const int64_t end : sample.int_lists.get(ends_field)) {
    VAA_MUST(end >= before && end <= static_cast<int64_t>(ids.size()));
    for (int64_t i = before + 2; i < end; ++i) VAA_MUST(!(logprobs[static_cast<size_t>(i)] > logprobs[static_cast<size_t>(i) - 1]));
    for (int64_t i = before + 1; i < end; ++i) VAA_MUST(ids[static_cast<size_t>(i)] != ids[static_cast<size_t>(before)]);
    before = end;
  }
  VAA_MUST(before == static_cast<int64_t>(ids.size()));
}

void must_be_sound(const Sample& sample) {
  must_be_paired(sample, IdsField::kOutputTopIds, RealsField::kOutputTopLogprobs, IntsField::kOutputTopEnds);
  must_be_paired(sample, IdsField::kPromptTopIds, RealsField::kPromptTopLogprobs, IntsField::kPromptTopEnds);
  if (sample.has(TextField::kToolCalls)) {
    JsonReader json(sample.text(TextField::kToolCalls));
    VAA_MUST(json.skip() && json.finish());
  }
  if (sample.has(IdsField::kOutputTokenIds)) VAA_MUST(sample.text(TextField::kIdsProvenance) == "engine");
}

// Lines end in LF, CRLF or CR, as the specification has it.
size_t read_stream(std::string_view bytes) {
  OpenOptions options;
  options.max_line = 1 << 16;
  Problems problems;
  const FileContext context{"fuzz.sse", "", "fuzz", &options, &problems};
  const std::unique_ptr<UnitParser> parser = kOpenaiSse.parser(context);
  SampleQueue queue;
  Sample sample;
  std::string why;
  size_t samples = 0;
  int64_t number = 0;
  for (size_t begin = 0; begin < bytes.size();) {
    size_t end = bytes.find_first_of("\r\n", begin);
    end = end == std::string_view::npos ? bytes.size() : end;
    VAA_MUST(parser->parse({bytes.substr(begin, end - begin), {}, ++number}, &queue, &why));
    begin = end + (bytes.substr(end, 2) == "\r\n" ? 2 : 1);
    for (; queue.pop(&sample); ++samples) {
      must_be_sound(sample);
      VAA_MUST(sample.has(TextField::kStreamEnd) && sample.has(TextField::kId) && sample.has(IntField::kRepeat));
      VAA_MUST((sample.text(TextField::kStreamEnd) == "error") == sample.failed() || sample.has(TextField::kFinishReason));
    }
  }
  parser->finish(&queue);
  for (; queue.pop(&sample); ++samples) must_be_sound(sample);
  return samples;
}

void read_bodies(std::string_view bytes) {
  Problems problems;
  SampleQueue queue;
  Sample sample;
  for (const auto make : {openai_reader, sglang_reader, llamacpp_reader, mindie_reader}) {
    const std::unique_ptr<BodyReader> reader = make();
    JsonReader json(bytes);
    std::string why;
    const bool good = reader->read(&json, &queue, &problems, &why);
    if (!good) VAA_MUST(json.failed() || !why.empty());
    while (queue.pop(&sample))
      if (good) must_be_sound(sample);
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  const size_t samples = read_stream(bytes);
  VAA_MUST(samples <= size);
  read_bodies(bytes);
  return 0;
}
