// Package ccapture is libvaa_capture as SWIG sees it, with the views that cross its border. Use package capture.
package ccapture

// #include "vaa/capture.h"
import "C"

import "unsafe"

// The views of vaa/base.h. What C lends out is copied at once and never kept.
type (
	Str  = C.vaa_str
	IDs  = C.vaa_ids
	I64s = C.vaa_i64s
	F64s = C.vaa_f64s
)

// OfString views a Go string, for one call.
func OfString(s string) Str {
	return Str{data: (*C.char)(unsafe.Pointer(unsafe.StringData(s))), size: C.size_t(len(s))}
}

// Text copies what C lent.
func Text(v Str) string { return string(unsafe.Slice((*byte)(unsafe.Pointer(v.data)), v.size)) }
