/* Python: how each type of the border crosses. The work is done by python_views.h, which the generated file includes: arrays come in by the buffer
 * protocol without copies, the buffer held for the whole call, with the GIL released; what C lends out goes out as a vaa View that keeps its owner. */
%{
#include "python_views.h"
%}
%init %{
  if (vaa_views_ready(m) < 0) return NULL;
%}

/* Errors are made into exceptions here; _free is called by the class of a handle. */
%rename("$ignore", regexmatch$name="^vaa_error_") "";
%rename("$ignore", regexmatch$name="^vaa_.*_free$") "";

%typemap(arginit) vaa_error ** "vaa_error *vaa_slot = NULL;"
%typemap(in, numinputs=0) vaa_error ** "$1 = &vaa_slot;"
%typemap(out) vaa_status %{
  if ($1 != VAA_OK) {
    vaa_raise($1, vaa_slot);
    SWIG_fail;
  }
  $result = SWIG_Py_Void();
%}

%define VAA_PYTHON_VIEW(TYPE)
%typemap(in) TYPE (vaa_held held = {0}) %{
  if (!vaa_take_ ## TYPE($input, "$1_name", &held, &$1)) SWIG_fail;
%}
%typemap(freearg) TYPE %{ vaa_drop(&held$argnum); %}
%enddef
VAA_PYTHON_VIEW(vaa_str)
VAA_PYTHON_VIEW(vaa_ids)
VAA_PYTHON_VIEW(vaa_i64s)
VAA_PYTHON_VIEW(vaa_u8s)
VAA_PYTHON_VIEW(vaa_f32s)
VAA_PYTHON_VIEW(vaa_f64s)
VAA_PYTHON_VIEW(vaa_f32_rows)
VAA_PYTHON_VIEW(vaa_f64_rows)
VAA_PYTHON_VIEW(vaa_ids_out)
VAA_PYTHON_VIEW(vaa_i64s_out)
VAA_PYTHON_VIEW(vaa_u8s_out)
VAA_PYTHON_VIEW(vaa_f32s_out)
VAA_PYTHON_VIEW(vaa_f64s_out)
VAA_PYTHON_VIEW(vaa_f32_rows_out)
VAA_PYTHON_VIEW(vaa_f64_rows_out)

/* Numbers: whatever has __index__ or __float__, so numpy's too; out of range is an OverflowError that names the parameter. */
%define VAA_PYTHON_NUMBER(TYPE, KIND)
%typemap(in) TYPE %{
  if (!vaa_take_ ## KIND($input, "$1_name", &$1)) SWIG_fail;
%}
%typemap(out) TYPE %{ $result = vaa_make_ ## KIND($1); %}
%typemap(in, numinputs=0) TYPE * (TYPE number = 0) %{ $1 = &number; %}
%typemap(argout) TYPE * %{ if (!($result = vaa_append($result, vaa_make_ ## KIND(*$1)))) SWIG_fail; %}
%enddef
VAA_PYTHON_NUMBER(int32_t, int32)
VAA_PYTHON_NUMBER(vaa_field, int32)
VAA_PYTHON_NUMBER(int64_t, int64)
VAA_PYTHON_NUMBER(uint64_t, uint64)
VAA_PYTHON_NUMBER(size_t, size)
VAA_PYTHON_NUMBER(double, double)
%typemap(in) vaa_status %{
  if (!vaa_take_int32($input, "$1_name", &$1)) SWIG_fail;
%}

/* Text that comes back: str, or bytes where it is not UTF-8 (lone surrogates are taken as UTF-8 would write them). */
%typemap(out) vaa_str %{ $result = vaa_make_str($1); %}
%typemap(in, numinputs=0) vaa_str * (vaa_str text = {0}) %{ $1 = &text; %}
%typemap(argout) vaa_str * %{ if (!($result = vaa_append($result, vaa_make_str(*$1)))) SWIG_fail; %}

/* Arrays that are lent: a View, which keeps the first argument alive. */
%define VAA_PYTHON_LENT(TYPE, FORMAT)
%typemap(in, numinputs=0) TYPE * (TYPE lent = {0}) %{ $1 = &lent; %}
%typemap(argout) TYPE * %{
  if (!($result = vaa_append($result, vaa_make_view(swig_obj[0], $1->data, $1->size, FORMAT, sizeof *$1->data)))) SWIG_fail;
%}
%enddef
VAA_PYTHON_LENT(vaa_ids, "i")
VAA_PYTHON_LENT(vaa_i64s, "q")
VAA_PYTHON_LENT(vaa_u8s, "B")
VAA_PYTHON_LENT(vaa_f32s, "f")
VAA_PYTHON_LENT(vaa_f64s, "d")

/* Findings: [a tuple of tuples in the order of vaa_finding, the bits of the unknown flags]. */
%typemap(in, numinputs=0) vaa_findings * (vaa_findings found = {0}) %{ $1 = &found; %}
%typemap(argout) vaa_findings * %{ if (!($result = vaa_append($result, vaa_make_findings($1)))) SWIG_fail; %}

/* Small records: a list of their members, in order. */
%typemap(in, numinputs=0) vaa_divergence * (vaa_divergence record) %{ $1 = &record; %}
%typemap(argout) vaa_divergence * %{ if (!($result = vaa_append($result, vaa_make_divergence($1)))) SWIG_fail; %}
%typemap(in, numinputs=0) vaa_prompt_difference * (vaa_prompt_difference record) %{ $1 = &record; %}
%typemap(argout) vaa_prompt_difference * %{ if (!($result = vaa_append($result, vaa_make_prompt_difference($1)))) SWIG_fail; %}

/* A handle is a class that frees itself. */
%define VAA_HANDLE_OR_NULL(TYPE)
%typemap(in, numinputs=0) TYPE ** (TYPE *made = NULL) %{ $1 = &made; %}
%typemap(argout) TYPE ** %{
  if (!($result = vaa_append($result, SWIG_NewPointerObj(*$1, $*1_descriptor, SWIG_POINTER_OWN)))) SWIG_fail;
%}
struct TYPE {};
%extend TYPE {
  ~TYPE() { TYPE ## _free($self); }
}
%enddef
%define VAA_HANDLE(TYPE)
%typemap(check) TYPE *, const TYPE * %{
  if (!$1) {
    PyErr_SetString(PyExc_TypeError, "$1_name: is None");
    SWIG_fail;
  }
%}
VAA_HANDLE_OR_NULL(TYPE)
%enddef
