// A file of any bytes, as `vaa check FILE` opens it: found by content, read to its end, every sample written as a record and read back.
#include <cstdint>
#include <string>
#include <string_view>

#include "base/failure.h"
#include "memory_file.h"
#include "must.h"
#include "records/reader.h"

using namespace vaa;

namespace {

void must_read_back(const Sample& sample) {
  std::string once, twice, thrice, why;
  append_record(&once, sample);
  VAA_MUST(once.find('\n') == std::string::npos);
  Sample again;
  if (!read_record(once, &again, &why)) {
    // Counts below 0 are kept as a server gave them, and refused in a record.
    VAA_MUST(why.find("must be at least 0") != std::string::npos);
    return;
  }
  append_record(&twice, again);
  VAA_MUST(read_record(twice, &again, &why));
  append_record(&thrice, again);
  VAA_MUST(twice == thrice);  // the first may hold a number that JSON has none for, which becomes null
}

void read_all(const Input& input) {
  const auto stream = input.open();
  Sample sample;
  while (stream->next(&sample)) {
    VAA_MUST(sample.has(TextField::kId) && sample.has(IntField::kRepeat));
    VAA_MUST(sample.has(TextField::kSourceFormat) && sample.has(TextField::kSourceFile) && sample.has(IntField::kSourceLine));
    must_read_back(sample);
  }
  VAA_MUST(!stream->next(&sample));
  const Problems& problems = stream->problems();
  VAA_MUST(problems.count >= static_cast<int64_t>(problems.first.size()));
  for (const Problem& problem : problems.first) VAA_MUST(!problem.message.empty());
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const MemoryFile file({reinterpret_cast<const char*>(data), size});
  OpenOptions options;
  options.max_line = size % 2 == 0 ? 1 << 20 : 1024;
  if (size % 3 == 0) options.text_field = "text";
  try {
    read_all(*open_input(file.path(), options));
  } catch (const Failure& failure) {
    VAA_MUST(failure.status() == VAA_ERROR_FORMAT || failure.status() == VAA_ERROR_UNSUPPORTED);
    VAA_MUST(!failure.message().empty());
  }
  return 0;
}
