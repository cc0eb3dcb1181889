extension Note {
  /// The fields that may say when a note was made; of several, the first in this order that holds a date.
  package static let createdFields = [
    "created", "date", "created_at", "created-at", "createdat", "creation date", "creation-date",
    "creation_date",
    "creationdate", "date created", "date-created", "date_created", "datecreated", "published", "publishdate",
    "publish-date", "publish_date", "pubdate",
  ]

  /// The title of a note that nothing gives one to.
  package static let untitled = "Untitled"

  static func id(in frontMatter: FrontMatter, _ named: NamedFields) -> NoteID? {
    text(named.id, frontMatter).flatMap { NoteID($0) }
  }

  static func foreignID(in frontMatter: FrontMatter, _ named: NamedFields) -> String? {
    if let value = text(named.anyID, frontMatter), NoteID(value) == nil {
      let text = oneLine(value)
      if !text.isEmpty { return text }
    }
    return text(named.identifier, frontMatter).map(oneLine).flatMap { $0.isEmpty ? nil : $0 }
  }

  static func ownTitle(in frontMatter: FrontMatter, _ named: NamedFields) -> String? {
    text(named.title, frontMatter).map(oneLine).flatMap { $0.isEmpty ? nil : $0 }
  }

  /// The text of the field at a place.
  private static func text(_ place: Int?, _ frontMatter: FrontMatter) -> String? {
    place.flatMap { frontMatter.fields[$0].value.text }
  }

  /// The title of a note without a field for it.
  static func title(_ heading: TitleHeading?, path: [UInt8], id: NoteID?) -> String {
    heading?.text ?? title(ofFile: path, id: id) ?? untitled
  }

  static func title(ofFile path: [UInt8], id: NoteID?) -> String? {
    if let id, FileName.named(by: id, path: path) { return nil }
    let title = oneLine(String(decoding: FileName.stem(of: path), as: UTF8.self))
    return title.isEmpty ? nil : title
  }

  static func kind(in frontMatter: FrontMatter, _ named: NamedFields) -> String {
    text(named.kind, frontMatter).map(oneLine).flatMap { $0.isEmpty ? nil : $0 } ?? "note"
  }

  static func created(in frontMatter: FrontMatter) -> Timestamp? {
    var best: (rank: Int, stamp: Timestamp)?
    for field in frontMatter.fields {
      guard let rank = createdRanks[lowerCased(field.name)], rank < best?.rank ?? .max,
        let text = field.value.strings.first, let stamp = Timestamp.adopted(text, isLocal: true)
      else { continue }
      best = (rank, stamp)
    }
    return best?.stamp
  }

  private static let createdRanks = Dictionary(
    uniqueKeysWithValues: createdFields.enumerated().map { ($0.element, $0.offset) })

  static func aliases(in frontMatter: FrontMatter, _ named: NamedFields) -> [String] {
    guard let place = named.aliases ?? named.alias else { return [] }
    return frontMatter.fields[place].value.strings.map(oneLine).filter {
      !$0.isEmpty && !$0.utf8.starts(with: "/".utf8)
    }
  }

  private static func lowerCased(_ byte: UInt8) -> UInt8 {
    byte >= UInt8(ascii: "A") && byte <= UInt8(ascii: "Z") ? byte | 0x20 : byte
  }

  private static func lowerCased(_ name: String) -> String {
    let isLower = name.utf8.allSatisfy { $0 < UInt8(ascii: "A") || $0 > UInt8(ascii: "Z") }
    return isLower ? name : String(decoding: name.utf8.map(lowerCased), as: UTF8.self)
  }

  /// A text without blanks around it, and with one blank for every break of line in it.
  static func oneLine(_ text: String) -> String {
    let isPlain = !text.hasControls && text.utf8.first != 0x20 && text.utf8.last != 0x20
    if isPlain { return text }
    let lines = text.utf8.split { (0x09...0x0D).contains($0) }.map(trimmed).filter { !$0.isEmpty }
    return String(decoding: Array(lines.joined(separator: [0x20])), as: UTF8.self)
  }

  static func trimmed(_ text: Substring.UTF8View) -> Substring.UTF8View {
    var text = text.drop { $0 == 0x20 || (0x09...0x0D).contains($0) }
    while let last = text.last, last == 0x20 || (0x09...0x0D).contains(last) { text.removeLast() }
    return text
  }
}
