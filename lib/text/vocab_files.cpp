// Vocab::open: tokenizer.json and tokenizer_config.json as the tokenizers library writes them.
#include <algorithm>
#include <array>
#include <cstdio>
#include <filesystem>
#include <fstream>

#include "base/failure.h"
#include "base/json.h"
#include "text/utf8.h"
#include "text/vocab.h"

namespace vaa {
namespace {

namespace fs = std::filesystem;

constexpr int64_t kMaxId = 1 << 22;
constexpr uintmax_t kMaxFile = uintmax_t{1} << 30;

std::string read_file(const fs::path& path) {
  std::error_code code;
  const uintmax_t size = fs::file_size(path, code);
  if (code) fail(fs::exists(path) ? VAA_ERROR_IO : VAA_ERROR_NOT_FOUND, path.string() + ": " + code.message());
  if (size > kMaxFile) fail(VAA_ERROR_CAPACITY, path.string() + ": has " + std::to_string(size) + " bytes, allowed are " + std::to_string(kMaxFile));
  std::string text(static_cast<size_t>(size), '\0');
  std::ifstream in(path, std::ios::binary);
  in.read(text.data(), static_cast<std::streamsize>(size));
  if (!in || in.gcount() != static_cast<std::streamsize>(size)) fail(VAA_ERROR_IO, path.string() + ": could not be read");
  return text;
}

// How pieces stand for bytes.
enum class Spelling : uint8_t { kPlain, kByteLevel, kMetaspace, kWordPiece };

struct Piece {
  std::string text;
  bool known = false, added = false, special = false;
};

struct Tokenizer {
  std::vector<Piece> pieces;
  Spelling spelling = Spelling::kPlain;
  bool byte_fallback = false;
};

class TokenizerReader {
 public:
  TokenizerReader(std::string path, std::string_view document) : path_(std::move(path)), json_(document) {}

  void read_tokenizer(Tokenizer* out) {
    bool vocab = false;
    object([&](std::string_view key) {
      if (key == "added_tokens") {
        array([&](size_t) { added(-1, out); });
      } else if (key == "model") {
        vocab = true;
        model(out);
      } else if (key == "decoder" || key == "pre_tokenizer") {
        std::string_view raw;
        if (json_.raw(&raw)) spelling(raw, out);
      } else {
        json_.skip();
      }
    });
    check(json_.finish());
    if (!vocab) fail(VAA_ERROR_FORMAT, path_ + ": model: is missing, a tokenizer.json has it");
  }

  void read_config(Tokenizer* out) {
    std::vector<std::string> names;
    object([&](std::string_view key) {
      if (key == "added_tokens_decoder" && json_.peek() == JsonKind::kObject) {
        object([&](std::string_view id) { added(number(id), out); });
      } else if (key.size() > 6 && key.substr(key.size() - 6) == "_token") {
        names.push_back(content());
      } else {
        json_.skip();
      }
    });
    check(json_.finish());
    for (Piece& piece : out->pieces) piece.special |= piece.added && std::find(names.begin(), names.end(), piece.text) != names.end();
  }

 private:
  void check(bool fine) const {
    if (!fine || json_.failed()) fail(VAA_ERROR_FORMAT, path_ + ": is no JSON: " + json_.error() + " at byte " + std::to_string(json_.error_at()));
  }
  [[noreturn]] void refuse(const std::string& what) const { fail(VAA_ERROR_FORMAT, path_ + ": " + what); }

  template <class Member>
  void object(const Member& member) {
    if (json_.peek() != JsonKind::kObject) refuse(std::string("is ") + json_kind_name(json_.peek()) + " at byte " + std::to_string(json_.position()) + ", must be an object");
    json_.object();
    std::string_view key;
    std::string kept;
    while (json_.key(&key)) {
      kept.assign(key);
      member(std::string_view(kept));
    }
    check(true);
  }
  template <class Element>
  void array(const Element& element) {
    if (json_.peek() != JsonKind::kArray) refuse(std::string("is ") + json_kind_name(json_.peek()) + " at byte " + std::to_string(json_.position()) + ", must be an array");
    json_.array();
    for (size_t i = 0; json_.element(); ++i) element(i);
    check(true);
  }

