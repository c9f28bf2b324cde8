"""A 4-gram model of words, trained in seconds: its samples read like language, its greedy texts loop as those of larger models do."""
import collections
import itertools
import random
import re

ORDER = 4


class Model:
    def __init__(self, texts):
        self.next = [collections.defaultdict(collections.Counter) for _ in range(ORDER)]  # by length of context
        self.weights, self.best = {}, {}  # of contexts that were met
        for text in texts:
            tokens = re.findall(r" ?\w+|\s|[^\w\s]", text)
            for at, token in enumerate(tokens):
                for size in range(1, min(at, ORDER - 1) + 1):
                    self.next[size][tuple(tokens[at - size : at])][token] += 1
        self.starts = list(self.next[ORDER - 1])  # in the order of the texts, so the same each time

    def sample(self, length: int, temperature: float, rng: random.Random) -> str:
        """`length` tokens; a context seen with one continuation only is shortened three times of ten, so that texts are not copied. Temperature 0 takes the most frequent."""
        out = list(rng.choice(self.starts))
        while len(out) < length:
            size = min(len(out), ORDER - 1)
            while size > 1 and not self._usable(self.next[size].get(tuple(out[len(out) - size :])), temperature, rng):
                size -= 1
            context = tuple(out[len(out) - size :])
            counts = self.next[size].get(context)
            if not counts:  # the end of all texts
                out += ["\n\n", *rng.choice(self.starts)]
            elif temperature:
                if (context, temperature) not in self.weights:
                    self.weights[context, temperature] = list(counts), list(itertools.accumulate(n ** (1 / temperature) for n in counts.values()))
                words, weights = self.weights[context, temperature]
                out += rng.choices(words, cum_weights=weights)
            else:
                if context not in self.best:
                    self.best[context] = max(counts.items(), key=lambda item: (item[1], item[0]))[0]
                out.append(self.best[context])
        return "".join(out)

    @staticmethod
    def _usable(counts, temperature, rng) -> bool:
        return bool(counts) and (not temperature or len(counts) > 1 or rng.random() > 0.3)


def loops(text: str) -> bool:
    """Whether the end consists of at least 4 copies of one piece and 200 characters, by comparing the text with itself at every shift."""
    for period in range(1, len(text) // 4 + 1):
        cover = period
        while cover < len(text) and text[-1 - cover] == text[-1 - cover + period]:
            cover += 1
        if cover >= 4 * period and cover >= 200:
            return True
    return False
