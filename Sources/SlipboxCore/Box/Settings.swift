import Bytes
import NoteIndex
package import Notes
import Platform
package import Text

/// One configuration file: the box's own `.slipbox/config.yaml`, or the user's.
///
/// It is read and edited by the front-matter reader, so comments and order survive a change.
package struct Settings: Sendable {
  /// A setting that people may change.
  package struct Key: Sendable {
    package let name: String
    package let summary: Phrase
    package let isUserOnly: Bool
    package let standard: String
  }

  /// All settings.
  package static let keys = [
    Key(
      name: "layout",
      summary: "the conventions of the folder: slipbox, obsidian, zk, hugo, jekyll and others",
      isUserOnly: false, standard: "slipbox"),
    Key(
      name: "path", summary: "the path of new notes", isUserOnly: false,
      standard: "{year}/{month}/{slug}-{id}.md"),
    Key(
      name: "daily", summary: "the path of daily notes", isUserOnly: false,
      standard: "daily/{year}-{month}-{day}.md"),
    Key(
      name: "inbox", summary: "the note for \(slip: "capture"), by title or path", isUserOnly: false,
      standard: "Inbox"),
    Key(
      name: "capture", summary: "the format of lines that \(slip: "capture") adds", isUserOnly: false,
      standard: "- {{selection}}"),
    Key(
      name: "exclude", summary: "folders and patterns of files that aren't notes, separated by commas",
      isUserOnly: false, standard: ""),
    Key(
      name: "inline-fields", summary: "whether key:: value in the text is a field: yes or no",
      isUserOnly: false, standard: ""),
    Key(
      name: "publish",
      summary:
        "which notes \(slip: "export html") exports: marked (no drafts, no private notes) or required (publish: true)",
      isUserOnly: false, standard: "marked"),
    Key(
      name: "publish.fields", summary: "further fields that sites show, separated by commas",
      isUserOnly: false, standard: ""),
    Key(
      name: "publish.title", summary: "the title of sites; by default the name of the box's folder",
      isUserOnly: false, standard: ""),
    Key(
      name: "publish.url", summary: "the address of sites, for feeds, sitemap and canonical links",
      isUserOnly: false, standard: ""),
    Key(
      name: "publish.author", summary: "the author of sites, for their feeds", isUserOnly: false, standard: ""
    ),
    Key(
      name: "merge.later", summary: "further fields in which merges keep the later time",
      isUserOnly: false, standard: ""),
    Key(
      name: "bake",
      summary:
        "when lists in notes are written besides \(slip: "bake"): sync (after a merge), commit or never",
      isUserOnly: false, standard: "sync"),
    Key(
      name: "lsp.commit", summary: "when \(slip: "lsp") commits saved notes: never, save or idle",
      isUserOnly: false,
      standard: "never"),
    Key(
      name: "lsp.links", summary: "how \(slip: "lsp") names notes in links: title, id or path",
      isUserOnly: false,
      standard: ""),
    Key(name: "box", summary: "the default box", isUserOnly: true, standard: ""),
    Key(name: "device", summary: "the name of this device in history", isUserOnly: true, standard: ""),
    Key(name: "editor", summary: "the editor; overrides $VISUAL and $EDITOR", isUserOnly: true, standard: ""),
    Key(name: "pager", summary: "the pager; overrides $PAGER", isUserOnly: true, standard: ""),
    Key(
      name: "browse.keys", summary: "other keys for actions of \(slip: "browse"), as in delete=X",
      isUserOnly: true,
      standard: ""),
    Key(
      name: "picker", summary: "the program for choosing notes", isUserOnly: true, standard: "fzf"),
  ]

  /// The file of a box's settings, below the box.
  package static let boxFile = Array(".slipbox/config.yaml".utf8)
  /// The folder of the settings, kinds and templates of a box.
  static let folder = Array(".slipbox/".utf8)

  /// The content of a new box's settings file.
  package static let newFile = Array(
    """
    # Slipbox settings of this box; slip help config lists them all.
    path: "{year}/{month}/{slug}-{id}.md"

    """.utf8)

  let text: NoteText
  private let block: FrontMatter

  /// Parses the bytes of a settings file.
  package init(_ bytes: [UInt8]) {
    text = NoteText(Self.fenced(bytes))
    block = FrontMatter(text)
  }

  /// The reason why the file can't be read as settings; nil if it can.
  package var problem: Problem? {
    block.problems.first { $0.severity == .error }.map {
      // The fence that is put before the file is not a line of it.
      Problem(severity: .error, line: max(1, $0.line - 1), column: $0.column, message: $0.message)
    }
  }

  /// Returns the value of a setting; nil if the file does not set it.
  package subscript(name: String) -> String? {
    guard let value = block[name]?.text ?? values(ofList: name)?.joined(separator: ", "), !value.isEmpty
    else {
      return nil
    }
    return value
  }

  /// Returns the texts of a setting that is a list, or one text with commas; nil if the file does not set it.
  func values(ofList name: String) -> [String]? {
    switch block[name] {
    case .text(let text):
      text.split(separator: ",").map { part in
        let part = part.drop { $0 == " " }
        return String(part.dropLast(part.reversed().prefix { $0 == " " }.count))
      }
    case .list(let elements): elements.compactMap(\.text)
    default: nil
    }
  }

  /// The names in the file that are not settings, with the most similar setting.
  var unknownNames: [(name: String, near: String?)] {
    let known = Self.keys.map(\.name)
    let others = block.fields.map(\.name).filter { name in
      !known.contains(name) && !["requires", "tags"].contains(name)
        && !["filter-", "view-"].contains { name.hasPrefix($0) }
    }
    return others.map { ($0, Spelling.nearest(to: $0, among: known)) }
  }

  /// Every setting of the file that has a text.
  var values: [(name: String, value: String)] {
    block.fields.compactMap { field in field.value.text.map { (field.name, $0) } }
  }

  /// Returns the parsed value of a setting: a text, a list or a mapping.
  func value(named name: String) -> FieldValue? { block[name] }

  /// Returns the value of a setting, or its default.
  func value(of name: String) -> String {
    self[name] ?? Self.keys.first { $0.name == name }?.standard ?? ""
  }

  /// The default box of a user's configuration.
  package var defaultBox: [UInt8]? { self["box"].map { Array($0.utf8) } }

  /// Returns the file's bytes with one setting changed; an empty value removes it.
  package func setting(_ name: String, to value: String) throws(EditError) -> [UInt8] {
    let changed =
      value.isEmpty ? try text.clearing(name) : try text.setting(name, to: .text(value))
    return changed.frontMatter.map { Array(changed.bytes[$0]) } ?? []
  }

  /// Returns the user's own settings; empty without the file, or, with a warning, if it can't be read.
  package static func user(_ context: CommandContext) -> Settings {
    guard let file = userFile(context) else { return Settings([]) }
    let fault: String
    do throws(SystemError) {
      let settings = Settings(try Files.read(file, limit: 1 << 20))
      guard let problem = settings.problem else { return settings }
      fault = "line \(problem.line), column \(problem.column): \(problem.message)"
    } catch {
      if error.isMissing { return Settings([]) }
      fault = error.reason
    }
    context.reporter.warnOnce("\(file) is ignored: \(fault)")
    return Settings([])
  }

  /// Returns the path of the user's settings file.
  package static func userFile(_ context: CommandContext) -> [UInt8]? {
    context.configurationFolder.map { BytePath.join($0, Array("config.yaml".utf8)) }
  }

  private static func fenced(_ bytes: [UInt8]) -> [UInt8] {
    let fence = Array("---\n".utf8)
    let end = bytes.isEmpty || bytes.last == UInt8(ascii: "\n") ? [] : Array("\n".utf8)
    return fence + bytes + end + fence
  }
}

