"""What the server planted in a run, as rows that a test can hold against `vaa check`, and the run's PROVENANCE.md.

A row: dataset, id, repeat (rank among the lines of that id in the stored file), kind, flags_expected (must be found, at
any severity), flags_allowed (may be found too; anything else is a false alarm), request_failed; where it says more,
also unknown (flags that the format hides), finish ("length": the server cut it), retried (the text of a broken first
attempt stands before the answer) and missing (answered, and lost by the tool). A kind is a row of answers.KINDS.
"""
import glob
import json
import os
from collections import Counter

import answers
import questions

FAILS = {"http500", "disconnect", "badjson", "stream_abort", "stream_bad_json"}
UNCLOSED = {"unclosed", "unclosed_right", "unclosed_loop"}


def reading(tool, entry):
    """The text as the tool stores it."""
    content = "" if entry["fault"] == "error200" else entry["content"] or ""
    if tool == "ais" and entry["reasoning"]:
        return entry["reasoning"] + ("</think>" + content if content else "")
    return content


def stored(tool, folder):
    """(dataset, id) → texts in the order of the file."""
    found = {}
    if tool == "ais":
        for path in glob.glob(os.path.join(folder, "predictions", "*", "*.jsonl")):
            if not path.endswith("_failed.jsonl"):
                with open(path, encoding="utf-8", errors="surrogatepass") as lines:
                    for row in map(json.loads, lines):
                        found.setdefault((row["data_abbr"], row["id"]), []).append(row["prediction"])
    else:
        for path in glob.glob(os.path.join(folder, "samples_*.jsonl")):
            with open(path, encoding="utf-8") as lines:
                for row in map(json.loads, lines):
                    found[row["doc_id"]] = row["resps"][0]
    return found


def judged(run, form, kind, finish, partial=False):
    """flags_expected, flags_allowed and unknown of one kind in this tool's files, which never record the finish reason."""
    expected, allowed, unknown = list(answers.KINDS[kind][1]), list(answers.KINDS[kind][2]), ["truncated"]
    if finish == "length" or partial:
        allowed += ["truncated", "no_final_answer"]
    if form == "boxed" and kind in ("no_final", "cut"):     # the prompt asks for a box, and there is none
        expected.append("no_final_answer")
    if run["tool"] == "ais":
        if kind == "orphan":        # the reader splits at a lone closing tag
            expected.remove("think_orphan_close")
        if run.get("reasoning_parser") and kind in UNCLOSED | {"think_only"}:
            expected = [flag for flag in expected if flag not in ("think_unclosed", "empty")]
            allowed.append("no_final_answer")
            unknown.append("think_unclosed")
    elif kind == "unclosed_right":  # its last line holds the gold, and strict-match finds nothing
        allowed.append("answer_not_extracted")
    return expected, sorted(set(allowed) - set(expected)), unknown


def row_of(run, name, repeat, entry, retried):
    dataset, number = name
    failed = entry["fault"] in FAILS
    kind, fault = entry["kind"], entry["fault"]
    expected, allowed, unknown = judged(run, run["sets"].get(dataset), kind, entry["finish"],
                                        fault in ("stream_no_done", "stream_error"))
    row = {"dataset": dataset if run["tool"] == "ais" else "gsm8k_local", "id": number, "repeat": repeat, "kind": kind,
           "flags_expected": [] if failed else expected, "flags_allowed": [] if failed else allowed,
           "request_failed": failed}
    if unknown and not failed:
        row["unknown"] = unknown
    if entry["finish"] == "length" and not failed:
        row["finish"] = "length"
    if retried and not failed:
        row["retried"] = True
        row["flags_allowed"] = sorted(set(allowed + ["repetition_loop"]))
    return row


def rows(run, names, served, folder):
    """One row a sample that was asked for, in order of dataset and id."""
    if not names:       # loglikelihoods: there is no text to judge
        return [{"dataset": "cloze_local", "id": n, "repeat": 0, "kind": "loglikelihood", "flags_expected": [],
                 "flags_allowed": [], "request_failed": False} for n in range(len(questions.CLOZE))]
    texts, found = stored(run["tool"], folder), []
    if run.get("lost"):
        return [{"dataset": name[0] if run["tool"] == "ais" else "gsm8k_local", "id": name[1], "repeat": 0,
                 "kind": run["plan"][name[0]][name[1]][0], "flags_expected": [], "flags_allowed": [], "request_failed": False,
                 "missing": True} for name in names]
    by_item = {}
    for entry in served:
        by_item.setdefault(entry["item"], []).append(entry)
    for item, entries in sorted(by_item.items()):
        name = names[item]
        lines = list(texts.get(name if run["tool"] == "ais" else name[1], []))
        wanted = run.get("repeats", 1)
        tries = [e for e in entries if e["fault"] not in FAILS]
        broken = [e for e in entries if e["fault"] in FAILS]
        retried = bool(tries) and any(e["fault"] == "stream_abort" for e in broken)
        for entry in tries:
            text = reading(run["tool"], entry)
            place = next((n for n, line in enumerate(lines) if line == text or
                          (line is not None and retried and line.endswith(text))
                          or (line and entry["fault"] in ("stream_no_done", "stream_error") and text.startswith(line))), None)
            if place is None:
                raise SystemExit("%s: the stored text of kind %s is not what was served" % (name, entry["kind"]))
            lines[place] = None
            found.append(row_of(run, name, place, entry, retried))
        if not retried:
            for n in range(wanted - len(tries)):    # the tries of one failed request count once
                found.append(row_of(run, name, None, broken[min(n, len(broken) - 1)], False))
    return sorted(found, key=lambda row: (row["dataset"], row["id"], row["repeat"] is None, row["repeat"] or 0))


def provenance(name, what, tool, command, date, found, changed):
    counts = Counter(row["kind"] + (" (first attempt broken)" if row.get("retried") else "") for row in found)
    lines = ["# %s" % name, "", "A genuine output folder: %s." % what, "",
             "- tool: %s" % tool,
             "- command, run in the work folder of `tests/realtools/make.sh` (/tmp/eval):", "", "      " + command, "",
             "- date: %s" % date,
             "- server: `tests/realtools/server.py`, no model behind it; questions and answers are our own",
             "- changed afterwards: %s" % changed, ""]
    if counts:
        lines += ["What the server planted (sample by sample in `planted.json`, made by `tests/realtools/planted.py`):", "",
                  "| kind | samples |", "|---|---|"]
        lines += ["| %s | %d |" % pair for pair in sorted(counts.items())]
        lines += [""]
    return "\n".join(lines)
