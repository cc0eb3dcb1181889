import NoteIndex
import Notes
import SlipboxCore

/// The facts of a note that the pages of others and later exports need.
struct SiteNote: Sendable {
  let title: String
  /// The day on which it was made, by its own clock.
  let day: String
  let kind: String
  let tags: [String]
  var modified: Timestamp
  /// Whether there is something left to do; true for a plain note.
  let isOpen: Bool
  let address: NoteAddress
  /// Whether it has aliases.
  let hasAliases: Bool
  /// Identifies the names by which links find it.
  let names: UInt64
  /// Whether the site shows another title or other aliases than the note has.
  let isRetitled: Bool
  var leads: SiteLeads

  /// - Parameters:
  ///   - entry: the note as readers see it.
  ///   - raw: the note as it is.
  init(_ entry: Entry, of raw: Note, modified: Timestamp, isOpen: Bool, _ leads: SiteLeads) {
    title = entry.note.title
    day = entry.created.civilDate.description
    kind = entry.kind
    tags = entry.note.tags
    self.modified = modified
    self.isOpen = isOpen
    address = NoteAddress(entry.note)
    hasAliases = !entry.note.aliases.isEmpty || !entry.note.listedAliases.isEmpty
    names = Self.names(of: raw, entry.kind)
    isRetitled = !entry.note.title.hasSameBytes(as: raw.title) || entry.note.aliases != raw.aliases
    self.leads = leads
  }

  init(
    title: String, day: String, kind: String, tags: [String], modified: Timestamp, isOpen: Bool,
    address: NoteAddress, hasAliases: Bool, names: UInt64, isRetitled: Bool, leads: SiteLeads
  ) {
    (self.title, self.day, self.kind, self.tags) = (title, day, kind, tags)
    (self.modified, self.isOpen, self.address) = (modified, isOpen, address)
    (self.hasAliases, self.names, self.isRetitled) = (hasAliases, names, isRetitled)
    self.leads = leads
  }

  /// Identifies the names by which links and references find a note.
  static func names(of note: Note, _ kind: String) -> UInt64 {
    var key = PageKey()
    key.add(kind)
    key.add(note.title)
    for alias in note.aliases { key.add(alias) }
    key.add(note.id?.description ?? "")
    return key.value
  }

  /// Whether it may have had other pages by its own fields.
  var hasPastNames: Bool { hasAliases || address.isSet }

  /// Whether links from other pages look the same.
  func isSameToOthers(as other: SiteNote) -> Bool {
    title.hasSameBytes(as: other.title) && isOpen == other.isOpen && kind == other.kind
      && address == other.address
  }
}

/// Collects the facts of notes.
struct SiteNoteReader: Sendable {
  private let entries: Entries
  private let places: [Int]
  private let records: OpenRecords
  /// The numbers of notes by their places in the catalogue, -1 for those that are not on the site.
  private let numbers: [Int]

  init(_ snapshot: BoxSnapshot, _ entries: Entries, _ places: [Int]) {
    (self.entries, self.places) = (entries, places)
    records = OpenRecords(snapshot)
    var numbers = [Int](repeating: -1, count: entries.count)
    for (number, place) in places.enumerated() { numbers[place] = number }
    self.numbers = numbers
  }

  func note(
    _ number: Int, _ published: PublishedNote, _ connections: [Connection], _ modified: Timestamp
  ) -> SiteNote {
    let raw = entries[places[number]]
    let shown = published.entry ?? raw
    let leads = SiteLeads(connections, entries) { numbers[$0] < 0 ? nil : numbers[$0] }
    return SiteNote(shown, of: raw.note, modified: modified, isOpen: records.isOpen(shown), leads)
  }
}

/// The link targets of a note of a site.
struct SiteLeads: Sendable {
  /// The notes of the site, in the order of the text.
  var links: [SiteLink] = []
  /// The paths of other files.
  var files: [[UInt8]] = []
  /// Whether a link may lead to a file, or will if one is made.
  var isLoose = false
  /// The embeds of notes that are not on the site.
  var hiddenEmbeds: [HiddenEmbed] = []

