/* Go: how each type of the border crosses. Views and small records cross by value as the C structs that they are (views.go makes and reads them):
 * their pointers keep their element type, so cgo sees that nothing behind them holds a pointer, and a slice of any object may be passed. SWIG alone
 * would make int32_t* a pointer to a 64-bit int: every integer type has a gotype of its own width. */
%rename("%(camelcase)s", %$isfunction) "";

%typemap(gotype) int32_t, vaa_status, vaa_field "int32"
%typemap(gotype) int64_t "int64"
%typemap(gotype) uint64_t, size_t "uint64"
%typemap(gotype) int32_t *, vaa_field * "*int32"
%typemap(gotype) int64_t * "*int64"
%typemap(gotype) uint64_t *, size_t * "*uint64"
%typemap(gotype) double * "*float64"

%insert(cgo_comment_typedefs) %{
#include "vaa/vaa.h"
%}

%define VAA_GO_STRUCT(TYPE, GO)
%typemap(gotype) TYPE "GO"
%typemap(gotype) TYPE * "*GO"
%typemap(in) TYPE %{ $1 = $input; %}
%typemap(out) TYPE %{ $result = $1; %}
%typemap(goout) TYPE ""
%enddef
VAA_GO_STRUCT(vaa_str, Str)
VAA_GO_STRUCT(vaa_ids, IDs)
VAA_GO_STRUCT(vaa_i64s, I64s)
VAA_GO_STRUCT(vaa_u8s, U8s)
VAA_GO_STRUCT(vaa_f32s, F32s)
VAA_GO_STRUCT(vaa_f64s, F64s)
VAA_GO_STRUCT(vaa_f32_rows, F32Rows)
VAA_GO_STRUCT(vaa_f64_rows, F64Rows)
VAA_GO_STRUCT(vaa_ids_out, IDsOut)
VAA_GO_STRUCT(vaa_i64s_out, I64sOut)
VAA_GO_STRUCT(vaa_u8s_out, U8sOut)
VAA_GO_STRUCT(vaa_f32s_out, F32sOut)
VAA_GO_STRUCT(vaa_f64s_out, F64sOut)
VAA_GO_STRUCT(vaa_f32_rows_out, F32RowsOut)
VAA_GO_STRUCT(vaa_f64_rows_out, F64RowsOut)
VAA_GO_STRUCT(vaa_findings, Findings)
VAA_GO_STRUCT(vaa_divergence, Divergence)
VAA_GO_STRUCT(vaa_prompt_difference, PromptDifference)

/* A handle is a number in Go: the hand-written type around it frees it. */
%define VAA_HANDLE(TYPE)
%typemap(gotype) TYPE *, const TYPE * "uintptr"
%typemap(gotype) TYPE ** "*uintptr"
%enddef
%define VAA_HANDLE_OR_NULL(TYPE)
VAA_HANDLE(TYPE)
%enddef
VAA_HANDLE(vaa_error)
