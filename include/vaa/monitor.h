/* vaa/monitor.h: stop a loop while it streams. A vaa_monitor takes the token ids or the text of one answer in chunks, as a server makes them or a client gets them, and says after
 * each whether the answer repeats itself for good. It belongs to one thread at a time; a server has one for each stream and resets it for the next.
 *
 * The state depends on what was pushed, not on where the chunks end: characters and units may be cut anywhere. A symbol (a token id, or a byte of text) costs amortised O(1); memory is taken
 * with the first chunk, below 1 MiB (4 MiB with "counters"), and never again. docs/monitor.md has the rules, how soon they decide and what was measured. */
#ifndef VAA_MONITOR_H
#define VAA_MONITOR_H

#include "vaa/check.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct vaa_monitor vaa_monitor;

enum {
  VAA_MONITOR_NOTHING = 0,
  VAA_MONITOR_SUSPECTED = 1, /* the end repeats: a loop if the limit cut the answer now; 0 again when it goes on */
  VAA_MONITOR_LOOP = 2       /* stop it; stays until vaa_monitor_reset */
};

/* Options, of which the lengths are in bytes for text and in tokens for ids:
 *   "min_count": copies of a unit that are a loop, 4 to 1000000, default 10, where they have
 *   "min_cover": this length together, 24 to 1000000, default 600 bytes or 150 tokens (1500 or 400 for one word of three letters or fewer)
 *   "long_cover": length from which 4 copies are a loop, default 4000 or 1000
 *   "symbols_cover": length from which 100 copies of what is no words (rules, numbers, white space, data) are a loop, default 4096 or 1024
 *   "max_period": the longest unit that is looked for, 128 to 16384, default 16384
 *   "prompt": the prompt as text: a repetition that it asks for, or holds itself, is no loop
 *   "counters": true finds loops whose numbers change too ("44. so it is 45. so it is"); text only
 * `vocab`, which may be NULL and is borrowed for the monitor's life, tells words from rules and numbers in ids. Without it a unit of one or two ids counts as no words. */
VAA_API vaa_status vaa_monitor_new(vaa_str options, const vaa_vocab *vocab, vaa_monitor **out_monitor, vaa_error **err);

/* The next ids, or the next bytes, of the answer; reasoning and answer alike. VAA_ERROR_ARGUMENT where ids come after text or text after ids, until the monitor is reset. */
VAA_API vaa_status vaa_monitor_push_ids(vaa_monitor *monitor, vaa_ids chunk, int32_t *out_state, vaa_error **err);
VAA_API vaa_status vaa_monitor_push_text(vaa_monitor *monitor, vaa_str chunk, int32_t *out_state, vaa_error **err);

/* None in state 0, otherwise one, repetition_loop or counter_loop: onset, length so far, unit and copies, in tokens or in bytes and characters; `measure` is the length in symbols and `threshold`
 * that from which this unit is a loop. Severity fail in state 2 (warn for counter_loop), warn in state 1 (info where the prompt excuses it). A loop that decided grows while it lasts. Borrowed until the monitor is next
 * changed. The flags that a monitor does not test are unknown. */
VAA_API vaa_status vaa_monitor_findings(vaa_monitor *monitor, vaa_findings *out_findings, vaa_error **err);
/* State, how much came, the finding in words, its excerpt the beginning of the unit: a JSON document (docs/monitor.md). */
VAA_API vaa_status vaa_monitor_report(const vaa_monitor *monitor, vaa_text **out_text, vaa_error **err);

/* Ready for another stream, with the same options and memory. */
VAA_API void vaa_monitor_reset(vaa_monitor *monitor);
VAA_API void vaa_monitor_free(vaa_monitor *monitor);

#ifdef __cplusplus
}
#endif
#endif
