"""Faults of engines, planted in real text: what planted.py measures recall with, and tests/python/test_planted.py a little of it.

A fault is a function of a source of text and a language; it gives a Case.
"""

from __future__ import annotations

import dataclasses
from typing import Callable, Optional, Union

from planted_texts import FIRST, LATIN, UNSPACED, Source


@dataclasses.dataclass
class Case:
    text: Optional[Union[str, bytes]]
    at: int = 0                      # where the fault is, in characters
    size: int = 0
    bucket: str = ""                 # its length, as the tables group it
    finish: Optional[str] = None
    prompt: Optional[str] = None
    reasoning: Optional[str] = None
    ids: Optional[list[int]] = None
    language: str = ""


PERIODS = ((1, 1), (2, 4), (5, 16), (17, 64), (65, 256), (257, 1024), (1025, 4096), (4097, 8192))  # bytes


def bucket(size: int, *edges: int) -> str:
    low = 1
    for edge in edges:
        if size <= edge:
            return f"{low}–{edge}" if low < edge else str(edge)
        low = edge + 1
    return f"{low}+"


def loop(source: Source, language: str, finish: Optional[str], inside: bool = False, thought: bool = False) -> Case:
    """An exact loop of 4 to 200 copies: as many as the rule of docs/detectors.md asks for at least, drawn above that."""
    low, high = source.random.choice([period for period in PERIODS if period[1] < source.bytes[language]])
    if low == 1 and (inside or finish == "stop"):
        low, high = PERIODS[1]  # one letter that did not run to a cut end is art or data, by rule
    unit = source.unit(language, source.between(low, high))
    size = len(unit.encode())
    least, cover = (4, 1500) if inside else (8, 300) if finish == "stop" else (4, 100 if finish else 300)
    least = max(least, -(-cover // size))
    copies = source.between(least, max(least, min(200, 200_000 // size)))
    before = source.prose(language, 100, 3000)
    at = source.gap(before)
    text = before[:at] + unit * copies
    if inside:
        text += before[at:] + "\n" + source.prose(language, 200, 2000)
    elif finish != "stop":
        text += unit[:source.random.randrange(len(unit))]
    case = Case(text, at, len(unit) * copies, f"{low}–{high}" if low < high else "1 symbol", finish, source.prompt(language))
    if thought:
        case.text, case.reasoning = "", text
    return case


def loop_ids(source: Source, language: str) -> Case:
    """On ids alone, of random ids; language only names the row."""
    period = source.between(*source.random.choice(((1, 1), (2, 16), (17, 128), (129, 2000))))
    copies = source.between(max(4, -(-72 // period)), max(200, 72 // period + 1))
    draw = source.random.randrange
    ids = [draw(150000) for _ in range(draw(20, 2000))] + [draw(150000) for _ in range(period)] * copies
    return Case(None, 0, 0, bucket(period, 1, 16, 128, 2000), source.random.choice(["length", None]), ids=ids)


def tail(source: Source, language: str, copy: Callable[[int], str], copies: int, separators: str = "\n ") -> Case:
    """A text that decays into copies, each made by `copy`."""
    before = source.prose(language, 100, 2000)
    separator = source.random.choice(separators)
    text = before + "\n" + separator.join(copy(i) for i in range(copies))
    return Case(text, len(before) + 1, len(text) - len(before) - 1, bucket(copies, 15, 30, 60, 120), "length", source.prompt(language))


def sentence(source: Source, language: str, low: int, high: int) -> list[str]:
    words = source.words[language]
    size = source.random.randint(low, high)
    at = source.random.randrange(len(words) - size)
    return words[at:at + size]


def join(words: list[str], language: str) -> str:
    return ("" if language in UNSPACED else " ").join(words)


def counter(source: Source, language: str) -> Case:
    body, start = join(sentence(source, language, 4, 14), language), source.random.choice([1, 7, 95, 1990])
    form = source.random.choice(["{}. {}", "{}) {}.", "{}: {};", "{} ({})", "[{}] {}"])
    return tail(source, language, lambda i: form.format(start + i, body), source.between(10, 120))


def one_word(source: Source, language: str) -> Case:
    body = sentence(source, language, 5, 12)
    slot = source.random.randrange(len(body))

    def copy(_: int) -> str:
        return join(body[:slot] + [source.word(language)] + body[slot + 1:], language) + "."

    return tail(source, language, copy, source.between(200 // len(body) + 1, 120), "\n ")


def white_space(source: Source, language: str) -> Case:
    body = join(sentence(source, language, 4, 14), language) + "."

    def copy(_: int) -> str:
        return body + source.random.choice([" ", "  ", "\n", "\n\n", "\t", " \n", ""])

    before = source.prose(language, 100, 2000)
    copies = source.between(12, 120)
    text = before + "\n" + "".join(copy(i) for i in range(copies))
    return Case(text, len(before) + 1, len(text) - len(before) - 1, bucket(copies, 15, 30, 60, 120), "length", source.prompt(language))


def span(source: Source, text: str, low: int, high: int) -> tuple[int, int]:
    size = min(source.between(low, high), len(text))
    at = source.random.randrange(len(text) - size + 1)
    return at, size


def mojibake(source: Source, language: str, encoding: str) -> Case:
    """Text of `language` whose UTF-8 bytes were read as another encoding: all of it, or what came after some point."""
    text = source.prose(language)
    if language in LATIN:  # letters beyond ASCII are few: at least some have to be there
        while sum(c > "\x7f" for c in text) < 8:
            text = source.prose("fra" if language == "eng" else language)
    at = source.random.choice([0, 0, source.random.randrange(len(text) // 2)])

    def wrong(data: str) -> str:
        raw = data.encode()
        if encoding == "cp1252":  # as browsers do it: five bytes without a character stay control characters
            return "".join(bytes([b]).decode("cp1252", "ignore") or chr(b) for b in raw)
        return raw.decode(encoding, "replace")

    broken = wrong_twice(text[at:]) if encoding == "double" else wrong(text[at:])
    return Case(text[:at] + broken, at, len(broken), bucket(len(text) - at, 500, 2000), None, source.prompt(language))


def wrong_twice(data: str) -> str:
    once = data.encode().decode("latin-1")
    return once.encode().decode("latin-1")


def byte_fallback(source: Source, language: str) -> Case:
    text = source.prose(language)
    at, size = span(source, text, 1, 60)
    leak = "".join(f"<0x{b:02X}>" for b in text[at:at + size].encode())
    return Case(text[:at] + leak + text[at + size:], at, len(leak), bucket(size, 1, 3, 10, 60), None, source.prompt(language))


def byte_letters() -> list[str]:
    """The letter that byte-level BPE (GPT-2's) writes for each byte."""
    plain = [*range(0x21, 0x7F), *range(0xA1, 0xAD), *range(0xAE, 0x100)]
    others = [b for b in range(256) if b not in plain]
    table = {b: chr(b) for b in plain}
    table.update((b, chr(256 + i)) for i, b in enumerate(others))
    return [table[b] for b in range(256)]


def raw_tokens(source: Source, language: str, blank: str) -> Case:
    """Tokens shown as they stand in the vocabulary: byte-level letters (Ġ), or SentencePiece's blank (▁)."""
    text = source.prose(language)
    at, size = span(source, text, 40, 2000)
    piece = text[at:at + size]
    raw = piece.replace(" ", "▁") if blank == "▁" else "".join(byte_letters()[b] for b in piece.encode())
    return Case(text[:at] + raw + text[at + size:], at, len(raw), bucket(size, 100, 500, 2000), None, source.prompt(language))


def insert(gap: Callable[[str], int], text: str, pieces: list[str]) -> Case:
    """Each piece at a place of its own, which `gap` draws; the fault lasts from the first to the last."""
    gaps = sorted(gap(text) for _ in pieces)
    for at, piece in zip(reversed(gaps), pieces):
        text = text[:at] + piece + text[at:]
    return Case(text, gaps[0], gaps[-1] - gaps[0] + sum(map(len, pieces)), bucket(len(pieces), 1, 3, 10), None)


def foreign_word(source: Source, language: str, other: str, glued: bool) -> Case:
    """1 to 3 words of another language within a text; `glued`: they touch the word before them, as a wrong token does."""
    words = [source.word(other) for _ in range(source.between(1, 3))]
    case = insert(source.behind_letter if glued else source.gap, source.prose(language), [word if glued else f" {word}" for word in words])
    case.prompt = source.prompt(language)
    return case


def salad(source: Source, language: str, kind: str) -> Case:
    """Random words instead of an answer, or from some point on."""
    count, draw = source.between(30, 600), source.random.choice
    if kind == "own words":
        words = list(dict.fromkeys(source.words[language]))
        body = join([draw(words) for _ in range(count)], language)
    elif kind == "scripts":
        body = " ".join(source.word(draw(FIRST)) for _ in range(count))
    elif kind == "pieces":  # of the text's words, glued in another order
        pieces = sorted({word[i:i + size] for word in source.words[language] for size in (2, 3, 4) for i in range(0, len(word), size)})
        body = " ".join("".join(draw(pieces) for _ in range(draw([1, 2, 2, 3]))) for _ in range(count))
    else:
        tokens = source.tokens if kind == "tokens" else source.tokens_of(language)
        body = b"".join(draw(tokens) for _ in range(count)).decode("utf-8", "replace")
    before = "" if source.random.random() < 0.5 else source.prose(language, 200, 2000) + "\n"
    return Case(before + body, len(before), len(body), bucket(count, 59, 119, 179, 300, 600), draw(["length", "stop", None]), source.prompt(language))


def inserted(source: Source, language: str, pieces: list[str], most: int) -> Case:
    case = insert(source.gap, source.prose(language), [source.random.choice(pieces) for _ in range(source.between(1, most))])
    case.prompt = source.prompt(language)
    return case


def broken_bytes(source: Source, language: str) -> Case:
    data = bytearray(source.prose(language).encode())
    count = source.between(1, 10)
    for _ in range(count):
        at = source.random.randrange(len(data))
        data[at] = source.random.choice([0xFF, 0xC0, 0xF8])
    return Case(bytes(data), 0, len(data), bucket(count, 1, 3, 10), None, source.prompt(language))


def truncated(source: Source, language: str, finish: str) -> Case:
    """Cut within a sentence, by the limit or by a stop that came too early."""
    text = source.prose(language, 400)
    at = source.random.randrange(len(text) * 2 // 3, len(text))
    while at > 10 and not (text[at - 1].isalpha() and text[at:at + 1].isalpha()):
        at -= 1
    return Case(text[:at], at, 0, bucket(at, 500, 2000), finish, source.prompt(language))


ROLES = ["\n\n### Human: {}\n\n### Assistant: {}", "\n\nHuman: {}\n\nAssistant: {}", "\nUser: {}\nAssistant: {}", "<|im_end|>\n<|im_start|>user\n{}<|im_end|>\n<|im_start|>assistant\n{}",
         "<end_of_turn>\n<start_of_turn>user\n{}<end_of_turn>\n<start_of_turn>model\n{}", "assistant\n\n{}assistant\n\n{}assistantassistantassistant",
         "<|eot_id|><|start_header_id|>user<|end_header_id|>\n\n{}<|eot_id|><|start_header_id|>assistant<|end_header_id|>\n\n{}"]


def role_run_on(source: Source, language: str) -> Case:
    text = source.prose(language, 200, 2000)
    turns = source.between(1, 4)
    more = "".join(source.random.choice(ROLES).format(source.random.choice(source.texts[language]), source.random.choice(source.texts[language])) for _ in range(turns))
    return Case(text + more, len(text), len(more), f"{turns} turns", None, source.prompt(language))


SPECIAL = ["<|im_end|>", "<|endoftext|>", "<|eot_id|>", "<｜end▁of▁sentence｜>", "<end_of_turn>", "<unused17>", "[PAD]", "<pad>", "<unk>", "[INST]", "</s>", "</tool_call>"]


def drift(source: Source, language: str, other: str) -> Case:
    """The language changes between two paragraphs and stays changed."""
    before, after = source.prose(language, 300, 3000), source.prose(other, 300, 3000)
    return Case(before + "\n\n" + after, len(before) + 2, len(after), bucket(len(after), 500, 2000), None, source.random.choice(source.texts[language]))


def broken_json(source: Source, language: str) -> Case:
    """A tool call, or an answer that is JSON, cut or damaged."""
    value = source.random.choice(source.texts[language])
    whole = '{"name": "search", "arguments": {"query": "%s", "limit": 10, "tags": ["a", "b"]}}' % value.replace('"', "'")
    how = source.random.choice(["cut", "brace", "comma", "quote"])
    if how == "cut":
        whole = whole[:source.random.randrange(20, len(whole) - 2)]
    elif how == "brace":
        whole = whole[:-1] if source.random.random() < 0.5 else whole + "}"
    elif how == "comma":
        whole = whole.replace('", "limit"', '" "limit"')
    else:
        whole = whole.replace('"query": "', '"query": ')
    call = source.random.random() < 0.5
    text = f"<tool_call>\n{whole}\n</tool_call>" if call else whole
    return Case(text, 0, len(text), ("call, " if call else "answer, ") + how, "stop", source.prompt(language))


def no_blanks(source: Source, language: str) -> Case:
    text = source.prose(language)
    wide = source.random.random() < 0.5
    return Case(text.replace(" ", "  " if wide else ""), 0, len(text), "doubled" if wide else "lost", None, source.prompt(language))


def one_symbol(source: Source, language: str) -> Case:
    count = source.between(12, 4000)
    text = source.random.choice(["!", "?", ".", " the", "\n", source.unit(language, 1), "…", "#"]) * count
    return Case(text, 0, len(text), bucket(count, 30, 100, 1000, 4000), source.random.choice(["length", None]), source.prompt(language))


def open_thought(source: Source, language: str) -> Case:
    text = "<think>\n" + source.prose(language)
    return Case(text, 0, len(text), bucket(len(text), 500, 2000), "length", source.prompt(language))


@dataclasses.dataclass
class Fault:
    name: str
    want: set[str]                                # any of these flags is right
    plant: Callable[[Source, str], Case]
    languages: list[str] = dataclasses.field(default_factory=lambda: FIRST)


LOOPS, GARBLE = {"repetition_loop"}, {"script_soup", "mixed_script_word", "replacement_char", "invalid_unicode", "control_char"}
ENCODED = [code for code in FIRST if code != "eng"] + ["fra", "deu_1996", "vie"]


def others(code: str, source: Source, among: list[str]) -> str:
    return source.random.choice([c for c in among if c != code])


FAULTS = [
    Fault("loop, to the end, cut", LOOPS, lambda s, c: loop(s, c, "length")),
    Fault("loop, to the end, finish not recorded", LOOPS, lambda s, c: loop(s, c, None)),
    Fault("loop, to the end, stopped", LOOPS, lambda s, c: loop(s, c, "stop")),
    Fault("loop, inside", LOOPS, lambda s, c: loop(s, c, "stop", inside=True)),
    Fault("loop, in a thought, cut", LOOPS, lambda s, c: loop(s, c, "length", thought=True)),
    Fault("loop, of ids alone", LOOPS, loop_ids, ["eng"]),
    Fault("near loop: counters", {"counter_loop", "repetition_loop", "low_diversity"}, counter),
    Fault("near loop: one word changes", {"low_diversity", "counter_loop", "repetition_loop"}, one_word),
    Fault("near loop: white space differs", {"repetition_loop", "low_diversity", "counter_loop"}, white_space),
    Fault("one symbol and nothing else", {"single_token_collapse", "repetition_loop", "empty"}, one_symbol),
    *[Fault(f"mojibake: UTF-8 read as {name}", {"mojibake"} if name not in ("Big5", "EUC-KR") else {"mojibake", "replacement_char"}, lambda s, c, e=encoding: mojibake(s, c, e), ENCODED)
      for name, encoding in (("Latin-1", "latin-1"), ("CP1252", "cp1252"), ("GBK", "gbk"), ("Shift-JIS", "shift_jis"), ("CP1251", "cp1251"), ("KOI8-R", "koi8-r"), ("Big5", "big5"), ("EUC-KR", "euc_kr"))],
    Fault("mojibake: encoded twice more", {"mojibake"}, lambda s, c: mojibake(s, c, "double"), ENCODED),
    Fault("byte fallback <0xE4>", {"byte_fallback_leak"}, byte_fallback),
    Fault("raw byte-level tokens (Ġ)", {"tokenizer_artifact", "mojibake"}, lambda s, c: raw_tokens(s, c, "Ġ")),
    Fault("raw SentencePiece tokens (▁)", {"tokenizer_artifact"}, lambda s, c: raw_tokens(s, c, "▁"), [c for c in FIRST if c not in UNSPACED]),
    Fault("foreign word: Han in Latin, glued", {"foreign_intrusion", "mixed_script_word"}, lambda s, c: foreign_word(s, c, "cmn_hans", True), LATIN),
    Fault("foreign word: Han in Latin, apart", {"foreign_intrusion", "mixed_script_word"}, lambda s, c: foreign_word(s, c, "cmn_hans", False), LATIN),
    Fault("foreign word: another script, glued", {"foreign_intrusion", "mixed_script_word", "script_soup"}, lambda s, c: foreign_word(s, c, others(c, s, [o for o in FIRST if o not in ("eng", "cmn_hans", "jpn", "kor")]), True)),
    Fault("salad: random tokens of one script of a vocabulary", {"word_salad"}, lambda s, c: salad(s, c, "script"), ["eng", "cmn_hans", "kor", "rus", "ell_monotonic", "arb", "hin", "hye"]),
    Fault("salad: random tokens of a vocabulary", {"script_soup", "word_salad", *GARBLE}, lambda s, c: salad(s, c, "tokens")),
    Fault("salad: pieces of words", {"word_salad"}, lambda s, c: salad(s, c, "pieces"), [c for c in FIRST if c not in UNSPACED]),
    Fault("salad: the text's own words", {"word_salad"}, lambda s, c: salad(s, c, "own words")),
    Fault("salad: words of many scripts", {"script_soup", "word_salad"}, lambda s, c: salad(s, c, "scripts")),
    Fault("U+FFFD", {"replacement_char"}, lambda s, c: inserted(s, c, ["\ufffd", "\ufffd\ufffd", "\ufffd\ufffd\ufffd"], 10)),
    Fault("control characters", {"control_char"}, lambda s, c: inserted(s, c, ["\0", "\x1c", "\x7f", "\x08"], 10)),
    Fault("bytes that are no UTF-8", {"invalid_unicode"}, broken_bytes),
    Fault("private use and unassigned", {"unassigned_or_private"}, lambda s, c: inserted(s, c, ["\ue000", "\uf8ff", "\U000f1234", "\u0378"], 10)),
    Fault("special tokens", {"special_token_leak"}, lambda s, c: inserted(s, c, SPECIAL, 5)),
    Fault("role run-on", {"role_leak", "special_token_leak"}, role_run_on),
    Fault("open thought", {"think_unclosed"}, open_thought),
    Fault("cut by the limit", {"truncated"}, lambda s, c: truncated(s, c, "length")),
    Fault("stopped within a sentence", {"premature_stop"}, lambda s, c: truncated(s, c, "stop")),
    Fault("wrong language half-way: another script", {"lang_drift"}, lambda s, c: drift(s, c, others(c, s, [o for o in FIRST if {o, c} != {"cmn_hans", "jpn"}]))),
    Fault("wrong language half-way: same script", {"lang_drift"}, lambda s, c: drift(s, c, others(c, s, LATIN)), LATIN),
    Fault("broken JSON", {"json_invalid"}, broken_json),
    Fault("blanks lost or doubled", {"spacing_anomaly"}, no_blanks, [c for c in FIRST if c not in UNSPACED]),
]


def clean(source: Source, language: str) -> Case:
    """No fault: prose, whole or with another end of a text behind it."""
    return Case(source.prose(language), finish=source.random.choice(["stop", None]), prompt=source.prompt(language))
