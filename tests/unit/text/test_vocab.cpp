#include <filesystem>
#include <fstream>

#include "base/failure.h"
#include "catch.h"
#include "text/vocab.h"

using namespace vaa;

namespace {

namespace fs = std::filesystem;

Vocab make(const std::vector<std::string>& tokens, const std::vector<int32_t>& special) {
  std::string bytes;
  std::vector<int64_t> ends;
  for (const std::string& token : tokens) ends.push_back(static_cast<int64_t>((bytes += token).size()));
  return Vocab({reinterpret_cast<const uint8_t*>(bytes.data()), bytes.size()}, ends, special);
}

// A folder with the two files ("" : no such file).
class Folder {
 public:
  Folder(const std::string& tokenizer, const std::string& config) : path_(fs::temp_directory_path() / ("vaa_vocab_" + std::to_string(std::rand()))) {
    fs::create_directories(path_);
    if (!tokenizer.empty()) std::ofstream(path_ / "tokenizer.json") << tokenizer;
    if (!config.empty()) std::ofstream(path_ / "tokenizer_config.json") << config;
  }
  ~Folder() { fs::remove_all(path_); }
  std::string path() const { return path_.string(); }

 private:
  fs::path path_;
};

template <class Call>
std::string refusal(vaa_status status, const Call& call) {
  try {
    call();
  } catch (const Failure& failure) {
    CHECK(failure.status() == status);
    return failure.message();
  }
  return "";
}

}  // namespace

TEST_CASE("vocab: from arrays", "[text]") {
  const Vocab vocab = make({"He", "llo", "", "<eos>"}, {3});
  CHECK(vocab.size() == 4);
  CHECK(vocab.token(1) == "llo");
  CHECK(vocab.token(2).empty());
  CHECK(vocab.token(-1).empty());
  CHECK(vocab.token(4).empty());
  CHECK(vocab.special(3));
  CHECK_FALSE(vocab.special(0));
  CHECK_FALSE(vocab.special(-1));
  CHECK_FALSE(vocab.special(99));
  CHECK(vocab.special_ids().size() == 1);
  CHECK(vocab.find("llo") == 1);
  CHECK(vocab.find("lo") == -1);
}

TEST_CASE("vocab: decoding", "[text]") {
  const Vocab vocab = make({"He", "llo", "", "<eos>"}, {3});
  std::string text = ">";
  const std::vector<int32_t> ids = {0, 1, 3};
  vocab.decode(ids, false, &text);
  CHECK(text == ">Hello");
  text.clear();
  vocab.decode(ids, true, &text);
  CHECK(text == "Hello<eos>");
  const std::vector<int32_t> bad = {0, 7};
  CHECK(refusal(VAA_ERROR_ARGUMENT, [&] { vocab.decode(bad, true, &text); }) == "ids: element 1 is 7, the vocabulary has 4 tokens");
  CHECK(text == "Hello<eos>");
}

TEST_CASE("vocab: arrays that do not fit are refused", "[text]") {
  const std::vector<uint8_t> bytes = {'a', 'b'};
  const std::vector<int64_t> falling = {2, 1}, past = {1, 3}, fine = {1, 2};
  const std::vector<int32_t> special = {2};
  CHECK(refusal(VAA_ERROR_ARGUMENT, [&] { Vocab(bytes, falling, {}); }) == "ends: element 1 is 1, must be 2 to 2");
  CHECK(refusal(VAA_ERROR_ARGUMENT, [&] { Vocab(bytes, past, {}); }) == "ends: element 1 is 3, must be 1 to 2");
  CHECK(refusal(VAA_ERROR_ARGUMENT, [&] { Vocab(bytes, fine, special); }) == "special: element 0 is 2, the vocabulary has 2 tokens");
}

