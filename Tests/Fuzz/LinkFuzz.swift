// Looks through any body for its links, tags and heading: nothing traps, what is found stands where it is said
// to, it does not depend on what is above and below, a record keeps all of it, and no text takes more than
// linear time.
import Glibc

@testable import Notes

@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ data: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  let body = Array(UnsafeBufferPointer(start: data, count: count))
  let text = NoteText(head + body)
  let scan = BodyScan(text)
  check(scan.links, text)
  check(scan.tags, text)
  require(
    scan.heading.map { !$0.text.isEmpty && !$0.text.utf8.contains(0x0A) } ?? true, "a heading of no line")
  checkAbove(scan, body)
  checkBelow(scan, text)
  checkRecord(text)
  // Now and then: each takes as long as a hundred others.
  if !body.isEmpty, body.count <= 48, body.reduce(0, &+) % 64 == 0 { checkTime(body) }
  return 0
}

private let head = Array("---\na: b\n---\n".utf8)

private func check(_ links: [BodyScan.Link], _ text: NoteText) {
  let bytes = text.bytes
  var open: [Range<Int>] = []
  for link in links {
    let range = link.range
    require(!range.isEmpty && text.body.contains(range.lowerBound), "a link outside of the body")
    require(range.upperBound <= text.body.upperBound, "a link that ends after the body")
    while let last = open.last, last.upperBound <= range.lowerBound { open.removeLast() }
    if let last = open.last {
      require(last.lowerBound < range.lowerBound, "links that are not in order")
      require(range.upperBound <= last.upperBound, "links that overlap")
    }
    open.append(range)
    let written = bytes[range]
    require(isFramed(written, link.form), "a \(link.form) link is written so: \(Array(written))")
    let target = Array(link.target.utf8)
    // Bytes that are no text are told apart by neither.
    let readable = Array(String(decoding: written, as: UTF8.self).utf8)
    require(holds(readable, target), "a target is not in its link")
    if link.form == .wiki || link.form == .embed || link.form == .reference {
      require(!target.isEmpty, "a link to nothing")
    }
  }
}

private func isFramed(_ written: ArraySlice<UInt8>, _ form: BodyScan.Link.Form) -> Bool {
  let (opening, closing) =
    switch form {
    case .wiki: ("[[", "]]")
    case .embed: ("![[", "]]")
    case .markdown: ("[", ")")
    case .image: ("![", ")")
    case .reference: ("[", "")
    }
  return written.starts(with: opening.utf8) && written.reversed().starts(with: closing.utf8.reversed())
}

private func holds(_ bytes: [UInt8], _ part: [UInt8]) -> Bool {
  (0...max(0, bytes.count - part.count)).contains { bytes[$0...].starts(with: part) }
}

private func check(_ tags: [BodyScan.InlineTag], _ text: NoteText) {
  var end = text.body.lowerBound
  for tag in tags {
    require(tag.offset >= end && tag.range.upperBound <= text.body.upperBound, "a tag that is not in order")
    require(text.bytes[tag.range].elementsEqual("#\(tag.name)".utf8), "a tag is not where it should be")
    require((1...TagName.longest).contains(tag.name.utf8.count), "a tag of no name")
    end = tag.range.upperBound
  }
}

/// Without front-matter the same is found, so many bytes earlier.
private func checkAbove(_ scan: BodyScan, _ body: [UInt8]) {
  let text = NoteText(body)
  guard text.format == .none, text.body.lowerBound == 0 else { return }
  let alone = BodyScan(text)
  require(scan.heading == alone.heading, "front-matter changes the heading")
  require(scan.links == alone.links.map { moved($0, by: head.count) }, "front-matter changes the links")
  require(
    scan.tags == alone.tags.map { BodyScan.InlineTag(name: $0.name, offset: $0.offset + head.count) },
    "front-matter changes the tags")
}

private func moved(_ link: BodyScan.Link, by count: Int) -> BodyScan.Link {
  let range = link.range.lowerBound + count..<link.range.upperBound + count
  return BodyScan.Link(form: link.form, target: link.target, range: range)
}

/// What stands below a blank line, and closes nothing, changes nothing above it.
private func checkBelow(_ scan: BodyScan, _ text: NoteText) {
  let below = BodyScan(NoteText(text.bytes + Array("\n\n# End #end [[end]]\n\nEnd.\n".utf8)))
  require(below.links.starts(with: scan.links), "what is below changes the links")
  require(below.tags.starts(with: scan.tags), "what is below changes the tags")
  require(below.links.count <= scan.links.count + 1, "what is below brings links to light")
  require(below.tags.count <= scan.tags.count + 1, "what is below brings tags to light")
  let heading = scan.heading.flatMap { $0.isTop ? $0 : nil } ?? below.heading
  require(below.heading == heading, "what is below changes the heading")
}

private func checkRecord(_ text: NoteText) {
  let note = Note(path: [], text: text)
  guard let record = NoteSummary.bytes(of: note).withUnsafeBytes({ NoteSummary($0.bytes) }) else {
    fatalError("a record can't be read")
  }
  let again = record.note(at: [], text: TextSource { text.bytes })
  require(again.links == note.links && again.inlineTags == note.inlineTags, "a record says otherwise")
  require(again.boxes == note.boxes, "a record has other check boxes")
  require(again.title == note.title && again.tags == note.tags, "a record has another title or other tags")
}

/// The same over and over: quadratic time would be minutes.
private func checkTime(_ unit: [UInt8]) {
  var body: [UInt8] = []
  while body.count < 100_000 { body += unit }
  let text = NoteText(head + body)
  let start = clock()
  _ = BodyScan(text)
  let seconds = Double(clock() - start) / Double(CLOCKS_PER_SEC)
  require(seconds < 2, "\(seconds) s for 100 kB")
}

private func require(_ isTrue: Bool, _ message: @autoclosure () -> String) {
  if !isTrue { fatalError(message()) }
}
