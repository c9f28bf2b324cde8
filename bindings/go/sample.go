package vaa

import "github.com/vaa-eval/vaa-go/internal/cvaa"

// Sample is one generation. A field that was not set is not recorded; a field set to "" is an empty text.
type Sample struct{ handle *handle }

// NewSample makes a sample without a field.
func NewSample() (*Sample, error) {
	var out, slot uintptr
	status := cvaa.VaaSampleNew(&out, &slot)
	if err := take(status, slot); err != nil {
		return nil, err
	}
	return &Sample{newHandle(out, cvaa.VaaSampleFree)}, nil
}

// Close frees the sample. It may be called more than once.
func (s *Sample) Close() error { s.handle.close(); return nil }

// Clear makes every field not recorded and keeps the memory.
func (s *Sample) Clear() {
	p := s.handle.hold()
	defer s.handle.release(p)
	cvaa.VaaSampleClear(p)
}

// with calls C on the sample.
func (s *Sample) with(call func(sample uintptr, slot *uintptr) int32) error {
	p := s.handle.hold()
	defer s.handle.release(p)
	var slot uintptr
	status := call(p, &slot)
	return take(status, slot)
}

// SetText copies a text, of any bytes, into a field of that type.
func (s *Sample) SetText(field Field, value string) error {
	return s.with(func(p uintptr, slot *uintptr) int32 {
		return cvaa.VaaSampleSetStr(p, int32(field), cvaa.OfString(value), slot)
	})
}

// SetInt sets an integer field.
func (s *Sample) SetInt(field Field, value int64) error {
	return s.with(func(p uintptr, slot *uintptr) int32 { return cvaa.VaaSampleSetI64(p, int32(field), value, slot) })
}

// SetFloat sets a field of a real number.
func (s *Sample) SetFloat(field Field, value float64) error {
	return s.with(func(p uintptr, slot *uintptr) int32 { return cvaa.VaaSampleSetF64(p, int32(field), value, slot) })
}

// SetIDs copies token ids into a field; nil is an empty list, Unset makes the field not recorded.
func (s *Sample) SetIDs(field Field, value []int32) error {
	return s.with(func(p uintptr, slot *uintptr) int32 {
		return cvaa.VaaSampleSetIds(p, int32(field), cvaa.OfInt32s(value), slot)
	})
}

// SetFloats copies numbers into a field.
func (s *Sample) SetFloats(field Field, value []float64) error {
	return s.with(func(p uintptr, slot *uintptr) int32 {
		return cvaa.VaaSampleSetF64s(p, int32(field), cvaa.OfFloat64s(value), slot)
	})
}

// SetInts copies integers into a field.
func (s *Sample) SetInts(field Field, value []int64) error {
	return s.with(func(p uintptr, slot *uintptr) int32 {
		return cvaa.VaaSampleSetI64s(p, int32(field), cvaa.OfInt64s(value), slot)
	})
}

// Unset makes a field not recorded.
func (s *Sample) Unset(field Field) error {
	return s.with(func(p uintptr, slot *uintptr) int32 { return cvaa.VaaSampleUnset(p, int32(field), slot) })
}

// Has tells whether a field is recorded.
func (s *Sample) Has(field Field) bool {
	p := s.handle.hold()
	defer s.handle.release(p)
	return cvaa.VaaSampleHas(p, int32(field)) != 0
}

// get reads a field that is recorded; nil where it is not.
func get[V, T any](s *Sample, field Field, call func(uintptr, int32, *V, *uintptr) int32, copied func(V) T) (*T, error) {
	p := s.handle.hold()
	defer s.handle.release(p)
	var view V
	var slot uintptr
	status := call(p, int32(field), &view, &slot)
	if err := take(status, slot); err != nil {
		if Status(status) == ErrorNotFound {
			return nil, nil
		}
		return nil, err
	}
	value := copied(view)
	return &value, nil
}

func same[T any](value T) T { return value }

// list is a slice, nil where the field is not recorded.
func list[T any](value *[]T, err error) ([]T, error) {
	if value == nil {
		return nil, err
	}
	return *value, err
}

// Text is a copy of a text field; nil where it is not recorded.
func (s *Sample) Text(field Field) (*string, error) {
	return get(s, field, cvaa.VaaSampleStr, cvaa.Text)
}

// Int is an integer field; nil where it is not recorded.
func (s *Sample) Int(field Field) (*int64, error) {
	return get(s, field, cvaa.VaaSampleI64, same[int64])
}

// Float is a field of a real number; nil where it is not recorded.
func (s *Sample) Float(field Field) (*float64, error) {
	return get(s, field, cvaa.VaaSampleF64, same[float64])
}

// IDs is a copy of the token ids of a field; nil where it is not recorded, not nil where it is empty.
func (s *Sample) IDs(field Field) ([]int32, error) {
	return list(get(s, field, cvaa.VaaSampleIds, cvaa.Int32s))
}

// Floats is a copy of a field; nil where it is not recorded, not nil where it is empty.
func (s *Sample) Floats(field Field) ([]float64, error) {
	return list(get(s, field, cvaa.VaaSampleF64s, cvaa.Float64s))
}

// Ints is a copy of a field; nil where it is not recorded, not nil where it is empty.
func (s *Sample) Ints(field Field) ([]int64, error) {
	return list(get(s, field, cvaa.VaaSampleI64s, cvaa.Int64s))
}

// SetJSON makes the sample what a record line (vaa.record/1) says.
func (s *Sample) SetJSON(record string) error {
	return s.with(func(p uintptr, slot *uintptr) int32 { return cvaa.VaaSampleFromJson(p, cvaa.OfString(record), slot) })
}

// JSON is the sample as a record line (vaa.record/1), without line feed.
func (s *Sample) JSON() (string, error) {
	var out uintptr
	if err := s.with(func(p uintptr, slot *uintptr) int32 { return cvaa.VaaSampleToJson(p, &out, slot) }); err != nil {
		return "", err
	}
	return text(out), nil
}
