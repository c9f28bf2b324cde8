#include "records/unpack.h"

#include <zlib.h>
#include <zstd.h>

#include "base/failure.h"

namespace vaa {
namespace {

class ZstdUnpacker final : public Unpacker {
 public:
  ZstdUnpacker() : stream_(ZSTD_createDStream(), ZSTD_freeDStream) {
    if (!stream_) fail(VAA_ERROR_MEMORY, "out of memory");
  }
  size_t unpack(char* out, size_t capacity, std::string* fault) override {
    ZSTD_outBuffer to{out, capacity, 0};
    while (to.pos == 0) {
      ZSTD_inBuffer from{input.data(), input.size(), at};
      const size_t before = at;
      const size_t state = ZSTD_decompressStream(stream_.get(), &to, &from);
      at = from.pos;
      if (ZSTD_isError(state)) {
        *fault = std::string("is damaged (zstd: ") + ZSTD_getErrorName(state) + ")";
        break;
      }
      if (at > before || to.pos > 0) inside_ = state != 0;
      if (to.pos == 0 && at == input.size() && at == before) break;
    }
    return to.pos;
  }
  void end(std::string* fault) override {
    if (inside_) *fault = "ends inside a zstd frame: the file is truncated";
  }

 private:
  std::unique_ptr<ZSTD_DStream, size_t (*)(ZSTD_DStream*)> stream_;
  bool inside_ = false;  // a frame has begun and not ended
};

class GzipUnpacker final : public Unpacker {
 public:
  GzipUnpacker() {
    if (inflateInit2(&stream_, 16 + MAX_WBITS) != Z_OK) fail(VAA_ERROR_MEMORY, "out of memory");
  }
  ~GzipUnpacker() override { inflateEnd(&stream_); }
  size_t unpack(char* out, size_t capacity, std::string* fault) override {
    constexpr size_t kMost = size_t{1} << 30;
    const size_t room = capacity < kMost ? capacity : kMost;
    size_t made = 0;
    while (made == 0 && !ended_ && (at < input.size() || pending_)) {
      if (!pending_ && !inside_ && members_ > 0 && input[at] == '\0') {  // padding, as tapes and some writers leave it
        ended_ = true;
        break;
      }
      inside_ = true;
      stream_.next_in = reinterpret_cast<Bytef*>(input.data() + at);
      stream_.avail_in = static_cast<uInt>(input.size() - at);
      stream_.next_out = reinterpret_cast<Bytef*>(out);
      stream_.avail_out = static_cast<uInt>(room);
      const int state = inflate(&stream_, Z_NO_FLUSH);
      at = input.size() - stream_.avail_in;
      made = room - stream_.avail_out;
      pending_ = state == Z_OK && stream_.avail_out == 0;
      if (state == Z_STREAM_END) {
        ++members_;
        inside_ = false;
        inflateReset(&stream_);
      } else if (state != Z_OK && state != Z_BUF_ERROR) {
        *fault = std::string("is damaged (gzip: ") + (stream_.msg ? stream_.msg : "data error") + ")";
        break;
      }
    }
    return made;
  }
  void end(std::string* fault) override {
    if (inside_) *fault = "ends inside a gzip member: the file is truncated";
  }
  bool ended() const override { return ended_; }

 private:
  z_stream stream_{};
  int64_t members_ = 0;
  bool inside_ = false, ended_ = false;
  bool pending_ = false;  // there may be more output without more input
};

}  // namespace

std::unique_ptr<Unpacker> make_unpacker(std::string_view head) {
  const auto byte = [&](size_t i) { return static_cast<unsigned char>(head[i]); };
  if (head.size() >= 2 && byte(0) == 0x1f && byte(1) == 0x8b) return std::make_unique<GzipUnpacker>();
  if (head.size() >= 4 && byte(1) == 0xb5 && byte(2) == 0x2f && byte(3) == 0xfd && byte(0) == 0x28) return std::make_unique<ZstdUnpacker>();
  if (head.size() >= 4 && (byte(0) & 0xf0) == 0x50 && byte(1) == 0x2a && byte(2) == 0x4d && byte(3) == 0x18) return std::make_unique<ZstdUnpacker>();
  return nullptr;
}

}  // namespace vaa
