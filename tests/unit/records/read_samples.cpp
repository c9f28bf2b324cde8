#include "read_samples.h"

#include <cJSON.h>
#include <unistd.h>
#include <zlib.h>
#include <zstd.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "catch.h"

namespace vaa_test {

using namespace vaa;

std::string golden_sample(std::string_view name) { return std::string(VAA_GOLDEN) + "/samples/" + std::string(name); }

std::string file_bytes(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  REQUIRE(in.good());
  std::ostringstream out;
  out << in.rdbuf();
  return out.str();
}

TempFile::TempFile(std::string_view name, std::string_view bytes) {
  std::string pattern = (std::filesystem::temp_directory_path() / "vaa-XXXXXX").string();
  REQUIRE(mkdtemp(pattern.data()) != nullptr);
  folder_ = pattern;
  path_ = folder_ + "/" + std::string(name);
  std::ofstream(path_, std::ios::binary).write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
}

TempFile::~TempFile() { std::filesystem::remove_all(folder_); }

std::string gzip(std::string_view bytes) {
  z_stream stream{};
  REQUIRE(deflateInit2(&stream, 6, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY) == Z_OK);
  std::string out(deflateBound(&stream, bytes.size()), '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
  stream.avail_in = static_cast<uInt>(bytes.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  REQUIRE(deflate(&stream, Z_FINISH) == Z_STREAM_END);
  out.resize(stream.total_out);
  deflateEnd(&stream);
  return out;
}

std::string zstd(std::string_view bytes) {
  std::string out(ZSTD_compressBound(bytes.size()), '\0');
  const size_t size = ZSTD_compress(out.data(), out.size(), bytes.data(), bytes.size(), 3);
  REQUIRE_FALSE(ZSTD_isError(size));
  out.resize(size);
  return out;
}

Reading read_input(const std::string& path, const OpenOptions& options) {
  const std::unique_ptr<const Input> input = open_input(path, options);
  const std::unique_ptr<SampleStream> stream = input->open();
  Reading reading;
  reading.format = input->format();
  Sample sample;
  while (stream->next(&sample)) reading.samples.push_back(sample);
  reading.problems = stream->problems();
  return reading;
}

Reading read_bytes(std::string_view bytes, std::string_view name, const OpenOptions& options) {
  const TempFile file(name, bytes);
  return read_input(file.path(), options);
}

namespace {

std::string text_of(const cJSON* object, const char* key) {
  const cJSON* item = cJSON_GetObjectItem(object, key);
  return cJSON_IsString(item) ? item->valuestring : "";
}

void check_sample(const cJSON* expected, const Sample& sample) {
  const cJSON* dataset = cJSON_GetObjectItem(expected, "dataset");
  if (cJSON_IsString(dataset)) CHECK(sample.text(TextField::kDataset) == dataset->valuestring);
  else CHECK_FALSE(sample.has(TextField::kDataset));
  CHECK(sample.text(TextField::kId) == text_of(expected, "id"));
  CHECK(sample.integer(IntField::kRepeat, -1) == cJSON_GetObjectItem(expected, "repeat")->valueint);
  if (const cJSON* line = cJSON_GetObjectItem(expected, "line")) CHECK(sample.integer(IntField::kSourceLine, -1) == line->valueint);
  CHECK(sample.failed() == (cJSON_IsTrue(cJSON_GetObjectItem(expected, "request_failed")) != 0));
  CHECK(sample.text(TextField::kStreamEnd) == (cJSON_GetObjectItem(expected, "stream_end") ? text_of(expected, "stream_end") : std::string(sample.text(TextField::kStreamEnd))));
}

}  // namespace

void check_expected(const std::string& name, const std::string& path) {
  const std::unique_ptr<cJSON, void (*)(cJSON*)> root(cJSON_Parse(file_bytes(golden_sample("expected.json")).c_str()), cJSON_Delete);
  const cJSON* file = cJSON_GetObjectItem(cJSON_GetObjectItem(root.get(), "files"), name.c_str());
  REQUIRE(file != nullptr);
  const Reading reading = read_input(path.empty() ? golden_sample(name) : path);
  INFO(name);
  const std::string format = text_of(file, "format");
  CHECK(reading.format == format);
  CHECK(reading.problems.count == 0);
  const cJSON* count = cJSON_GetObjectItem(file, "count");
  CHECK(static_cast<int>(reading.samples.size()) == cJSON_GetObjectItem(count, "samples")->valueint);
  int failures = 0;
  for (const Sample& sample : reading.samples) {
    failures += sample.failed();
    CHECK(sample.text(TextField::kSourceFormat) == format);
  }
  CHECK(failures == cJSON_GetObjectItem(count, "request_failures")->valueint);
  const cJSON* samples = cJSON_GetObjectItem(file, "samples");
  REQUIRE(cJSON_GetArraySize(samples) == static_cast<int>(reading.samples.size()));
  for (size_t i = 0; i < reading.samples.size(); ++i) {
    INFO("sample " << i);
    check_sample(cJSON_GetArrayItem(samples, static_cast<int>(i)), reading.samples[i]);
  }
}

}  // namespace vaa_test
