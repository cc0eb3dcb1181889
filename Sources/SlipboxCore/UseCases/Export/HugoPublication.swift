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
  /// The notes `index.md` of leaf bundles, by their folders with a slash at the end.
  private let bundles: [[UInt8]: [Note]]

  /// The folders of the content, with a slash at their ends.
  private let content: [[UInt8]]
  /// The texts that the paths of ignored files have in their order, for each pattern of `ignoreFiles`.
  private let ignored: [[String]]

  /// Folders at the root from which Hugo makes no pages.
  private static let support = ["archetypes/", "themes/", "layouts/"].map { Array($0.utf8) }

  init(_ snapshot: BoxSnapshot) throws(SlipboxError) {
    now = snapshot.clock.now
    let entries = try snapshot.catalogue().entries
    let notes = entries.indices.lazy.map { entries.path(at: $0) }
    var (cascades, folders, ignored) = ([HugoCascade](), [String](), [[String]]())
    for name in HugoCascade.configurations {
      guard let bytes = try snapshot.bytes(at: Array(name.utf8)) else { continue }
      cascades += HugoCascade(configuration: bytes, name: name).map { [$0] } ?? []
      folders += HugoCascade.texts(of: "contentdir", in: bytes)
      if bytes.firstRange(of: Array("mounts".utf8)) != nil {
        folders += HugoCascade.texts(of: "source", in: bytes)
      }
      ignored += HugoCascade.texts(of: "ignorefiles", in: bytes).flatMap(Self.literals)
    }
    let content = (folders.isEmpty ? ["content"] : folders).map { folder -> [UInt8] in
      let name = folder.split(separator: "/").filter { $0 != "." }.joined(separator: "/")
      return name.isEmpty ? [] : Array("\(name)/".utf8)
    }
    self.ignored = ignored
    // A box without content is one of another form.
    self.content = notes.contains { path in content.contains { path.starts(with: $0) } } ? content : [[]]
    var bundles: [[UInt8]: [Note]] = [:]
    for (path, note) in try Self.indexes(entries, in: snapshot) {
      let folder = Array(path.dropLast(BytePath.name(of: path).count))
      if BytePath.name(of: path).first == UInt8(ascii: "_") {
        cascades += HugoCascade(section: note, folder).map { [$0] } ?? []
      } else if folder.contains(UInt8(ascii: "/")), !content.contains(folder) {
        // The note at the root of the box or of the content is the home page.
        bundles[folder, default: []].append(note)
      }
    }
    (self.cascades, self.bundles) = (cascades, bundles)
  }

  /// The files `_index.md` and `index.md`, also those of a language and in HTML, which are no notes.
  private static func indexes(
    _ entries: Entries, in snapshot: BoxSnapshot
  ) throws(SlipboxError) -> [(path: [UInt8], note: Note)] {
    var found = entries.indices.compactMap { place -> (path: [UInt8], note: Note)? in
      let path = entries.path(at: place)
      return isIndex(path) ? (path, entries[place].note) : nil
    }
    for path in try snapshot.otherFiles().paths where isIndex(path) {
      guard let bytes = try snapshot.bytes(at: path) else { continue }
      found.append((path, Note(path: path, text: NoteText(bytes))))
    }
    return found
  }

  private static func isIndex(_ path: [UInt8]) -> Bool {
    let name = BytePath.name(of: path)
    return name.starts(with: "index.".utf8) || name.starts(with: "_index.".utf8)
  }

  /// The texts that a path has in their order if a pattern may match it, for each alternative of the pattern.
  ///
  /// The pattern itself is not matched: one of a cloned box could take a match of unlimited duration.
  private static func literals(_ pattern: String) -> [[String]] {
    pattern.split(separator: "|").compactMap { part -> [String]? in
      var (texts, isEscaped, isClass) = ([""], false, false)
      for character in part {
        let isMark = ".*+?^$()[]{}".contains(character)
        if character == "\\" {
          isEscaped = true
          continue
        }
        if isClass {
          isClass = character != "]"
        } else if !isMark || isEscaped {
          texts[texts.count - 1].append(character)
        } else {
          if "*?".contains(character) { texts[texts.count - 1] = String(texts[texts.count - 1].dropLast()) }
          isClass = character == "["
          texts.append("")
        }
        isEscaped = false
      }
      texts.removeAll(where: \.isEmpty)
      return texts.isEmpty ? nil : texts
    }
  }

  private func isIgnored(_ path: [UInt8]) -> Bool {
    ignored.contains { texts in
      var rest = path[...]
      return texts.allSatisfy { text in
        guard let found = rest.firstRange(of: Array(text.utf8)) else { return false }
        rest = rest[found.upperBound...]
        return true
      }
    }
  }

  /// The reason why Hugo makes no page of a note; nil if it makes one.
  func withheld(_ note: Note, _ schema: Schema, includesDrafts: Bool) throws(SlipboxError) -> WithheldNote? {
    if Self.support.contains(where: { note.path.starts(with: $0) }) || isIgnored(note.path)
      || !content.contains(where: { note.path.starts(with: $0) })
    {
      return WithheldNote(reason: .support, written: "")
    }
    if let hidden = withheld(note, includesDrafts) { return hidden }
    // A note in the folder of a leaf bundle is hidden with the note of the bundle.
    var folder = BytePath.folder(of: note.path)
    while !folder.isEmpty {
      let isOwn = folder == BytePath.folder(of: note.path) && Self.isIndex(note.path)
      for index in isOwn ? [] : bundles[folder + [UInt8(ascii: "/")]] ?? [] {
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
    var fields = note.frontMatter.fields.map { (name: $0.name, value: $0.value) }
    fields += TOMLCascade.pageValues(in: note)
    if let hidden = Self.withheld(by: fields, at: now) { return hidden }
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

  private static func withheld(
    by fields: [(name: String, value: FieldValue)], at now: Timestamp
  ) -> WithheldNote? {
    func first(_ names: [String]) -> (name: String, value: FieldValue)? {
      names.lazy.compactMap { name in
        fields.first { field in
          if case .empty = field.value { return false }
          return field.name.lowercased() == name
        }
      }.first
    }
    let begin = first(["publishdate", "pubdate", "published", "date"])
    let end = first(["expirydate", "unpublishdate"])
    for field in [begin, end].compactMap({ $0 }) {
      if let hidden = withheld(by: field.name, field.value, at: now) { return hidden }
    }
    return fields.lazy.compactMap { WithheldNote(build: $0.name, $0.value) }.first
  }

  /// The reason of a date. Hugo builds no site with a date that it can't read.
  private static func withheld(by name: String, _ value: FieldValue, at now: Timestamp) -> WithheldNote? {
    if case .empty = value { return nil }
    let text = value.text ?? "..."
    guard !text.isEmpty else { return nil }
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
  static let configurations = [
    "hugo", "config", "config/_default/hugo", "config/_default/config", "config/_default/cascade",
    "config/_default/languages", "config/_default/module",
  ].flatMap {
    [$0 + ".toml", $0 + ".yaml", $0 + ".yml", $0 + ".json"]
  }

  /// The texts of a setting in a configuration of TOML, YAML or JSON: its value, or the elements of its list.
  ///
  /// - Parameter key: in small letters.
  static func texts(of key: String, in bytes: [UInt8]) -> [String] {
    var (found, isOpen) = ([String](), false)
    for line in bytes.split(whereSeparator: { $0 == 0x0A || $0 == 0x0D }) {
      var rest = String(decoding: line, as: UTF8.self).drop { $0 == " " || $0 == "\t" }
      if let mark = rest.firstIndex(where: { $0 == "=" || $0 == ":" }),
        rest[..<mark].filter({ !" \t\"'{".contains($0) }).lowercased() == key
      {
        rest = rest[rest.index(after: mark)...]
        let isWhole = rest.contains { !" \t".contains($0) } && (!rest.contains("[") || rest.contains("]"))
        isOpen = !isWhole
      } else if isOpen, rest.hasPrefix("-") || rest.contains(where: { "\"']".contains($0) }) {
        isOpen = !rest.contains("]")
        rest = rest.drop { $0 == "-" }
      } else {
        isOpen = false
        continue
      }
      let list = rest.filter { !"\"'".contains($0) }.split { "[],}".contains($0) }
      found += list.map { $0.split(separator: " #").first ?? "" }.map { part in
        String(part.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
      }.filter { !$0.isEmpty && !$0.hasPrefix("#") }
    }
    return found
  }

  private init(folder: [UInt8], _ values: [(name: String, value: FieldValue)]) {
    (self.folder, self.values) = (folder, values)
  }

  /// Those of a section; nil without any.
  init?(section: Note, _ folder: [UInt8]) {
    let values = Self.values(in: section)
    guard !values.isEmpty else { return nil }
    self.init(folder: folder, values)
  }

  /// Those of the configuration of the site; nil without any.
  init?(configuration bytes: [UInt8], name: String) {
    let fence = name.hasSuffix(".toml") ? "+++" : name.hasSuffix(".json") ? "" : "---"
    let text = fence.isEmpty ? bytes : Array("\(fence)\n".utf8) + bytes + Array("\n\(fence)\n".utf8)
    let isCascade = name.contains("/cascade.")
    let values =
      isCascade
      ? TOMLCascade.values(in: bytes, isAll: true) : Self.values(in: Note(path: [], text: NoteText(text)))
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
  /// The values of a page in TOML that front matter does not read as fields: the build options, and dates with a blank.
  static func pageValues(in note: Note) -> [(name: String, value: FieldValue)] {
    let text = note.textOrEmpty
    guard text.format == .toml, let block = text.frontMatter else { return [] }
    var (values, isRead) = ([(name: String, value: FieldValue)](), true)
    for line in text.bytes[block].split(whereSeparator: { $0 == 0x0A || $0 == 0x0D }) {
      let rest = String(decoding: line, as: UTF8.self).drop { $0 == " " || $0 == "\t" }
      if rest.hasPrefix("[") {
        let table = rest.dropFirst().prefix { $0 != "]" }.filter { !" \t\"'".contains($0) }
        isRead = ["build", "_build"].contains(table.lowercased())
      } else if isRead {
        values += pairs(rest)
      }
    }
    return values
  }

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
