import NoteIndex
import Notes
import Testing

/// The time of all tests: Saturday, 2026-11-21 12:00 at +01:00.
let clock = ClockReading(now: stamp("2026-11-21T12:00:00+01:00")) { _ in 3600 }

func stamp(_ text: String) -> Timestamp {
  Timestamp(rfc3339: text) ?? Timestamp(seconds: 0, offsetSeconds: 0)
}

/// Makes an entry of a file's text; without a date of its own it was made in 2020.
func entry(_ path: String, _ text: String) -> Entry {
  let note = Note(path: Array(path.utf8), text: NoteText(Array(text.utf8)))
  return Entry(note: note, created: note.created ?? stamp("2020-01-01T00:00:00Z"))
}

/// A small box with a note of every sort that queries tell apart.
let box = Catalogue([
  entry(
    "2026/11/fix-bug-kqzmvtrp.md",
    """
    ---
    id: kqzmvtrp
    title: Fix the VoiceOver bug
    kind: issue
    created: 2026-11-21T09:30:00+01:00
    tags: [accessibility, work/clients]
    priority: high
    status: open
    due: 2026-11-20
    ---
    The login screen at 12:30 says nothing.
    See https://example.org/a and std::move.
    """),
  entry(
    "2026/05/dispossessed-bcdfghjk.md",
    """
    ---
    id: bcdfghjk
    title: The Dispossessed
    kind: book
    created: 2026-05-31T23:30:00-05:00
    author: Ursula K. Le Guin
    aliases: [An Ambiguous Utopia]
    rating: 5
    status: completed
    added: 2026-05-01
    ---
    Anarres. A wall.
    """),
  entry(
    "2026/03/zolw-bcdfzzzz.md",
    """
    ---
    id: bcdfzzzz
    title: Żółw błotny
    created: 2026-03-01T08:00:00+01:00
    tags: [Natura, "Tag 1"]
    rating: 3.5
    status: ""
    ---
    Żółw je trawę. A log-in and don't.
    日本語のノート 😀
    """),
  entry(
    "Books/plain.md", "# Standards and tracks\n\nJust text with a #work tag, and the login.\n"),
  entry(
    "Books/deep/empty.markdown",
    "---\ntype: Standards Track\ncategory: [ERC, Core]\nrating: 10\nidentifier: 20260102T030405\n---\n"),
  entry("odd.md", "---\ntitle: [broken\nstatus: gelb\n---\nWidget\n"),
])

/// The first words of the titles that a query finds, in its order.
func found(_ arguments: String..., modified: @escaping (Entry) -> Timestamp = \.created) throws -> [String] {
  try QueryForms.ask(arguments, names: { box.knownNames(.builtIn) }) {
    box.matches($0, modified: modified).map(name)
  }
}

/// A short name for a note of the box.
func name(_ match: Match) -> String { name(match.entry) }

func name(_ entry: Entry) -> String {
  switch String(decoding: entry.note.path, as: UTF8.self) {
  case "2026/11/fix-bug-kqzmvtrp.md": "issue"
  case "2026/05/dispossessed-bcdfghjk.md": "book"
  case "2026/03/zolw-bcdfzzzz.md": "turtle"
  case "Books/plain.md": "plain"
  case "Books/deep/empty.markdown": "empty"
  case "odd.md": "odd"
  case let path: path
  }
}

extension Catalogue {
  func matches(_ query: Query, modified: (Entry) -> Timestamp, executor: ParallelExecutor? = nil) -> [Match] {
    matches(query, modified: { modified(entries[$0]) }, executor: executor)
  }

  func search(_ query: Query, modified: (Entry) -> Timestamp, executor: ParallelExecutor? = nil) -> [Match] {
    search(query, modified: { modified(entries[$0]) }, executor: executor)
  }
}
