import Bytes
import NoteIndex
import Notes
import Presentation

/// How links to notes are written in a note: as those that it has.
struct LinkWriting {
  /// What a wiki link calls a note by.
  enum Name: String {
    case title, id, path
  }

  private let note: Note
  private let names: NoteNameIndex
  private let preferred: Name

  /// - Parameter setting: the name that is asked for by the settings; nil for that of most links of the note.
  init(in note: Note, _ names: NoteNameIndex, setting: String?) {
    self.note = note
    self.names = names
    if let name = setting.flatMap(Name.init) {
      preferred = name
    } else {
      let wiki = note.links.filter { $0.form == .wiki }
      let byID = wiki.count { NoteID($0.target) != nil }
      preferred = byID > 0 && 2 * byID > wiki.count ? .id : .title
    }
  }

  /// The inside of a wiki link to a note.
  ///
  /// - Parameter match: the name that was found; another title stays as the label.
  func wikiTarget(_ match: NameMatch) -> String {
    let target = match.note
    let label = match.use == .alias ? match.name : target.title
    switch preferred {
    case .id:
      if let id = target.id, NoteID(id) != nil { return labelled(id, label) }
    case .path: return labelled(path(of: target), label)
    case .title: break
    }
    if match.use == .file, names.count(named: match.name) == 0, Self.isPlain(match.name) { return match.name }
    if Self.isPlain(target.title), names.count(named: target.title) < 2 {
      return match.use == .alias ? labelled(target.title, label) : target.title
    }
    if let id = target.id, NoteID(id) != nil { return labelled(id, label) }
    return labelled(path(of: target), label)
  }

  /// The address in a Markdown link to a note.
  func address(of target: NamedNote) -> String {
    let relative = LinkPath.relative(target.path, from: LinkPath.folder(of: note.path))
    return String(decoding: Self.encoded(relative), as: UTF8.self)
  }

  private func labelled(_ name: String, _ label: String) -> String {
    let label = label.filter { !"[]|\n".contains($0) }
    return label.isEmpty || label == name ? name : "\(name)|\(label)"
  }

  private func path(of target: NamedNote) -> String {
    String(decoding: target.path.dropLast(FileName.ending(of: target.path).count), as: UTF8.self)
  }

  /// Whether a name can stand in a wiki link as it is.
  private static func isPlain(_ name: String) -> Bool {
    !name.utf8.contains { "[]|#^".utf8.contains($0) || $0 < 0x20 } && name.utf8.first != UInt8(ascii: " ")
  }

  /// A path as Markdown reads it back.
  private static func encoded(_ path: [UInt8]) -> [UInt8] {
    PercentEncoding.encoded(path) { $0 > 0x20 && !"()<>%?#\\".utf8.contains($0) }
  }
}
