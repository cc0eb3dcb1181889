"""Texts as editors have them, with positions in the encoding that was agreed on."""


class Text:
    def __init__(self, text, encoding):
        self.text, self.encoding = text, encoding

    def units(self, text):
        """The length of a part of a line."""
        if self.encoding == "utf-8":
            return len(text.encode("utf-8"))
        return len(text.encode("utf-16-le")) // 2 if self.encoding == "utf-16" else len(text)

    def line_starts(self):
        starts = [0]
        index = 0
        while index < len(self.text):
            if self.text[index] == "\r" and self.text[index + 1:index + 2] == "\n":
                index += 1
            if self.text[index] in "\r\n":
                starts.append(index + 1)
            index += 1
        return starts

    def position(self, offset):
        """The position of an offset, which is not between the two characters of a line end."""
        starts = self.line_starts()
        line = max(number for number, start in enumerate(starts) if start <= offset)
        return {"line": line, "character": self.units(self.text[starts[line]:offset])}

    def offset(self, position):
        """The offset of a position, which must be one of this text."""
        starts = self.line_starts()
        line, wanted = position["line"], position["character"]
        if line == len(starts) and wanted == 0:
            return len(self.text)
        offset = starts[line]
        end = starts[line + 1] if line + 1 < len(starts) else len(self.text)
        units = 0
        while units < wanted:
            assert offset < end, f"{position} is beyond its line {self.text[starts[line]:end]!r}"
            units += self.units(self.text[offset])
            offset += 1
        assert units == wanted, f"{position} is within a character"
        return offset

    def at(self, part, number=1):
        """The position of the beginning of a part."""
        return self.position(self.find(part, number))

    def find(self, part, number=1):
        place = -1
        for _ in range(number):
            place = self.text.index(part, place + 1)
        return place

    def slice(self, range):
        return self.text[self.offset(range["start"]):self.offset(range["end"])]

    def range(self, part, number=1):
        place = self.find(part, number)
        return {"start": self.position(place), "end": self.position(place + len(part))}

    def is_between(self, offset):
        """Whether an offset is within a line end, where no editor has a cursor."""
        return self.text[offset - 1:offset] == "\r" and self.text[offset:offset + 1] == "\n"

    def applied(self, edits):
        """The text after edits, all of whose positions are of this text; none may touch another."""
        spans = sorted(((self.offset(edit["range"]["start"]), self.offset(edit["range"]["end"]), edit["newText"]) for edit in edits),
                       key=lambda span: span[:2])
        for (_, end, _), (start, _, _) in zip(spans, spans[1:]):
            assert end <= start, f"edits overlap: {edits}"
        text = self.text
        for start, end, new in reversed(spans):
            text = text[:start] + new + text[end:]
        return text