TEST_CASE("vocab: byte-level BPE", "[text]") {
  const Folder folder(R"({"added_tokens":[{"id":5,"content":"<|im_end|>","special":true},{"id":6,"content":"<think>","special":false}],
    "pre_tokenizer":{"type":"ByteLevel"},"decoder":{"type":"ByteLevel"},
    "model":{"type":"BPE","vocab":{"Hello":0,"Ġthere":1,"Ċ":2,"æ°´":3,"å":4,"<|im_end|>":5},"merges":[]}})",
                      "");
  const Vocab vocab = Vocab::open(folder.path());
  CHECK(vocab.size() == 7);
  CHECK(vocab.token(1) == " there");
  CHECK(vocab.token(2) == "\n");
  CHECK(vocab.token(3) == "水");
  CHECK(vocab.token(4) == "\xE5");
  CHECK(vocab.token(5) == "<|im_end|>");
  CHECK(vocab.special(5));
  CHECK(vocab.token(6) == "<think>");
  CHECK_FALSE(vocab.special(6));
}

TEST_CASE("vocab: SentencePiece pieces and bytes", "[text]") {
  const Folder bpe(R"({"added_tokens":[{"id":0,"content":"<unk>","special":true}],"decoder":{"type":"Sequence","decoders":[{"type":"Replace","pattern":{"String":"▁"},"content":" "},
    {"type":"ByteFallback"},{"type":"Fuse"}]},"model":{"type":"BPE","byte_fallback":true,"vocab":{"<unk>":0,"▁Hello":1,"<0xE4>":2,"a▁b":3}}})",
                   "");
  const Vocab vocab = Vocab::open(bpe.path() + "/tokenizer.json");
  CHECK(vocab.token(1) == " Hello");
  CHECK(vocab.token(2) == "\xE4");
  CHECK(vocab.token(3) == "a b");
  CHECK(vocab.token(0) == "<unk>");
  const Folder unigram(R"({"model":{"type":"Unigram","vocab":[["<unk>",0.0],["▁He",-1.5],["llo",-2]]},"decoder":{"type":"Metaspace"}})", "");
  const Vocab other = Vocab::open(unigram.path());
  CHECK(other.token(1) == " He");
  CHECK(other.token(2) == "llo");
  const Folder word(R"({"model":{"type":"WordPiece","vocab":{"play":0,"##ing":1}},"decoder":{"type":"WordPiece"}})", "");
  CHECK(Vocab::open(word.path()).token(1) == "ing");
}

TEST_CASE("vocab: tokenizer_config.json adds tokens and says which are special", "[text]") {
  const Folder folder(R"({"added_tokens":[{"id":1,"content":"<eos>","special":false}],"model":{"type":"BPE","vocab":{"a":0}}})",
                      R"({"added_tokens_decoder":{"2":{"content":"<|pad|>","special":true}},"eos_token":{"content":"<eos>"},"pad_token":"<|pad|>","model_max_length":8})");
  const Vocab vocab = Vocab::open(folder.path());
  CHECK(vocab.size() == 3);
  CHECK(vocab.special(1));
  CHECK(vocab.special(2));
  CHECK(vocab.token(2) == "<|pad|>");
}

TEST_CASE("vocab: what cannot be read says why", "[text]") {
  CHECK(refusal(VAA_ERROR_NOT_FOUND, [] { Vocab::open("/no/such/folder"); }).find("/no/such/folder") == 0);
  const auto open = [](const char* tokenizer) {
    const Folder folder(tokenizer, "");
    return refusal(VAA_ERROR_FORMAT, [&] { Vocab::open(folder.path()); });
  };
  CHECK(open("[1]").find("must be an object") != std::string::npos);
  CHECK(open("{\"model\":").find("tokenizer.json") != std::string::npos);
  CHECK(open("{}").find("model: is missing") != std::string::npos);
  CHECK(open(R"({"model":{"vocab":{"a":"b"}}})").find("has no integer id") != std::string::npos);
  CHECK(open(R"({"model":{"vocab":{"a":-4}}})").find("id -4") != std::string::npos);
  CHECK(open(R"({"model":{"vocab":{"a":99999999}}})").find("id 99999999") != std::string::npos);
}
