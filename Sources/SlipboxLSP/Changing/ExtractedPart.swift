import Bytes
import NoteIndex
import Notes
import SlipboxCore

/// A part of an open note that becomes a note of its own, with a link in its place.
struct ExtractedPart {
  private let document: OpenDocument
  private let range: Range<Int>
  private let delivery: ChangeDelivery
  private let entry: Entry

  /// - Throws: where the document is no note of the box.
  init(_ document: OpenDocument, _ range: PositionRange, _ delivery: ChangeDelivery) throws {
    guard let path = document.path, let place = delivery.request.boxes.box(of: path),
      let entry = try delivery.view.snapshot.catalogue().entry(path: place.path)
    else { throw ResponseError(.requestFailed, "\(document.uri) is not a note of a box") }
    self.document = document
    self.range = document.lines.offsets(of: range)
    self.delivery = delivery
    self.entry = entry
  }

  /// The record of the check box on the first line, and the plan that makes it.
  ///
  /// - Parameter kind: the kind of the record; a task if it is nil.
  func promotion(to kind: String?) throws(SlipboxError) -> SplitNote.Result {
    let (snapshot, ids) = (delivery.view.snapshot, delivery.box.context().ids)
    let kind = kind ?? "task"
    let line = document.lines.line(at: range.lowerBound) + 1
    let draft = Draft(kind: kind, title: "", start: try snapshot.template(ofKind: kind))
    return try snapshot.promoting(
      NamedPart(entry: entry, part: .lines(line...line)), words: "", to: draft, ids: ids)
  }

  /// The new note, and the plan that makes it.
  func extraction() throws(SlipboxError) -> SplitNote.Result {
    let (snapshot, ids) = (delivery.view.snapshot, delivery.box.context().ids)
    let note = entry.note
    if let number = Self.section(range, of: note) {
      return try SplitNote(entry, heading: number, in: snapshot).result(titled: nil, ids: ids)
    }
    return try snapshot.extracting(range, from: entry, ids: ids)
  }

  /// The number of the heading whose section is meant: the heading alone, or with all below it.
  static func section(_ range: Range<Int>, of note: Note) -> Int? {
    let anchors = HeadingAnchors(note.text)
    guard
      let number = anchors.headings.firstIndex(where: {
        $0.lines.contains(range.lowerBound) || $0.lines.upperBound == range.lowerBound
      })
    else { return nil }
    let isTitle = number == anchors.titleNumber && note.titleSource == .heading
    guard !isTitle else { return nil }
    if range.upperBound <= anchors.headings[number].lines.upperBound { return number }
    let next = anchors.section(of: number).upperBound
    let end =
      next < anchors.headings.count ? anchors.headings[next].lines.lowerBound : note.text.bytes.count
    let isBlank = { (bytes: ArraySlice<UInt8>) in bytes.allSatisfy { [0x20, 0x09, 0x0A, 0x0D].contains($0) } }
    let isWhole =
      range.upperBound <= end
      ? isBlank(note.text.bytes[range.upperBound..<end]) : isBlank(note.text.bytes[end..<range.upperBound])
    return isWhole && range.lowerBound <= anchors.headings[number].text.lowerBound ? number : nil
  }
}
