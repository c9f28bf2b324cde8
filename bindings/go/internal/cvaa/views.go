// Package cvaa is the C library as SWIG sees it, with the views of its border. Use package vaa.
package cvaa

// #include "vaa/vaa.h"
import "C"

import "unsafe"

// The views and records of vaa/base.h and vaa/check.h. What C lends out is copied at once by the functions below and never kept.
type (
	Str        = C.vaa_str
	IDs        = C.vaa_ids
	I64s       = C.vaa_i64s
	U8s        = C.vaa_u8s
	F32s       = C.vaa_f32s
	F64s       = C.vaa_f64s
	F32Rows    = C.vaa_f32_rows
	F64Rows    = C.vaa_f64_rows
	IDsOut     = C.vaa_ids_out
	I64sOut    = C.vaa_i64s_out
	U8sOut     = C.vaa_u8s_out
	F32sOut    = C.vaa_f32s_out
	F64sOut    = C.vaa_f64s_out
	F32RowsOut = C.vaa_f32_rows_out
	F64RowsOut = C.vaa_f64_rows_out
	Findings   = C.vaa_findings
	Divergence = C.vaa_divergence

	PromptDifference = C.vaa_prompt_difference
)

// Finding is vaa_finding, field for field.
type Finding struct {
	Flag, Severity, Confidence, Part       int32
	OnsetByte, LengthBytes                 int64
	OnsetChar, LengthChars                 int64
	OnsetToken, LengthTokens               int64
	PeriodBytes, PeriodChars, PeriodTokens int64
	Count                                  int64
	Measure, Threshold                     float64
}

// Divergences is vaa_divergence, and Prompts vaa_prompt_difference, field for field.
type (
	Divergences struct {
		ReferenceSize, TargetSize              int64
		FirstDivergence                        int64
		Prefix, Suffix                         int64
		Levenshtein, LCS, Indel, MoreThan      int64
		ReconvergeReference, ReconvergeTarget  int64
		PrefixRatio                            float64
		NormalizedLevenshtein, NormalizedIndel float64
		LengthOnly, SameBytes                  int32
	}
	Prompts struct {
		Which, Longer                                    int32
		ReferenceAt, ReferenceSize, TargetAt, TargetSize int64
	}
)

func OfDivergence(d *Divergence) Divergences { return *(*Divergences)(unsafe.Pointer(d)) }
func OfPrompts(d *PromptDifference) Prompts  { return *(*Prompts)(unsafe.Pointer(d)) }

// Views over Go memory, for one call.

func OfString(s string) Str {
	return Str{data: (*C.char)(unsafe.Pointer(unsafe.StringData(s))), size: C.size_t(len(s))}
}
func OfText(s []byte) Str {
	return Str{data: (*C.char)(unsafe.Pointer(unsafe.SliceData(s))), size: C.size_t(len(s))}
}
func OfBytes(s []byte) U8s {
	return U8s{data: (*C.uint8_t)(unsafe.SliceData(s)), size: C.size_t(len(s))}
}
func OfInt32s(s []int32) IDs {
	return IDs{data: (*C.int32_t)(unsafe.SliceData(s)), size: C.size_t(len(s))}
}
func OfInt64s(s []int64) I64s {
	return I64s{data: (*C.int64_t)(unsafe.SliceData(s)), size: C.size_t(len(s))}
}
func OfFloat32s(s []float32) F32s {
	return F32s{data: (*C.float)(unsafe.SliceData(s)), size: C.size_t(len(s))}
}
func OfFloat64s(s []float64) F64s {
	return F64s{data: (*C.double)(unsafe.SliceData(s)), size: C.size_t(len(s))}
}

// OfFloat32Rows views rows of cols numbers, one row after another stride numbers further on. Panics when they do not lie within s.
func OfFloat32Rows(s []float32, rows, cols, stride int) F32Rows {
	mustHold(len(s), rows, cols, stride)
	return F32Rows{data: (*C.float)(unsafe.SliceData(s)), rows: C.size_t(rows), cols: C.size_t(cols), stride: C.size_t(stride)}
}
func OfFloat64Rows(s []float64, rows, cols, stride int) F64Rows {
	mustHold(len(s), rows, cols, stride)
	return F64Rows{data: (*C.double)(unsafe.SliceData(s)), rows: C.size_t(rows), cols: C.size_t(cols), stride: C.size_t(stride)}
}

// Buffers of Go that a call fills, for one call.

func IntoBytes(s []byte) U8sOut {
	return U8sOut{data: (*C.uint8_t)(unsafe.SliceData(s)), capacity: C.size_t(len(s))}
}
func IntoInt32s(s []int32) IDsOut {
	return IDsOut{data: (*C.int32_t)(unsafe.SliceData(s)), capacity: C.size_t(len(s))}
}
func IntoInt64s(s []int64) I64sOut {
	return I64sOut{data: (*C.int64_t)(unsafe.SliceData(s)), capacity: C.size_t(len(s))}
}
func IntoFloat32s(s []float32) F32sOut {
	return F32sOut{data: (*C.float)(unsafe.SliceData(s)), capacity: C.size_t(len(s))}
}
func IntoFloat64s(s []float64) F64sOut {
	return F64sOut{data: (*C.double)(unsafe.SliceData(s)), capacity: C.size_t(len(s))}
}
func IntoFloat32Rows(s []float32, rows, cols, stride int) F32RowsOut {
	mustHold(len(s), rows, cols, stride)
	return F32RowsOut{data: (*C.float)(unsafe.SliceData(s)), rows: C.size_t(rows), cols: C.size_t(cols), stride: C.size_t(stride)}
}
func IntoFloat64Rows(s []float64, rows, cols, stride int) F64RowsOut {
	mustHold(len(s), rows, cols, stride)
	return F64RowsOut{data: (*C.double)(unsafe.SliceData(s)), rows: C.size_t(rows), cols: C.size_t(cols), stride: C.size_t(stride)}
}

func mustHold(size, rows, cols, stride int) {
	if rows < 0 || cols < 0 || stride < cols || (rows > 0 && (cols > size || (rows > 1 && (stride > size || rows-1 > (size-cols)/max(stride, 1))))) {
		panic("vaa: the rows do not lie within the slice")
	}
}

// Copies of what C lent.

func copied[T, C any](data *C, size uint64) []T {
	return append(make([]T, 0, size), unsafe.Slice((*T)(unsafe.Pointer(data)), size)...)
}
func Text(v Str) string          { return string(unsafe.Slice((*byte)(unsafe.Pointer(v.data)), v.size)) }
func Int32s(v IDs) []int32       { return copied[int32](v.data, uint64(v.size)) }
func Int64s(v I64s) []int64      { return copied[int64](v.data, uint64(v.size)) }
func Bytes(v U8s) []byte         { return copied[byte](v.data, uint64(v.size)) }
func Float32s(v F32s) []float32  { return copied[float32](v.data, uint64(v.size)) }
func Float64s(v F64s) []float64  { return copied[float64](v.data, uint64(v.size)) }
func Unknown(v Findings) uint64  { return uint64(v.unknown) }
func AllOf(v Findings) []Finding { return copied[Finding](v.data, uint64(v.size)) }
