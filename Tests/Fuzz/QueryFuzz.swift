// Reads any query: what is refused names a place in it; what is read is described in words that read the
// same, and matching and searching a small box with it end.
@testable import NoteIndex
import Notes

@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ data: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  let bytes = Array(UnsafeBufferPointer(start: data, count: count))
  // A zero byte parts arguments; the first byte says how they are read.
  guard let first = bytes.first else { return 0 }
  let arguments = bytes.dropFirst().split(separator: 0).map { String(decoding: $0, as: UTF8.self) }
  do {
    let query =
      first & 1 == 0
      ? try Query.parse(arguments, clock: clock)
      : try Query.parse(text: arguments.joined(separator: " "), clock: clock)
    check(query, isWhole: first & 1 == 0)
  } catch {
    check(error)
  }
  return 0
}

private let clock = ClockReading(now: Timestamp(seconds: 1_795_000_000, offsetSeconds: 3600)) { _ in 3600 }

private let box = Catalogue([
  entry(
    "a.md",
    "---\nid: kqzmvtrp\ntitle: Żółw\ntags: [a, b/c]\nrating: 4\ndue: 2026-11-20\n---\nOne don't 12:30 日本\n"),
  entry("b/c.md", "---\nkind: book\nauthor: Le Guin\nstatus: \n---\n# Two\n\nwords and words\n"),
  entry("d.md", "x"),
])

private func entry(_ path: String, _ text: String) -> Entry {
  let note = Note(path: Array(path.utf8), text: NoteText(Array(text.utf8)))
  return Entry(note: note, created: note.created ?? Timestamp(seconds: 0, offsetSeconds: 0))
}

private func check(_ error: QueryError) {
  let bytes = Array(error.query.utf8)
  require(error.range.upperBound <= bytes.count, "the caret is beyond the query")
  let part = bytes[error.range]
  require(String(decoding: part, as: UTF8.self).utf8.elementsEqual(part), "the caret parts a character")
  require(!error.message.isEmpty, "a fault has no message")
}

private func check(_ query: Query, isWhole: Bool) {
  let found = box.matches(query) { box.entries.key(at: $0).created }
  let ranked = box.search(query) { box.entries.key(at: $0).created }
  require(found.count == ranked.count, "searching finds others than listing")
  for match in ranked {
    for snippet in match.snippets {
      let last = snippet.highlights.last?.upperBound ?? 0
      require(last <= snippet.text.utf8.count, "a highlight is beyond its snippet")
    }
  }
  // An argument's own blanks beside a star can't be written in a query.
  if !isWhole { checkDescription(of: query, found) }
}

private func checkDescription(of query: Query, _ found: [Match]) {
  guard case .everything = query.root else {
    do {
      let again = try Query.parse(text: query.described(), clock: clock)
      require(again.described() == query.described(), "a description reads otherwise: \(query.described())")
      let paths = box.matches(again) { box.entries.key(at: $0).created }.map(\.entry.note.path)
      require(paths == found.map(\.entry.note.path), "a description finds others: \(query.described())")
    } catch {
      fatalError("a description is refused: \(query.described()): \(error.message)")
    }
    return
  }
}

private func require(_ isTrue: Bool, _ message: @autoclosure () -> String) {
  if !isTrue { fatalError(message()) }
}
