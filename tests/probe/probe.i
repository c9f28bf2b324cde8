/* The probe through the same typemaps as the library. */
%module cprobe
%{
#include "probe.h"
%}
%include "border.i"
%import "vaa/base.h"
%import "vaa/sample.h"
%import "vaa/check.h"
VAA_HANDLE_OR_NULL(vaa_vocab)
VAA_HANDLE(probe_thing)
%include "probe.h"
