"""What slip answers with what it keeps of a box, held against what it answers without."""

import os

import world

KEPT = ["catalogue", "catalogue.log", "history"]
QUESTIONS = [["list", "--json"], ["search", "text", "--json"]]


class Answers:
    """The answers in a box as it is; asking may make slip take up what was interrupted."""

    def __init__(self, slip, folder, read=None):
        results = [slip(folder, question) for question in [*QUESTIONS, *([read] if read else [])]]
        self.answers = [(result.status, result.output) for result in results]
        self.read = results[-1] if read else None
        self.errors = b"".join(result.errors for result in results)

    @classmethod
    def anew(cls, slip, folder, read=None):
        """The answers where nothing is kept; what was kept is there again afterwards."""
        places = [os.path.join(folder, ".git/slipbox", name) for name in KEPT]
        for place in places:
            if os.path.exists(place):
                os.rename(place, place + ".aside")
        found = cls(slip, folder, read)
        for place in places:
            if os.path.exists(place):
                os.remove(place)
            if os.path.exists(place + ".aside"):
                os.rename(place + ".aside", place)
        return found

    def differences(self, anew):
        """What differs from answers without anything kept, and what was not answered at all."""
        problems = []
        for question, (own, other) in zip([*QUESTIONS, ["the command"]], zip(self.answers, anew.answers)):
            if other[0] != 0:
                problems.append(f"{' '.join(question)}, nothing kept: exit {other[0]}")
            if own != other:
                problems.append(f"{' '.join(question)}: {own[1]!r} is answered, anew {other[1]!r}"[:480])
        return problems
