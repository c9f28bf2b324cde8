/* vaa/capture.h for Python and Go: a module of its own, so that nobody loads libcurl who asks nothing. In Python it is linked with its own copy of the library and shares nothing
 * with _cvaa but the exception: handles stay within the module, what leaves it is text. */
#ifdef SWIGGO
%module ccapture
#else
%module(package="vaa") capture
%begin %{
#define SWIG_TYPE_TABLE vaa_capture
#define VAA_ERROR_OF "vaa._cvaa"
%}
#endif

%{
#include "vaa/vaa.h"
#include "vaa/capture.h"
%}
%include "border.i"
#ifdef SWIGGO
%insert(cgo_comment_typedefs) %{
#include "vaa/capture.h"
%}
#endif

VAA_HANDLE_OR_NULL(vaa_task)
VAA_HANDLE(vaa_text)
VAA_HANDLE(vaa_report)
VAA_HANDLE(vaa_sample)
VAA_HANDLE(vaa_asker)

%include "vaa/base.h"
%include "vaa/error.h"
%include "vaa/task.h"
%include "vaa/report.h"
%include "vaa/sample.h"
%include "vaa/capture.h"
