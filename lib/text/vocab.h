// A vocabulary: the bytes of each token and which are special.
#pragma once
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace vaa {

class Vocab {
 public:
  // Token i is bytes[ends[i-1], ends[i]). Throws Failure (VAA_ERROR_ARGUMENT).
  Vocab(std::span<const uint8_t> bytes, std::span<const int64_t> ends, std::span<const int32_t> special);
  // tokenizer.json (BPE byte-level or SentencePiece-style pieces, Unigram, WordPiece), tokenizer_config.json beside it, or the folder of both. Throws Failure.
  static Vocab open(const std::string& path);

  size_t size() const { return ends_.size(); }
  std::string_view token(int32_t id) const;  // "" outside
  bool special(int32_t id) const;
  std::span<const int32_t> special_ids() const { return special_ids_; }
  // Ids of tokens whose bytes are exactly `text`, -1: none. Linear.
  int32_t find(std::string_view text) const;
  // Appends; throws Failure (VAA_ERROR_ARGUMENT) that names an id outside the vocabulary and its place.
  void decode(std::span<const int32_t> ids, bool keep_special, std::string* out) const;

 private:
  std::string bytes_;
  std::vector<int64_t> ends_;
  std::vector<bool> special_;
  std::vector<int32_t> special_ids_;
};

}  // namespace vaa
