"""Progress, for tests."""


class Told:
    """Progress that remembers what it was told."""

    def __init__(self):
        self.notes, self.steps = [], 0

    def start(self, what, total):
        pass

    def advance(self, steps=1, note=""):
        self.notes.append(note)
        self.steps += steps
