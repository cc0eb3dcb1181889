import Bytes
import NoteIndex
import Notes

/// The rules by which Hugo makes pages of files.
///
/// Source: Hugo, "Front matter", "Build options", "Cascade" and "Page bundles".
struct HugoPublication: Sendable {
  private let now: Timestamp
  /// The flags that sections give to their pages.
  private let cascades: [HugoCascade]
  /// The notes `index.md` of leaf bundles that have other notes, by their folders with a slash at the end.
  private let bundles: [[UInt8]: Note]

  private static let index = Array("index.md".utf8)
  /// Folders at the root from which Hugo makes no pages.
  private static let support = ["archetypes/", "themes/", "layouts/"].map { Array($0.utf8) }

  init(_ snapshot: BoxSnapshot) throws(SlipboxError) {
    now = snapshot.clock.now
    let entries = try snapshot.catalogue().entries
    var cascades = HugoCascade.all(in: entries)
    for name in HugoCascade.configurations {
      guard let bytes = try snapshot.bytes(at: Array(name.utf8)) else { continue }
      cascades += HugoCascade(configuration: bytes, name: name).map { [$0] } ?? []
    }
    self.cascades = cascades
    bundles = Self.bundles(in: entries)
  }

  private static func bundles(in entries: Entries) -> [[UInt8]: Note] {
    var bundles: [[UInt8]: Note] = [:]
    for place in entries.indices {
      let path = entries.path(at: place)
      guard BytePath.name(of: path) == index else { continue }
      let folder = Array(path.dropLast(index.count))
      // The note at the root of the box or of the content is the home page.
      guard folder.contains(UInt8(ascii: "/")), folder != Array("content/".utf8) else { continue }
      bundles[folder] = entries[place].note
    }
    return bundles
  }

  /// The reason why Hugo makes no page of a note; nil if it makes one.
  func withheld(_ note: Note, _ schema: Schema, includesDrafts: Bool) throws(SlipboxError) -> WithheldNote? {
    if Self.support.contains(where: { note.path.starts(with: $0) }) {
      return WithheldNote(reason: .support, written: "")
    }
    if let hidden = withheld(note, includesDrafts) { return hidden }
    // A note in the folder of a leaf bundle is hidden with the note of the bundle.
    var folder = BytePath.folder(of: note.path)
    while !folder.isEmpty {
      if let index = bundles[folder + [UInt8(ascii: "/")]], index.path != note.path {
        let flags = try PublicationFlags(index, schema.kind(named: index.kind))
        if let hidden = flags.withheld(includesDrafts: includesDrafts) ?? withheld(index, includesDrafts) {
          return hidden
        }
      }
      folder = BytePath.folder(of: folder)
    }
    return nil
  }

  private func withheld(_ note: Note, _ includesDrafts: Bool) -> WithheldNote? {
    if let hidden = Self.withheld(by: note.frontMatter.fields, at: now) { return hidden }
    for cascade in cascades where note.path.starts(with: cascade.folder) {
      for (name, value) in cascade.values where note.frontMatter[name] == nil {
        let hidden =
          WithheldNote(flag: name, value) ?? WithheldNote(build: name, value)
          ?? Self.withheld(by: name, value, at: now)
        if let hidden, hidden.reason != .draft || !includesDrafts { return hidden }
      }
    }
    return nil
  }

  private static func withheld(by fields: [FrontMatterField], at now: Timestamp) -> WithheldNote? {
    let begin = ["publishdate", "pubdate", "published", "date"].lazy.compactMap { name in
      fields.first { $0.name.lowercased() == name && $0.value.text != nil }
    }.first
    let end = ["expirydate", "unpublishdate"].lazy.compactMap { name in
      fields.first { $0.name.lowercased() == name && $0.value.text != nil }
    }.first
    for field in [begin, end].compactMap({ $0 }) {
      if let hidden = withheld(by: field.name, field.value, at: now) { return hidden }
    }
    return fields.lazy.compactMap { WithheldNote(build: $0.name, $0.value) }.first
  }