extension Settings {
  /// Returns the settings of a box, from the bytes of its settings file; those of an empty file if there is none.
  /// - Parameter isLenient: whether a file that can't be read counts as an empty one.
  /// - Throws: as `of(_:file:)`.
  static func ofBox(_ bytes: [UInt8]?, isLenient: Bool) throws(SlipboxError) -> Settings {
    do throws(SlipboxError) {
      return try of(bytes ?? [], file: ".slipbox/config.yaml")
    } catch {
      if isLenient { return Settings([]) }
      throw error
    }
  }

  /// Parses the settings in the bytes of a file. If git left its markers in it, returns those of both versions merged.
  /// - Parameter file: its name, safe for a terminal.
  /// - Throws: `.configuration` with line and column if they can't be read.
  static func of(_ bytes: [UInt8], file: Phrase) throws(SlipboxError) -> Settings {
    let settings = Settings(bytes)
    guard let problem = settings.problem else {
      try settings.refuseNewerForm()
      return settings
    }
    if let line = MergeMarkers.firstLine(in: bytes) {
      let merged = SettingsMerge.settled(bytes).map { Settings($0) }
      if let merged, merged.problem == nil {
        try merged.refuseNewerForm()
        return merged
      }
      throw SlipboxError(
        .configuration, "\(file): line \(line): a conflict marker of an unfinished merge",
        hints: ["the versions can't be merged: fix the file in an editor"])
    }
    throw SlipboxError(
      .configuration, "\(file): line \(problem.line), column \(problem.column): \(problem.message)",
      hints: ["fix the file in an editor"])
  }
}

