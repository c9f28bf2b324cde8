/* The whole public API for Python and Go. A new function needs no line here; a new handle type needs one; a new header one. */
#ifdef SWIGGO
%module cvaa
#else
%module(package="vaa") cvaa
#endif

%{
#include "vaa/vaa.h"
%}
%include "border.i"

/* What may be left out (None, nil) is VAA_HANDLE_OR_NULL. */
VAA_HANDLE_OR_NULL(vaa_vocab)
VAA_HANDLE_OR_NULL(vaa_task)
VAA_HANDLE(vaa_text)
VAA_HANDLE(vaa_report)
VAA_HANDLE(vaa_sample)
VAA_HANDLE_OR_NULL(vaa_records)
VAA_HANDLE(vaa_cursor)
VAA_HANDLE(vaa_checker)
VAA_HANDLE(vaa_tally)
VAA_HANDLE(vaa_comparison)
VAA_HANDLE(vaa_variants)
VAA_HANDLE(vaa_monitor)
VAA_HANDLE(vaa_diff)
VAA_HANDLE(vaa_reply)
VAA_HANDLE(vaa_metrics)
VAA_HANDLE(vaa_audit)
VAA_HANDLE(vaa_verifier)
VAA_HANDLE(vaa_rng)
VAA_HANDLE(vaa_engine)
VAA_HANDLE(vaa_sampler)
VAA_HANDLE(vaa_calibration)
VAA_HANDLE(vaa_replay)

%include "vaa/base.h"
%include "vaa/error.h"
%include "vaa/task.h"
%include "vaa/report.h"
%include "vaa/sample.h"
%include "vaa/records.h"
%include "vaa/vocab.h"
%include "vaa/check.h"
%include "vaa/compare.h"
%include "vaa/variants.h"
%include "vaa/monitor.h"
%include "vaa/diff.h"
%include "vaa/reply.h"
%include "vaa/metrics.h"
%include "vaa/rng.h"
%include "vaa/sampler.h"
%include "vaa/calibrate.h"
%include "vaa/replay.h"
%include "vaa/align.h"
%include "vaa/reject.h"
%include "vaa/stats.h"
