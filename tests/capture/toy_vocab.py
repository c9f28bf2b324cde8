"""A vocabulary of 520 ids: 8 special ones, the 256 bytes, 256 pieces of text. Any text can be encoded, any ids decoded.

Some pieces end inside a character (`FOLLOW` says which byte completes them), and some texts can be cut into pieces in
several ways: so ids that a model generated need not come back when their text is encoded again, as with real tokenizers.
"""
import codecs

SPECIAL = ["<pad>", "<s>", "</s>", "<|user|>", "<|assistant|>", "<think>", "</think>", "<unused>"]
PAD, BOS, EOS, USER, ASSISTANT, THINK, THINK_END = range(7)
FIRST_BYTE = len(SPECIAL)
FIRST_PIECE = FIRST_BYTE + 256

WORDS = """the of and to in a is that it for on with as at by be from or an are this not one all we can has when there each which
do how if will up other about out many then them these so some her would make like him into time two more go see number no way
could people my than first water been call who its now find long down day did get come made may part over new sound take only
little work know place year live me back give most very after thing our just name good sentence man think say great where help
through much before line right too mean old any same tell boy follow came want show also around form three small set put end
does another well large must big even such because turn here""".split()
SUFFIXES = "s ed ing ly er est ion ness . , ; : ! ? \n \n\n ( ) = + - * / { } \" ' 0 1 2 3 4 5 6 7 8 9 th he e t".split(" ")
CHARACTERS = list("的一是不了在有人这中大来上个国到说们为子和你地出道也时年得就那要下以生会é×🙂")
HEADS = [b" caf\xc3", b"\xe4\xb8", b"\xf0\x9f\x99", b" na\xc3"]      # each ends inside a character …
TAILS = [0xA9, 0xAD, 0x82, 0xAF]                                        # … that this byte completes

PIECES = [(" " + word).encode() for word in WORDS] + [text.encode() for text in SUFFIXES + CHARACTERS] + HEADS
PIECES += [b" %d" % number for number in range(10, 10 + 256 - len(PIECES))]
assert len(PIECES) == 256 == len(set(PIECES))

BYTES = [b""] * FIRST_BYTE + [bytes([byte]) for byte in range(256)] + PIECES
SIZE = len(BYTES)
FOLLOW = {FIRST_PIECE + PIECES.index(head): FIRST_BYTE + tail for head, tail in zip(HEADS, TAILS)}
_IDS = {piece: FIRST_PIECE + number for number, piece in enumerate(PIECES)}
_LONGEST = max(map(len, PIECES))


def encode(text):
    """The longest piece at each place, else a byte. Special ids do not come out of text."""
    data, at, ids = text.encode(), 0, []
    while at < len(data):
        for size in range(min(_LONGEST, len(data) - at), 0, -1):
            found = _IDS.get(data[at:at + size])
            if found is not None:
                break
        else:
            found, size = FIRST_BYTE + data[at], 1
        ids.append(found)
        at += size
    return ids


def decode(ids):
    """The text of all ids; special ones have none, and bytes that are no UTF-8 become U+FFFD."""
    return b"".join([BYTES[i] for i in ids]).decode(errors="replace")


def shown(token):
    """What an engine shows for one id alone, as in lists of logprobs."""
    return SPECIAL[token] if token < FIRST_BYTE else BYTES[token].decode(errors="replace")


def apply_template(messages):
    """The ids of a chat: <s>, then a mark and the text of each message, then the mark of the answer."""
    ids = [BOS]
    for message in messages:
        content = message.get("content") or ""
        if isinstance(content, list):
            content = "".join(part.get("text", "") for part in content)
        ids.append(ASSISTANT if message.get("role") == "assistant" else USER)
        ids += encode(content)
    return ids + [ASSISTANT]


class Detokenizer:
    """Ids to text as they come: a character is held back until it is whole, text until no stop string can begin in it."""

    def __init__(self, stops=()):
        self.decoder = codecs.getincrementaldecoder("utf-8")("replace")
        self.stops = [stop for stop in stops if stop]
        self.held = ""
        self.stop = None        # the stop string that was met

    def push(self, ids, last=False):
        """The text that may be sent now. After a stop string was met nothing more comes."""
        text = self.held + self.decoder.decode(b"".join([BYTES[i] for i in ids]), last)
        if not self.stops:
            return text
        places = [(text.find(stop), stop) for stop in self.stops if stop in text]
        if places:
            place, self.stop = min(places)
            self.held = ""
            return text[:place]
        keep = 0 if last else max(self._open(text, stop) for stop in self.stops)
        self.held = text[len(text) - keep:]
        return text[:len(text) - keep]

    @staticmethod
    def _open(text, stop):
        """How many characters at the end of the text may be the beginning of the stop string."""
        return max(size for size in range(len(stop)) if text.endswith(stop[:size]))
