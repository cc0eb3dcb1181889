import NoteIndex
import Notes
import Platform
import SlipboxCore
import Synchronization
import Text

/// The notes of a site as readers see them, with their connections: all of them, or those that some pages need.
final class PublishedNotes: Sendable {
  struct Item: Sendable {
    let note: PublishedNote
    /// Those outside of comments and hidden fields.
    let connections: PackedConnections
  }

  /// By number; nil for a later export, which reads the notes that it needs.
  private let all: [Item]?
  private let reader: PublishedNoteReader
  private let known: Mutex<[Int: Item]>
  private let firstFailure = FirstFailure()
  private let markup = Mutex(RenderedMarkup())
  private let linking = Mutex<[Int: [Int]]>([:])

  /// The formulas and the code of the notes whose pages are made, as markup.
  var rendered: RenderedMarkup {
    get { markup.withLock { $0 } }
    set { markup.withLock { $0 = newValue } }
  }

  init(all: [Item], _ reader: PublishedNoteReader) {
    self.all = all
    self.reader = reader
    known = Mutex([:])
  }

  /// - Parameter known: the notes that were read already, by numbers.
  init(_ known: [Int: Item], _ reader: PublishedNoteReader) {
    all = nil
    self.reader = reader
    self.known = Mutex(known)
  }

  /// The numbers of the notes that link to those whose pages a later export makes.
  var sources: [Int: [Int]] {
    get { linking.withLock { $0 } }
    set { linking.withLock { $0 = newValue } }
  }

  /// The failure to read a note; nil if there was none.
  var failure: SlipboxError? { firstFailure.error }

  subscript(number: Int) -> Item {
    if let all { return all[number] }
    if let item = known.withLock({ $0[number] }) { return item }
    let item: Item
    do throws(SlipboxError) {
      item = try reader.items([number])[0]
    } catch {
      // The writer of the page reports the failure.
      firstFailure.set(error)
      item = reader.unconnected(number)
    }
    known.withLock { $0[number] = item }
    return item
  }

  /// Reads some notes at once.
  func read(_ numbers: [Int]) throws(SlipboxError) {
    guard all == nil else { return }
    let missing = known.withLock { known in numbers.filter { known[$0] == nil } }
    guard !missing.isEmpty else { return }
    let items = try reader.items(missing)
    known.withLock { known in
      for (number, item) in zip(missing, items) { known[number] = item }
    }
  }
}

/// Reads notes as a site shows them.
struct PublishedNoteReader: Sendable {
  let web: NoteWeb
  let rule: PublicationRule
  let withheld: WithheldBlocks
  let hidden: HiddenNotes
  /// The places of the notes in the catalogue, by numbers.
  let places: [Int]

  func items(_ numbers: [Int]) throws(SlipboxError) -> [PublishedNotes.Item] {
    let places = numbers.map { self.places[$0] }
    let read = try Self.connections(web, places, rule, withheld)
    return zip(published(places, read), read.connections).map {
      PublishedNotes.Item(note: $0, connections: PackedConnections($1))
    }
  }

  /// A note without its link targets.
  func unconnected(_ number: Int) -> PublishedNotes.Item {
    let entry = web.entries[places[number]]
    let uncommented = UncommentedNote(entry, withheld).entry
    return PublishedNotes.Item(
      note: PublishedNote(entry, uncommented: uncommented, [], [], hidden), connections: PackedConnections([])
    )
  }

  /// The notes at some places without their comments, their connections, and the lines with marks `%%` that nothing closes.
  typealias Connected = (uncommented: [Entry?], connections: [[Connection]], unclosed: [Phrase])

  /// The connections of the notes at some places, as they are without comments, hidden fields and text that no page shows.
  ///
  /// A comment may hide where code begins, so the links of a note with comments are those of the rest of its text.
  static func connections(
    _ web: NoteWeb, _ places: [Int], _ rule: PublicationRule, _ withheld: WithheldBlocks
  ) throws(SlipboxError) -> Connected {
    if places.isEmpty { return ([], [], []) }
    let read = concurrentMap(places) { UncommentedNote(web.entries[$0], withheld) }
    let uncommented = read.map(\.entry)
    var all = try web.connections(from: places)
    let changed = places.indices.filter { uncommented[$0] != nil }
    let notes = changed.compactMap { number in uncommented[number].map { (places[number], $0.note) } }
    for (number, connections) in zip(changed, try web.connections(from: notes)) {
      all[number] = connections
    }
    let shown = places.indices.map { number in
      let (connections, unused) = (all[number], read[number].unused)
      let kind = connections.contains { $0.field != nil } ? web.entries[places[number]].kind : ""
      return connections.filter { connection in
        connection.field.map { rule.shows($0, ofKind: kind) }
          ?? !unused.contains { $0.contains(connection.range.lowerBound) }
      }
    }
    return (uncommented, shown, read.compactMap(\.unclosed))
  }

  /// The notes at some places as readers see them.
  func published(_ places: [Int], _ read: Connected) -> [PublishedNote] {
    let targets =
      hidden.isEmpty || places.isEmpty
      ? [[FieldTarget]](repeating: [], count: places.count)
      : web.fieldTargets(of: zip(places, read.uncommented).map { ($0, ($1 ?? web.entries[$0]).note) })
    return concurrentMap(Array(places.indices)) { [web, hidden] number in
      PublishedNote(
        web.entries[places[number]], uncommented: read.uncommented[number], targets[number],
        read.connections[number], hidden)
    }
  }
}

/// A note without the contents of its comments, which are for the writer alone, and of the lists that are withheld.
struct UncommentedNote: Sendable {
  /// The note; nil if it has none of these.
  let entry: Entry?
  /// The parts of its text that no page shows, whose links count for nothing.
  let unused: [Range<Int>]
  /// The note and the line of the first mark `%%` that nothing closes; nil without one.
  let unclosed: Phrase?

  init(_ entry: Entry, _ withheld: WithheldBlocks) {
    let text = entry.note.textOrEmpty
    let comments = BodyComments.all(in: text)
    let uncommented = BodyComments.removed(comments, from: withheld.blanked(text, of: entry.note))
    let shown = FormulaComments.removed(from: BodyComments.removed(from: uncommented))
    unused = UnshownText(shown).unused
    unclosed = BodyComments.unclosed(in: shown).first.map { offset in
      // Comments that were removed have left their line ends.
      "\(entry.note.shownName):\(1 + shown.bytes[..<offset].count { $0 == 0x0A })"
    }
    guard shown.bytes != text.bytes else {
      self.entry = nil
      return
    }
    self.entry = Entry(
      note: Note(path: entry.note.path, text: shown), created: entry.created, kind: entry.kind)
  }
}
