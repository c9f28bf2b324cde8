package vaa

import "github.com/vaa-eval/vaa-go/internal/cvaa"

// Vocab is a vocabulary: the bytes of each token and which tokens are special. Shared by goroutines.
type Vocab struct{ handle *handle }

// OpenVocab reads a folder or file with tokenizer.json.
func OpenVocab(path string) (*Vocab, error) {
	var out, slot uintptr
	status := cvaa.VaaVocabOpen(cvaa.OfString(path), &out, &slot)
	if err := take(status, slot); err != nil {
		return nil, err
	}
	return &Vocab{newHandle(out, cvaa.VaaVocabFree)}, nil
}

// NewVocab takes the bytes of token 0, 1, …; special are ids of control tokens.
func NewVocab(tokens []string, special []int32) (*Vocab, error) {
	var bytes []byte
	ends := make([]int64, 0, len(tokens))
	for _, token := range tokens {
		bytes = append(bytes, token...)
		ends = append(ends, int64(len(bytes)))
	}
	var out, slot uintptr
	status := cvaa.VaaVocabFromArrays(cvaa.OfBytes(bytes), cvaa.OfInt64s(ends), cvaa.OfInt32s(special), &out, &slot)
	if err := take(status, slot); err != nil {
		return nil, err
	}
	return &Vocab{newHandle(out, cvaa.VaaVocabFree)}, nil
}

// Close frees the vocabulary when nothing borrows it any more.
func (v *Vocab) Close() error { v.handle.close(); return nil }

// Size is the count of tokens.
func (v *Vocab) Size() int {
	p := v.handle.hold()
	defer v.handle.release(p)
	if p == 0 {
		return 0
	}
	return int(cvaa.VaaVocabSize(p))
}

// Decode is the bytes of all ids one after another, special tokens left out unless keepSpecial.
func (v *Vocab) Decode(ids []int32, keepSpecial bool) (string, error) {
	p := v.handle.hold()
	defer v.handle.release(p)
	var keep int32
	if keepSpecial {
		keep = 1
	}
	var out, slot uintptr
	status := cvaa.VaaVocabDecode(p, cvaa.OfInt32s(ids), keep, &out, &slot)
	if err := take(status, slot); err != nil {
		return "", err
	}
	return text(out), nil
}