  static int64_t number(std::string_view digits) {
    int64_t value = 0;
    for (const char c : digits) {
      if (c < '0' || c > '9' || value > kMaxId) return -1;
      value = value * 10 + (c - '0');
    }
    return digits.empty() ? -1 : value;
  }
  // A token's name: text, or an object with "content".
  std::string content() {
    std::string text;
    if (json_.peek() == JsonKind::kString) {
      json_.string(&text);
    } else if (json_.peek() == JsonKind::kObject) {
      object([&](std::string_view key) {
        if (key == "content" && json_.peek() == JsonKind::kString) json_.string(&text);
        else json_.skip();
      });
    } else {
      json_.skip();
    }
    return text;
  }
  Piece& piece(int64_t id, Tokenizer* out) const {
    if (id < 0 || id > kMaxId) refuse("a token has id " + std::to_string(id) + ", must be 0 to " + std::to_string(kMaxId));
    if (static_cast<size_t>(id) >= out->pieces.size()) out->pieces.resize(static_cast<size_t>(id) + 1);
    return out->pieces[static_cast<size_t>(id)];
  }
  void added(int64_t id, Tokenizer* out) {
    std::string text;
    bool special = false;
    object([&](std::string_view key) {
      if (key == "id" && json_.peek() == JsonKind::kNumber) json_.int64(&id);
      else if (key == "content" && json_.peek() == JsonKind::kString) json_.string(&text);
      else if (key == "special" && json_.peek() == JsonKind::kBool) json_.boolean(&special);
      else json_.skip();
    });
    Piece& token = piece(id, out);
    token = {std::move(text), true, true, special || token.special};
  }
  void vocab(Tokenizer* out) {
    if (json_.peek() == JsonKind::kObject) {
      object([&](std::string_view text) {
        int64_t id = -1;
        if (json_.peek() != JsonKind::kNumber || !json_.int64(&id)) refuse("model.vocab: " + quoted(text) + " has no integer id");
        Piece& token = piece(id, out);
        if (!token.added) token.text.assign(text), token.known = true;
      });
    } else {
      array([&](size_t i) {
        Piece& token = piece(static_cast<int64_t>(i), out);
        array([&](size_t at) {
          std::string text;
          if (at != 0 || json_.peek() != JsonKind::kString) {
            json_.skip();
            return;
          }
          json_.string(&text);
          if (!token.added) token.text = std::move(text), token.known = true;
        });
      });
    }
  }
  void model(Tokenizer* out) {
    object([&](std::string_view key) {
      if (key == "vocab") {
        vocab(out);
      } else if (key == "byte_fallback" && json_.peek() == JsonKind::kBool) {
        json_.boolean(&out->byte_fallback);
      } else if (key == "type" && json_.peek() == JsonKind::kString) {
        std::string type;
        json_.string(&type);
        if (type == "WordPiece") out->spelling = Spelling::kWordPiece;
        if (type == "Unigram" && out->spelling == Spelling::kPlain) out->spelling = Spelling::kMetaspace;
      } else {
        json_.skip();
      }
    });
  }
  // The decoder, or where it says nothing the pre-tokenizer: their types stand anywhere inside.
  static void spelling(std::string_view raw, Tokenizer* out) {
    if (raw.find("\"ByteLevel\"") != std::string_view::npos) {
      out->spelling = Spelling::kByteLevel;
    } else if (out->spelling == Spelling::kPlain && (raw.find("\"Metaspace\"") != std::string_view::npos || raw.find("▁") != std::string_view::npos || raw.find("\\u2581") != std::string_view::npos)) {
      out->spelling = Spelling::kMetaspace;
    }
    if (raw.find("\"ByteFallback\"") != std::string_view::npos) out->byte_fallback = true;
  }