  /// An embed of a note that is not on the site.
  struct HiddenEmbed: Sendable {
    let path: [UInt8]
    /// The line of the file, from 1.
    let line: Int
  }

  init() {}

  /// - Parameter number: the number of the note at a place of the catalogue; nil if it is not on the site.
  init(_ connections: [Connection], _ entries: Entries, number: (_ place: Int) -> Int?) {
    for connection in connections {
      let isEmbed = connection.form == .embed || connection.form == .image
      switch connection.target {
      case .note(let place):
        if let number = number(place) {
          links.append(SiteLink(connection, to: number))
        } else if isEmbed, connection.field == nil {
          hiddenEmbeds.append(HiddenEmbed(path: entries.path(at: place), line: connection.line))
        }
      case .ambiguous(let places):
        for place in places {
          if let number = number(place) { links.append(SiteLink(connection, to: number, isAmbiguous: true)) }
        }
      case .file(let path):
        files.append(path)
        isLoose = true
      case .url(let address): isLoose = isLoose || !address.contains(UInt8(ascii: ":"))
      case .broken: isLoose = true
      }
    }
  }
}

/// A link or reference of a note of a site to another one.
struct SiteLink: Sendable, Equatable {
  /// The number of the other note.
  let number: Int
  /// The text of the other note is shown in the place of the link.
  let isEmbed: Bool
  /// The link names a heading or block.
  let isToPart: Bool
  /// The link may mean several notes, of which this is one.
  let isAmbiguous: Bool
  /// Identifies the field in which it is; 0 in the body.
  let field: UInt64

  init(number: Int, flags: Int, field: UInt64) {
    self.number = number
    (isEmbed, isToPart, isAmbiguous) = (flags & 1 != 0, flags & 2 != 0, flags & 4 != 0)
    self.field = field
  }

  init(_ connection: Connection, to number: Int, isAmbiguous: Bool = false) {
    let isEmbed = connection.form == .embed || connection.form == .image
    let isToPart = connection.text.utf8.contains { "#&\\".utf8.contains($0) }
    let flags = (isEmbed ? 1 : 0) + (isToPart ? 2 : 0) + (isAmbiguous ? 4 : 0)
    self.init(
      number: number, flags: flags, field: connection.field.map { PageKey(of: $0.utf8).value } ?? 0)
  }

  var flags: Int { (isEmbed ? 1 : 0) + (isToPart ? 2 : 0) + (isAmbiguous ? 4 : 0) }

  /// The same link if the other note has another number.
  func to(_ number: Int) -> SiteLink { SiteLink(number: number, flags: flags, field: field) }
}

/// A hash of the inputs of a file of a site.
///
/// Source: FNV-1a with 64 bits.
struct PageKey: Sendable {
  private(set) var value: UInt64 = 0xCBF2_9CE4_8422_2325

  init() {}

  init(of bytes: some Sequence<UInt8>) { add(bytes) }

  mutating func add(_ bytes: some Sequence<UInt8>) {
    for byte in bytes { value = (value ^ UInt64(byte)) &* 0x100_0000_01B3 }
    // Two texts differ from one text with the bytes of both.
    value = (value ^ 0xFF) &* 0x100_0000_01B3
  }

  mutating func add(_ number: UInt64) {
    for shift in stride(from: UInt64(0), to: 64, by: 8) {
      value = (value ^ (number >> shift & 0xFF)) &* 0x100_0000_01B3
    }
  }

  mutating func add(_ number: Int) { add(UInt64(bitPattern: Int64(number))) }

  mutating func add(_ text: String) { add(text.utf8) }

  mutating func add(_ isSo: Bool) { add(isSo ? 1 : 0) }

  mutating func add(_ time: Timestamp) {
    add(Int(time.seconds))
    add(time.milliseconds)
    add(time.offsetSeconds)
  }
}
