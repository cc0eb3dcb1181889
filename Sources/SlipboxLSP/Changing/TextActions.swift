import Bytes
import NoteIndex
import Notes
import SlipboxCore
import Text

/// Actions on the text itself: extract a part as a note, link a mention, tick a box.
struct TextActions {
  private let place: ActionPlace
  private let bytes: [UInt8]

  init(_ place: ActionPlace) {
    self.place = place
    bytes = place.bytes
  }

  func offers() throws(SlipboxError) -> [ActionOffer] {
    let box = checkBox()
    return try [extraction(), mention(), box.flatMap(ticking), box.flatMap(promotion)].compactMap { $0 }
  }

  private func extraction() -> ActionOffer? {
    let (range, text) = (place.range, place.text)
    let section = ExtractedPart.section(range, of: place.note, text)
    guard section != nil || !range.isEmpty, range.lowerBound >= text.body.lowerBound else { return nil }
    let title =
      section.map { "Extract the section \(Visible.escape(HeadingAnchors(text).texts[$0]))" }
      ?? "Extract the selection into a note"
    let place = document(range)
    let command = ClientCommand(
      title, .extract, ["uri": .string(place.uri), "range": JSONValue(encoding: place.range)])
    return ActionOffer(title: title, kind: .extract, way: .later(place, command))
  }

  private func document(_ range: Range<Int>) -> CodeAction.Subject {
    CodeAction.Subject(
      uri: place.document.uri, range: place.document.lines.range(of: range), version: place.document.version)
  }

  /// The most words of a title that is looked for.
  private static let mostWords = 8

  /// The title of another note that the text at the place contains without a link.
  private func mention() throws(SlipboxError) -> ActionOffer? {
    let catalogue = try place.view.snapshot.catalogue()
    for words in words() {
      let name = ByteText.text(of: bytes[words])
      // Of all the runs of words few are names; only these are worth a look at all notes.
      guard place.view.mayHaveNote(named: name),
        case .found(let entry) = catalogue.resolve(name, .link, suggests: false),
        entry.note.path != place.note.path,
        Catalogue.ranges(of: [name], in: place.text).contains(words)
      else { continue }
      let isPlain = !name.utf8.contains { "[]|#^".utf8.contains($0) || $0 < 0x20 }
      guard isPlain else { continue }
      return ActionOffer(
        title: "Link to \(Visible.escape(entry.note.title))", kind: .rewrite,
        way: place.replacing(words, by: "[[\(name)]]"))
    }
    return nil
  }

  /// The runs of words of the line that hold the place, the longest first.
  private func words() -> [Range<Int>] {
    let line = place.document.lines.content(ofLine: place.document.lines.line(at: place.range.lowerBound))
    guard line.lowerBound >= place.text.body.lowerBound, line.count < 4_096 else { return [] }
    let isWord = { (byte: UInt8) in byte >= 0x80 || ASCII.isWord(byte) }
    var words: [Range<Int>] = []
    var start: Int?
    for offset in line {
      if isWord(bytes[offset]) {
        start = start ?? offset
      } else if let first = start {
        words.append(first..<offset)
        start = nil
      }
    }
    if let start { words.append(start..<line.upperBound) }
    guard let here = words.firstIndex(where: { place.isHere($0) }) else { return [] }
    var runs: [Range<Int>] = []
    for first in max(0, here - Self.mostWords + 1)...here {
      for last in here..<min(words.count, first + Self.mostWords) {
        runs.append(words[first].lowerBound..<words[last].upperBound)
      }
    }
    return runs.sorted { $0.count > $1.count }
  }

  /// The check box on the line of the place.
  private func checkBox() -> CheckBox? {
    let line = place.document.lines.line(at: place.range.lowerBound) + 1
    return CheckBox.all(in: place.text).first { $0.line == line }
  }

  /// Ticks a box, as `slip tick` does.
  private func ticking(_ box: CheckBox) -> ActionOffer? {
    guard box.state != .other else { return nil }
    let isOpen = box.state == .open
    let text = place.text.ticking([box], on: isOpen ? place.view.snapshot.clock.today : nil)
    let edits = TextDifference.edits(from: bytes, to: text.bytes, place.document.lines)
    let document = VersionedDocument(uri: place.document.uri, version: place.document.version)
    return ActionOffer(
      title: isOpen ? "Tick the check box" : "Untick the check box", kind: .rewrite,
      way: .edit([.edits(document, edits)])
    )
  }

  /// Makes a task of an open box, as `slip promote` does.
  private func promotion(_ box: CheckBox) -> ActionOffer? {
    guard box.state == .open, !box.text.isEmpty else { return nil }
    let (title, range) = ("Promote the check box to a task", box.mark..<box.mark)
    var subject = document(range)
    subject.isPromotion = true
    let command = ClientCommand(
      title, .promote, ["uri": .string(place.document.uri), "line": .integer(box.line)])
    return ActionOffer(title: title, kind: .extract, way: .later(subject, command))
  }
}

/// A part of an open note that becomes a note of its own, with a link in its place.
struct ExtractedPart {
  private let document: OpenDocument
  private let range: Range<Int>
  private let delivery: ChangeDelivery
  private let entry: Entry

  /// - Throws: if the document is not a note of the box.
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
    let draft = Draft(kind: kind, title: "", start: try Templates(in: snapshot).template(ofKind: kind))
    return try PromoteBox(in: snapshot).result(
      NamedPart(entry: entry, part: .lines(line...line)), words: "", to: draft, ids: ids)
  }

  /// The new note, and the plan that makes it.
  func extraction() throws(SlipboxError) -> SplitNote.Result {
    let (snapshot, ids) = (delivery.view.snapshot, delivery.box.context().ids)
    let note = entry.note
    if let number = Self.section(range, of: note, try note.text) {
      return try SplitNote(entry, heading: number, in: snapshot).result(titled: nil, ids: ids)
    }
    return try ExtractNote(in: snapshot).result(range, from: entry, ids: ids)
  }

  /// The number of the heading whose section is meant: the heading alone, or with all below it.
  static func section(_ range: Range<Int>, of note: Note, _ text: NoteText) -> Int? {
    let anchors = HeadingAnchors(text)
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
      next < anchors.headings.count ? anchors.headings[next].lines.lowerBound : text.bytes.count
    let isBlank = { (bytes: ArraySlice<UInt8>) in bytes.allSatisfy { [0x20, 0x09, 0x0A, 0x0D].contains($0) } }
    let isWhole =
      range.upperBound <= end
      ? isBlank(text.bytes[range.upperBound..<end]) : isBlank(text.bytes[end..<range.upperBound])
    return isWhole && range.lowerBound <= anchors.headings[number].text.lowerBound ? number : nil
  }
}