  /// The reason of a date. Hugo builds no site with a date that it can't read.
  private static func withheld(by name: String, _ value: FieldValue, at now: Timestamp) -> WithheldNote? {
    guard let text = value.text, !text.isEmpty else { return nil }
    let time = Timestamp.adopted(text)
    let isHidden: Bool
    switch name.lowercased() {
    case "publishdate", "pubdate": isHidden = time.map { $0 > now } ?? true
    case "published", "date": isHidden = time.map { $0 > now } ?? false
    case "expirydate", "unpublishdate": isHidden = time.map { $0 <= now } ?? true
    default: return nil
    }
    return isHidden ? WithheldNote(reason: .scheduled, written: "\(name): \(text)") : nil
  }
}

/// The values that the `_index.md` of a section of a Hugo site, or its configuration, gives to the pages below it.
///
/// Source: Hugo, "Cascade". A `target` is not read: the values hold for all pages below.
struct HugoCascade: Sendable {
  /// With a slash at its end.
  let folder: [UInt8]
  /// The values of flags and dates by the names of the fields.
  let values: [(name: String, value: FieldValue)]

  /// The files with the configuration of a site.
  static let configurations = ["hugo", "config", "config/_default/hugo", "config/_default/config"].flatMap {
    [$0 + ".toml", $0 + ".yaml", $0 + ".yml", $0 + ".json"]
  }

  private init(folder: [UInt8], _ values: [(name: String, value: FieldValue)]) {
    (self.folder, self.values) = (folder, values)
  }

  /// Those of all sections.
  ///
  /// - Complexity: O(n) in the paths.
  static func all(in entries: Entries) -> [HugoCascade] {
    let name = Array("_index.md".utf8)
    return entries.indices.compactMap { place in
      let path = entries.path(at: place)
      guard BytePath.name(of: path) == name else { return nil }
      let values = values(in: entries[place].note)
      return values.isEmpty ? nil : HugoCascade(folder: path.dropLast(name.count), values)
    }
  }

  /// Those of the configuration of the site; nil without any.
  init?(configuration bytes: [UInt8], name: String) {
    let fence = name.hasSuffix(".toml") ? "+++" : name.hasSuffix(".json") ? "" : "---"
    let text = fence.isEmpty ? bytes : Array("\(fence)\n".utf8) + bytes + Array("\n\(fence)\n".utf8)
    let values = Self.values(in: Note(path: [], text: NoteText(text)))
    guard !values.isEmpty else { return nil }
    self.init(folder: [], values)
  }

  private static func values(in section: Note) -> [(name: String, value: FieldValue)] {
    let text = section.textOrEmpty
    if text.hasConflictMarkers { return TOMLCascade.values(in: text.bytes, isAll: true) }
    if text.format == .toml, let block = text.frontMatter {
      return TOMLCascade.values(in: Array(text.bytes[block]))
    }
    guard let value = section.frontMatter["cascade"] else { return [] }
    var maps: [[MapEntry]] = []
    switch value {
    case .map(let entries): maps = [entries]
    case .list(let elements):
      for case .map(let entries) in elements { maps.append(entries) }
    default: break
    }
    return maps.joined().map { ($0.key, $0.value) }
  }
}

/// The values of `cascade` in TOML: a table, an array of tables, an inline table, or keys with dots.
private enum TOMLCascade {
  /// The values, whose names lack the part `cascade`.
  ///
  /// - Parameter isAll: whether all values of the text count, as in a conflict. Lines of YAML are read too then.
  static func values(in bytes: [UInt8], isAll: Bool = false) -> [(name: String, value: FieldValue)] {
    var values: [(name: String, value: FieldValue)] = []
    var isInTable = isAll
    var depth = 0
    for line in bytes.split(whereSeparator: { $0 == 0x0A || $0 == 0x0D }) {
      let line = String(decoding: line, as: UTF8.self)
      let rest = line.drop { $0 == " " || $0 == "\t" }
      if depth > 0 {
        values += pairs(rest)
        depth += balance(rest)
      } else if !isAll, rest.hasPrefix("[") {
        isInTable = isCascade(rest.drop { $0 == "[" }.prefix { $0 != "]" })
      } else if isInTable {
        values += pairs(rest)
      } else if let mark = rest.firstIndex(of: "="), isCascade(rest[..<mark]) {
        let value = rest[rest.index(after: mark)...]
        values += rest[..<mark].contains(".") ? pairs(rest) : pairs(value)
        depth = max(0, balance(value))
      }
    }
    return values
  }

