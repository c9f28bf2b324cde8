"""What comparisons of simulated runs said, counted."""
import collections
import statistics

import vaa


class Tally:
    """Verdicts, and of each step: how often its own p (before Holm) is below 5 %, for a difference and for one beyond the margin, and its effects."""

    def __init__(self):
        self.runs, self.verdicts, self.kinds, self.families = 0, collections.Counter(), collections.Counter(), {}
        self.differs, self.beyond, self.statuses, self.effects = collections.Counter(), collections.Counter(), collections.Counter(), collections.defaultdict(list)

    def add(self, comparison):
        """`comparison`: that member of a report's document."""
        self.runs += 1
        self.verdicts[comparison["verdict"]] += 1
        self.kinds.update(comparison.get("kinds") or ())
        for step in comparison["steps"]:
            name = step["name"]
            self.families[name] = step["family"]
            self.statuses[name, step["status"]] += 1
            self.differs[name] += step["p"] is not None and step["p"] < 0.05
            self.beyond[name] += step["p_beyond"] is not None and step["p_beyond"] < 0.05
            if step["effect"] is not None:
                self.effects[name].append(step["effect"])

    def share(self, counter, name):
        return f"{counter[name] / self.runs:.1%}"

    def effect(self, name):
        return f"{statistics.median(self.effects[name]):.3g}" if self.effects[name] else "–"

    def step_cell(self, name):
        """Shares that differ, and beyond the margin, and the median effect."""
        return f"{self.share(self.differs, name)}, {self.share(self.beyond, name)}; {self.effect(name)}" if self.effects[name] else "–"

    def passes(self):
        return sum(self.verdicts[v] for v in ("identical", "equivalent", "no_difference_found"))

    def cells(self):
        """runs | worse | 95 % limits | undecided | passes"""
        worse = self.verdicts["worse"]
        low, high = vaa.stats.clopper_pearson(worse, self.runs)[:2]
        return [str(self.runs), str(worse), f"{low:.1%} to {high:.1%}", str(self.verdicts["undecided"]), str(self.passes())]


def row(cells):
    return "| " + " | ".join(cells) + " |"
