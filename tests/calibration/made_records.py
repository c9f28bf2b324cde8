"""Files of vaa.record/1 from answers of made_model.py: a run header, prompt ids, output ids, logprobs and lists; ladder rungs; teacher-forced measurements."""
import json

import numpy as np

BOS = 1
SYLLABLES = ("ba", "con", "der", "fin", "gor", "hal", "ist", "jun", "kel", "lor", "men", "nar", "oth", "per", "qui", "ran", "ser", "tal", "und", "ver")


def word(token):
    """The text of an id: three syllables and a space, another one for every id below 8,000."""
    return " " + SYLLABLES[token % 20] + SYLLABLES[token // 20 % 20] + SYLLABLES[token // 400 % 20]


def header(**more):
    return json.dumps({"schema": "vaa.run/1", "model": {"name": "made-1b", "revision": "1"}, "engine": {"name": "made", "version": "1"}, "hardware": "made", "logprobs_mode": "raw_logprobs", **more}) + "\n"


def prompt_ids(number, length=12):
    """Of question `number`, after a BOS."""
    return [BOS, *((np.arange(1, length) * 7919 + number * 104729) % 31000 + 10).tolist()]


def micro(logprobs):
    """In millionths of a nat, so that they can be written as whole numbers with an exponent."""
    return np.rint(logprobs.astype(np.float64) * 1e6).astype(np.int64)


def numbers(values):
    return "[" + ",".join(["%de-6"] * len(values)) % tuple(values.tolist()) + "]"


def lists(ids, logprobs):
    """Top lists of n positions, one format for all of them."""
    one = "[" + ",".join(["[%d,%de-6]"] * ids.shape[1]) + "]"
    return "[" + ",".join([one] * len(ids)) % tuple(np.stack([ids, micro(logprobs)], axis=-1).ravel().tolist()) + "]"


def joined(beginning, part, token_ids, logprobs, top):
    """A record of `beginning` (a dict) and of one `part` that holds long lists, which json.dumps is too slow for."""
    return json.dumps(beginning)[:-1] + f',"{part}":{{"token_ids":{token_ids},"logprobs":{logprobs},"top_logprobs":{top}'


def answer_records(answers, temperature=0.0, text=False, seed=None, first_of=prompt_ids, correct=None, finish=None, clipped=()):
    """One line an answer. first_of(number): prompt ids; correct: a list of bool; finish: names by answer where they are not what the lengths say; clipped: answers whose text lacks its last character."""
    for i, length in enumerate(answers.lengths.tolist()):
        ids = answers.ids[i, :length]
        reason = finish[i] if finish else "stop" if answers.stopped[i] else "length"
        sampling = {"temperature": temperature, "max_tokens": answers.ids.shape[1], **({} if seed is None else {"seed": seed})}
        record = {"schema": "vaa.record/1", "id": str(i), "dataset": "made", "prompt": {"token_ids": first_of(i)}, "finish_reason": reason, "sampling": sampling}
        if correct is not None:
            record["score"] = {"metric": "accuracy", "correct": bool(correct[i])}
        line = joined(record, "output", str(ids.tolist()), numbers(micro(answers.logprobs[i, :length])), lists(answers.list_ids[i, :length], answers.list_logprobs[i, :length]))
        line += ',"ids_provenance":"engine","ids_include_stop":true'
        words = "".join(map(word, ids[:-1].tolist()))
        yield line + (',"text":' + json.dumps(words[:-1] if i in clipped else words) if text else "") + "}}\n"


def rung_records(answers, at, of):
    """Continuations after cuts at absolute positions `at` of answers `of`, as `vaa ladder` writes them: without the prompt's ids."""
    for i, length in enumerate(answers.lengths.tolist()):
        rung = {"of": str(of[i]), "dataset": "made", "repeat": 0, "at": int(at[i]), "prompt_tokens": 12, "server": 0, "prompt_ids": "engine", "output_ids": "engine"}
        record = {"schema": "vaa.record/1", "id": f"{of[i]}@{at[i]}", "repeat": 0, "dataset": "made", "finish_reason": "stop" if answers.stopped[i] else "length",
                  "sampling": {"temperature": 0.0, "max_tokens": answers.ids.shape[1]}, "extra": {"rung": rung}}
        yield joined(record, "output", str(answers.ids[i, :length].tolist()), numbers(micro(answers.logprobs[i, :length])), lists(answers.list_ids[i, :length], answers.list_logprobs[i, :length])) + ',"ids_provenance":"engine"}}\n'


def forced_records(answers, begin=12):
    """Prompt logprobs of whole texts: null for the first id, which nothing stands before."""
    for i in range(len(answers.ids)):
        record = {"schema": "vaa.record/1", "id": str(i), "dataset": "made", "forced": {"of": str(i), "from": begin}, "sampling": {"temperature": 0.0, "max_tokens": 1}}
        rest = numbers(micro(answers.logprobs[i, 1:]))
        yield joined(record, "prompt", str([BOS, *answers.ids[i, 1:].tolist()]), "[null," + rest[1:], "[[]," + lists(answers.list_ids[i, 1:], answers.list_logprobs[i, 1:])[1:]) + "}}\n"