/// The layout of a box according to its settings.
extension Settings {
  /// The newest format of a box that this version supports: the value of `requires`.
  static let newestForm = 2

  /// The conventions of another program's settings, in the order in which they apply.
  typealias ForeignConvention = (Layout) -> Layout

  /// The name of the preset, or of the preset below a custom layout.
  package var layoutName: String {
    let base = layoutEntries.first { $0.key == "base" }.map { $0.value.text ?? "" }
    return self["layout"] ?? base ?? Layout.Name.slipbox.rawValue
  }

  /// The rule for the target of a link that matches the names of several files.
  var sameNames: SameNameRule { Layout.Name(rawValue: layoutName).map { Layout($0).sameNames } ?? .ambiguous }

  private var layoutEntries: [MapEntry] {
    if case .map(let entries)? = value(named: "layout") { entries } else { [] }
  }

  /// Returns the layout of the box.
  ///
  /// The keys of the mapping `layout:` precede the settings `path`, `daily` and `inline-fields`, then those of the
  /// program in the folder, then the preset.
  /// - Parameter adapting: applies the settings of the program.
  /// - Throws: `.configuration` if the layout or a value of it is not known.
  package func layout(adapting: (Layout) -> Layout = { $0 }) throws(SlipboxError) -> Layout {
    guard let name = Layout.Name(rawValue: layoutName) else {
      throw Self.unknown(layoutName)
    }
    var layout = adapting(Layout(name))
    if let path = self["path"], name == .slipbox || path != FileName.defaultPattern { layout.path = path }
    if let daily = self["daily"] { layout.daily = daily }
    if let flag = self["inline-fields"] { layout.hasInlineFields = flag == "yes" }
    for entry in layoutEntries where entry.key != "base" {
      guard Self.set(entry, in: &layout) else {
        throw Self.refusal("layout: \(entry.key): the key or its value is not known")
      }
    }
    return layout
  }

  private static func set(_ entry: MapEntry, in layout: inout Layout) -> Bool {
    let text = entry.value.text ?? ""
    switch entry.key {
    case "path", "daily":
      guard problem(in: text, of: entry.key) == nil else { return false }
      if entry.key == "path" { layout.path = text } else { layout.daily = text }
    case "title":
      guard let place = Layout.TitlePlace(rawValue: text) else { return false }
      layout.title = place
    case "links":
      guard let links = LinkStyle(rawValue: text) else { return false }
      layout.links = links
    case "id": layout.idField = text.isEmpty || text == "none" ? nil : text
    case "created": layout.createdField = text.isEmpty ? "created" : text
    case "daily-template": layout.dailyTemplate = text.isEmpty ? nil : text
    case "templates": layout.templates = text.isEmpty ? nil : text
    case "attachments": layout.attachments = text
    case "inline-fields":
      guard ["yes", "no"].contains(text) else { return false }
      layout.hasInlineFields = text == "yes"
    default: return false
    }
    return true
  }

  private static func unknown(_ name: String) -> SlipboxError {
    let names = Layout.Name.allCases.map(\.rawValue).joined(separator: ", ")
    return refusal("layout: \(name) is not one of the layouts: \(names)")
  }

