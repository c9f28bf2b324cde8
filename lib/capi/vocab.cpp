// include/vaa/vocab.h
#include "vaa/vocab.h"

#include "base/views.h"
#include "capi/guard.h"
#include "capi/handles.h"

using vaa::given;
using vaa::guard;

extern "C" {

vaa_status vaa_vocab_from_arrays(vaa_u8s bytes, vaa_i64s ends, vaa_ids special, vaa_vocab** out_vocab, vaa_error** err) {
  return guard(err, [&] {
    given(out_vocab, "out_vocab");
    *out_vocab = new vaa_vocab{vaa::Vocab(vaa::view(bytes), vaa::view(ends), vaa::view(special))};
  });
}
vaa_status vaa_vocab_open(vaa_str path, vaa_vocab** out_vocab, vaa_error** err) {
  return guard(err, [&] {
    given(out_vocab, "out_vocab");
    *out_vocab = new vaa_vocab{vaa::Vocab::open(std::string(vaa::view(path)))};
  });
}
void vaa_vocab_free(vaa_vocab* vocab) { delete vocab; }
size_t vaa_vocab_size(const vaa_vocab* vocab) { return vocab ? vocab->vocab.size() : 0; }
vaa_str vaa_vocab_token(const vaa_vocab* vocab, int32_t id) { return vaa::border(vocab ? vocab->vocab.token(id) : std::string_view()); }
int32_t vaa_vocab_is_special(const vaa_vocab* vocab, int32_t id) { return vocab && vocab->vocab.special(id); }
vaa_status vaa_vocab_decode(const vaa_vocab* vocab, vaa_ids ids, int32_t keep_special, vaa_text** out_text, vaa_error** err) {
  return guard(err, [&] {
    given(out_text, "out_text");
    std::string text;
    given(vocab, "vocab")->vocab.decode(vaa::view(ids), keep_special != 0, &text);
    *out_text = new vaa_text{std::move(text)};
  });
}

}  // extern "C"
