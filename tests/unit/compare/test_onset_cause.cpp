// What an onset in (lo, hi] is laid to: numbers of the headers, multiples of their blocks, common limits. Expected by hand.
#include "compare/onset_cause.h"
#include "made_evidence.h"

using namespace vaa;

namespace {

OnsetCause cause(const std::string& header, int64_t lo, int64_t hi, const std::string& of_reference = "") {
  Sides sides;
  sides.reference.header = of_reference;
  sides.target.header = header;
  const ComparisonView view{sides.reference, sides.target, sides.pairing, find_margins("version")};
  return onset_cause(view, lo, hi);
}
std::string run(const std::string& members) { return R"({"schema": "vaa.run/1", )" + members + "}"; }

}  // namespace

TEST_CASE("onset cause: a limit that a header records is named by its path", "[compare]") {
  CHECK(cause(run(R"("engine": {"max_model_len": 8192})"), 8000, 8200).words.en == "8,192, engine.max_model_len, lies in it");
  CHECK(cause(run(R"("model": {"max_length": 8192})"), 8000, 8200).words.en == "8,192, model.max_length, lies in it");  // as `vaa ask` writes it
  const std::string rope = run(R"("model": {"rope_scaling": {"factor": 4, "original_max_position_embeddings": 4096}})");
  const OnsetCause found = cause(rope, 4000, 4160);
  CHECK(found.words.en == "4,096, model.rope_scaling.original_max_position_embeddings, lies in it");
  CHECK(found.words.zh == "其中包含 4,096（model.rope_scaling.original_max_position_embeddings）");
  CHECK_FALSE(found.block);
  CHECK(cause("", 4000, 4160, rope).words.en == found.words.en);  // of either run
  CHECK(cause(run(R"("sampling_defaults": {"max_length": 8000})"), 7990, 8001).words.en.find("max_length") == std::string::npos);  // a limit of answers, no position of the model
}

TEST_CASE("onset cause: a fault of an input position shows in the token after it", "[compare]") {
  CHECK(cause(run(R"("model": {"sliding_window": 5000})"), 5000, 5001).words.en == "5,000, model.sliding_window, is the position before it");
  CHECK(cause(run(R"("model": {"sliding_window": 5000})"), 5001, 5002).words.en.find("sliding_window") == std::string::npos);
}

TEST_CASE("onset cause: multiples of a recorded chunk, where the interval is at most a quarter of it", "[compare]") {
  const std::string chunk = run(R"("engine": {"launch": {"chunked_prefill_size": 3000, "block_size": 16}})");
  const OnsetCause third = cause(chunk, 8900, 9100);
  CHECK(third.words.en == "9,000, 3 x engine.launch.chunked_prefill_size, lies in it");
  CHECK(third.block);
  CHECK(cause(chunk, 2990, 3000).words.en == "3,000, engine.launch.chunked_prefill_size, lies in it");
  CHECK(cause(chunk, 8249, 9000).words.en == "");   // 751 of 3,000 are over a quarter
  CHECK(cause(chunk, 8250, 9000).block);
  CHECK(cause(chunk, 3001, 3100).words.en.find("chunked_prefill_size") == std::string::npos);
  // 4,000 is 250 blocks of 16; one lies in every 16 positions, so an interval of 4 is at most a quarter
  CHECK(cause(chunk, 3996, 4000).words.en == "4,000, 250 x engine.launch.block_size, lies in it");
}

TEST_CASE("onset cause: without a recorded number a single power of two, else a block that is rare in such intervals", "[compare]") {
  CHECK(cause("", 4000, 4200).words.en == "4,096, a common limit (the runs record no number that lies there), lies in it");
  CHECK(cause("", 2000, 4200).words.en == "");       // 2,048 and 4,096 both
  CHECK(cause("", 1000, 1030).words.en.find("a common limit") == std::string::npos);  // from 2,048 on
  // 6,144 is 3 x 2,048; 11 of 2,048 positions
  const OnsetCause block = cause("", 6135, 6145);
  CHECK(block.words.en == "6,144, 3 x 2,048, a multiple of a block (one lies in such an interval by a chance of 0.54 %), lies in it");
  CHECK(block.block);
  CHECK(cause("", 6100, 6140).words.en.find("6,144") == std::string::npos);
  CHECK(cause("", 5000, 6200).words.en == "");       // no block of 4 x 1,201 is common
}

TEST_CASE("onset cause: what is recorded comes before what is common, and the number nearest to the end of the interval first", "[compare]") {
  CHECK(cause(run(R"("model": {"sliding_window": 4100})"), 4000, 4200).words.en == "4,100, model.sliding_window, lies in it");
  CHECK(cause(run(R"("model": {"sliding_window": 4100, "attention_chunk_size": 4150})"), 4000, 4200).words.en == "4,150, model.attention_chunk_size, lies in it");
}

TEST_CASE("onset cause: what is no whole number of at least 2 is none", "[compare]") {
  for (const char* value : {"\"auto\"", "0", "-4100", "1", "4100.5", "true", "null", "1e300", "[4100, 4101]"}) {
    INFO(value);
    CHECK(cause(run(std::string(R"("model": {"sliding_window": )") + value + "}"), 4097, 4120).words.en.find("sliding_window") == std::string::npos);
  }
  CHECK(cause(run(R"("model": {"sliding_window": "4100"})"), 4097, 4120).words.en == "4,100, model.sliding_window, lies in it");
}