  std::string path_;
  JsonReader json_;
};

// The character that stands for each byte in byte-level BPE: printable Latin-1 for itself, the rest in order from U+0100.
std::array<int16_t, 0x144> byte_level_table() {
  std::array<int16_t, 0x144> byte_of{};
  byte_of.fill(-1);
  int next = 0x100;
  for (int b = 0; b < 256; ++b) {
    const bool itself = (b >= 0x21 && b <= 0x7E) || (b >= 0xA1 && b <= 0xAC) || (b >= 0xAE && b <= 0xFF);
    byte_of[static_cast<size_t>(itself ? b : next++)] = static_cast<int16_t>(b);
  }
  return byte_of;
}

void append_byte_level(std::string_view piece, const std::array<int16_t, 0x144>& byte_of, std::string* out) {
  for (size_t at = 0; at < piece.size();) {
    const Utf8Step step = utf8_step(piece, at);
    const int byte = step.valid && step.code < byte_of.size() ? byte_of[step.code] : -1;
    if (byte >= 0) *out += static_cast<char>(byte);
    else out->append(piece.substr(at, step.size));
    at += step.size;
  }
}

// "<0xE4>"; -1: it is none.
int fallback_byte(std::string_view piece) {
  constexpr std::string_view kDigits = "0123456789ABCDEF";
  if (piece.size() != 6 || piece.substr(0, 3) != "<0x" || piece[5] != '>') return -1;
  const size_t high = kDigits.find(piece[3]), low = kDigits.find(piece[4]);
  return high == std::string_view::npos || low == std::string_view::npos ? -1 : static_cast<int>(high * 16 + low);
}

void append_bytes(const Piece& piece, const Tokenizer& tokenizer, const std::array<int16_t, 0x144>& byte_of, std::string* out) {
  constexpr std::string_view kMeta = "▁", kContinues = "##";
  if (piece.added) {
    *out += piece.text;
    return;
  }
  const int byte = tokenizer.byte_fallback ? fallback_byte(piece.text) : -1;
  if (byte >= 0) {
    *out += static_cast<char>(byte);
  } else if (tokenizer.spelling == Spelling::kByteLevel) {
    append_byte_level(piece.text, byte_of, out);
  } else if (tokenizer.spelling == Spelling::kMetaspace) {
    std::string_view rest = piece.text;
    for (size_t at = rest.find(kMeta); at != std::string_view::npos; at = rest.find(kMeta)) {
      out->append(rest.substr(0, at)).push_back(' ');
      rest.remove_prefix(at + kMeta.size());
    }
    out->append(rest);
  } else if (tokenizer.spelling == Spelling::kWordPiece) {
    if (piece.text.compare(0, kContinues.size(), kContinues) == 0) out->append(piece.text, kContinues.size(), std::string::npos);
    else out->append(" ").append(piece.text);
  } else {
    *out += piece.text;
  }
}

}  // namespace

Vocab Vocab::open(const std::string& path) {
  std::error_code code;
  const bool folder = fs::is_directory(path, code);
  const fs::path file = folder ? fs::path(path) / "tokenizer.json" : fs::path(path);
  const fs::path config = file.parent_path() / "tokenizer_config.json";
  Tokenizer tokenizer;
  const std::string document = read_file(file);
  TokenizerReader(file.string(), document).read_tokenizer(&tokenizer);
  if (fs::is_regular_file(config, code) && !fs::equivalent(config, file, code)) TokenizerReader(config.string(), read_file(config)).read_config(&tokenizer);

  const std::array<int16_t, 0x144> byte_of = byte_level_table();
  std::string bytes;
  std::vector<int64_t> ends;
  std::vector<int32_t> special;
  ends.reserve(tokenizer.pieces.size());
  for (size_t id = 0; id < tokenizer.pieces.size(); ++id) {
    const Piece& piece = tokenizer.pieces[id];
    if (piece.known) append_bytes(piece, tokenizer, byte_of, &bytes);
    if (piece.special) special.push_back(static_cast<int32_t>(id));
    ends.push_back(static_cast<int64_t>(bytes.size()));
  }
  return Vocab({reinterpret_cast<const uint8_t*>(bytes.data()), bytes.size()}, ends, special);
}

}  // namespace vaa
