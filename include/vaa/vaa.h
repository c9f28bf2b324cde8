/* vaa/vaa.h: all of vaa, and the manual's first page.
 *
 * vaa tells whether an LLM inference engine still produces what the model should produce, and where it goes wrong.
 *
 *   vaa_records *records; vaa_checker *checker; vaa_report *report; vaa_error *err;
 *   vaa_records_open(path, no_options, &records, &err)              a file or a run folder, format found by content
 *   vaa_checker_new(no_options, NULL, &checker, &err)               the detectors
 *   vaa_check_records(checker, records, no_options, NULL, &report, &err)
 *   vaa_report_verdict(report)                                      0 passes, 1 fails, 2 not checked, 3 undecided
 *
 * Read in this order: base.h (the rules of every call), error.h, task.h, report.h, sample.h, records.h, vocab.h, check.h, compare.h, monitor.h, reply.h, metrics.h, rng.h, stats.h, sampler.h, calibrate.h, replay.h, align.h, reject.h.
 * examples/check.c is a whole program. */
#ifndef VAA_VAA_H
#define VAA_VAA_H

#include "vaa/align.h"
#include "vaa/base.h"
#include "vaa/calibrate.h"
#include "vaa/check.h"
#include "vaa/compare.h"
#include "vaa/variants.h"
#include "vaa/diff.h"
#include "vaa/error.h"
#include "vaa/metrics.h"
#include "vaa/monitor.h"
#include "vaa/records.h"
#include "vaa/reject.h"
#include "vaa/replay.h"
#include "vaa/reply.h"
#include "vaa/report.h"
#include "vaa/rng.h"
#include "vaa/sample.h"
#include "vaa/sampler.h"
#include "vaa/stats.h"
#include "vaa/task.h"
#include "vaa/vocab.h"

#endif