  private static func isCascade(_ key: Substring) -> Bool {
    let first = key.split(separator: ".").first ?? ""
    return first.filter { !" \t\"'".contains($0) }.lowercased() == "cascade"
  }

  private static func balance(_ text: Substring) -> Int {
    text.count { $0 == "[" || $0 == "{" } - text.count { $0 == "]" || $0 == "}" }
  }

  /// The keys and values of a line, in whatever tables they are.
  private static func pairs(_ text: Substring) -> [(name: String, value: FieldValue)] {
    var pairs: [(name: String, value: FieldValue)] = []
    var key = ""
    var rest = text
    while let character = rest.popFirst() {
      switch character {
      case "=", ":":
        let value = rest.drop { $0 == " " || $0 == "\t" }.prefix { !",}]#".contains($0) }
        let bare = value.drop { "\"'".contains($0) }.prefix { !"\"'".contains($0) }
        let name = key.split(separator: ".").last.map(String.init) ?? ""
        let shown = FieldValue.text(String(bare.reversed().drop { $0 == " " || $0 == "\t" }.reversed()))
        let isRender = name.lowercased() == "render"
        // The build options are a table of their own.
        pairs.append(
          isRender ? ("build", .map([MapEntry(key: "render", value: shown)])) : (name, shown))
        key = ""
      case "#": return pairs
      case "{", "}", "[", "]", ",": key = ""
      case " ", "\t", "\"", "'": break
      default: key.append(character)
      }
    }
    return pairs
  }
}

/// The rules by which Jekyll makes pages of files.
///
/// Source: Jekyll, "Working with drafts", "Posts" and "Directory structure".
struct JekyllPublication: Sendable {
  let now: Timestamp

  /// Folders from which Jekyll makes no pages.
  private static let support: Set<String> = [
    "_includes", "_layouts", "_sass", "_site", "_plugins", "vendor", "node_modules",
  ]

  /// The reason why Jekyll makes no page of a note; nil if it makes one.
  func withheld(_ note: Note, includesDrafts: Bool) -> WithheldNote? {
    let folders = BytePath.folder(of: note.path).split(separator: UInt8(ascii: "/"))
      .map { String(decoding: $0, as: UTF8.self) }
    if let first = folders.first, Self.support.contains(first) {
      return WithheldNote(reason: .support, written: "")
    }
    if folders.contains("_drafts"), !includesDrafts {
      return WithheldNote(reason: .draft, written: "in _drafts")
    }
    // Collections have dates in the front matter alone.
    if let date = note.frontMatter["date"]?.text, let time = Timestamp.adopted(date) {
      return time > now ? WithheldNote(reason: .scheduled, written: "date: \(date)") : nil
    }
    let day = String(decoding: BytePath.name(of: note.path).prefix(10), as: UTF8.self)
    guard folders.contains("_posts"), let time = Timestamp.adopted(day), time > now else { return nil }
    return WithheldNote(reason: .scheduled, written: day)
  }
}

extension WithheldNote {
  /// The reason of a field with which Hugo makes no page. Returns nil for other fields and values.
  init?(build name: String, _ value: FieldValue) {
    let lower = name.lowercased()
    if lower == "headless", value.text?.lowercased() == "true" {
      self.init(reason: .headless, written: "\(name): true")
      return
    }
    guard ["build", "_build"].contains(lower), case .map(let entries) = value else { return nil }
    let render = entries.first { $0.key.lowercased() == "render" }?.value.text?.lowercased()
    guard let render, ["never", "false", "link"].contains(render) else { return nil }
    self.init(reason: .headless, written: "\(name): {render: \(render)}")
  }

  /// The reason of a flag. Returns nil for other fields, and for flags that allow publication.
  init?(flag name: String, _ value: FieldValue) {
    let flags = PublicationFlags(name, value)
    if let text = flags.isPrivate {
      self.init(reason: .private, written: text)
    } else if let text = flags.isUnpublished {
      self.init(reason: .unpublished, written: text)
    } else if let text = flags.isDraft {
      self.init(reason: .draft, written: text)
    } else {
      return nil
    }
  }
}