  private static func refusal(_ message: Phrase) -> SlipboxError {
    SlipboxError(
      .configuration, about: ".slipbox/config.yaml", message,
      hints: ["\(slip: "config layout", "NAME") sets another layout"])
  }

  /// Refuses a box that needs a newer version of slip.
  ///
  /// - Throws: `.configuration` if `requires` is above the newest supported format.
  func refuseNewerForm() throws(SlipboxError) {
    guard let required = self["requires"] else { return }
    guard let form = Int(required), form <= Self.newestForm else {
      throw SlipboxError(
        .configuration,
        ".slipbox/config.yaml: the box requires format \(required), but this version of slip "
          + "supports only format \(Self.newestForm)",
        hints: ["install a newer version of slip"])
    }
  }

  /// The way in which inline fields are read, according to the settings of the box alone.
  var inlineFields: InlineFields.Reading {
    guard let layout = try? layout(), layout.hasInlineFields else { return .none }
    return layout.name == .logseq ? .pageProperties : .fields
  }
}

extension Settings {
  /// Returns the settings file of a box with another layout: the layout, and the settings that earlier versions
  /// understand.
  ///
  /// `path` and `daily` have the layout's patterns if earlier versions can read them, and are removed otherwise.
  /// - Parameter excluded: the exclusions that the program's settings name, if other clones don't have these settings:
  ///   then the file gets every convention in which they differ from the preset.
  /// - Throws: `.badData` if the front-matter editor can't change the file.
  static func settingLayout(
    _ layout: Layout, recording excluded: ExcludedPaths? = nil, in bytes: [UInt8]
  ) throws(SlipboxError) -> [UInt8] {
    let isOwn = layout.name == .slipbox
    let preset = Layout(layout.name)
    let records = excluded != nil
    let conventions = records ? layout.conventions(besides: preset) : []
    let isDaily = isEarlierDaily(layout.daily) || records && layout.daily != preset.daily
    let values = [
      ("path", isOwn || records && layout.path != preset.path ? layout.path : ""),
      ("daily", isOwn || !isDaily ? "" : layout.daily), ("requires", isOwn ? "" : "\(newestForm)"),
    ]
    do throws(EditError) {
      var bytes = try Settings(bytes).setting(
        "layout", to: isOwn || !conventions.isEmpty ? "" : layout.name.rawValue)
      if !conventions.isEmpty {
        bytes += Array("layout:\n".utf8)
        for (key, value) in [("base", layout.name.rawValue)] + conventions {
          bytes += Array("  ".utf8) + (try Settings([]).setting(key, to: value))
        }
      }
      for (name, value) in values { bytes = try Settings(bytes).setting(name, to: value) }
      let patterns = excluded?.patterns.map(\.alone) ?? []
      let settings = Settings(bytes)
      guard !patterns.isEmpty, settings.exclude == nil else { return bytes }
      let changed = try settings.text.setting("exclude", to: .list(patterns.map { .text($0) }))
      return changed.frontMatter.map { Array(changed.bytes[$0]) } ?? []
    } catch {
      throw SlipboxError(error, note: ".slipbox/config.yaml")
    }
  }

  /// Returns whether versions without layouts can read a pattern of daily notes.
  private static func isEarlierDaily(_ pattern: String) -> Bool {
    !pattern.contains("{date") && ["{year}", "{month}", "{day}"].allSatisfy(pattern.contains)
  }
}

extension Layout {
  /// Returns the keys of the mapping `layout:` in which the layout differs from its preset.
  fileprivate func conventions(besides preset: Layout) -> [(key: String, value: String)] {
    let values: [(String, String?, String?)] = [
      ("links", links.rawValue, preset.links.rawValue), ("templates", templates, preset.templates),
      ("attachments", attachments, preset.attachments),
      ("daily-template", dailyTemplate, preset.dailyTemplate),
    ]
    return values.compactMap { key, value, standard in value.flatMap { $0 == standard ? nil : (key, $0) } }
  }
}

extension ExcludedPaths.Pattern {
  /// The entry in the form of the setting `exclude`.
  fileprivate var alone: String { isBeginning && !text.hasSuffix("/") ? text + "*" : text }
}
