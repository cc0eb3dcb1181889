import NoteIndex
package import Notes
import Text

/// The layout of a box, as its settings name it.
extension Settings {
  /// The newest form of a box that this version knows: the value of `requires`.
  static let newestForm = 2

  /// The conventions of another program's settings, in the order in which they apply.
  typealias ForeignConvention = (Layout) -> Layout

  /// The name of the preset, or of the preset below a custom layout.
  package var layoutName: String {
    if let name = self["layout"] { return name }
    return layoutEntries.first { $0.key == "base" }?.value.text ?? Layout.Name.slipbox.rawValue
  }

  /// Which file a link means if it fits the names of several.
  var sameNames: SameNameRule { Layout.Name(rawValue: layoutName).map { Layout($0).sameNames } ?? .ambiguous }

  private var layoutEntries: [MapEntry] {
    if case .map(let entries)? = value(named: "layout") { entries } else { [] }
  }

  /// The layout of the box.
  ///
  /// The keys of the mapping `layout:` precede the settings `path`, `daily` and `inline-fields`, then those of the program
  /// in the folder, then the preset.
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
        throw Self.refusal("layout: \(Visible.escape(entry.key)): the key or its value is not known")
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
    return refusal("layout: \(Visible.escape(name)) is not one of the layouts: \(names)")
  }

  private static func refusal(_ message: String) -> SlipboxError {
    SlipboxError(
      .configuration, ".slipbox/config.yaml: \(message)",
      hints: ["slip config layout NAME sets another layout"])
  }

  /// Refuses a box that needs a newer version of slip.
  ///
  /// - Throws: `.configuration` if `requires` is above the newest form that is known.
  func refuseNewerForm() throws(SlipboxError) {
    guard let required = self["requires"] else { return }
    guard let form = Int(required), form <= Self.newestForm else {
      throw SlipboxError(
        .configuration,
        ".slipbox/config.yaml: the box requires format \(Visible.escape(required)), but this version of slip "
          + "supports only format \(Self.newestForm)",
        hints: ["install a newer version of slip"])
    }
  }

  /// How inline fields are read, as far as the settings of the box alone tell.
  var inlineFields: InlineFields.Reading {
    guard let layout = try? layout(), layout.hasInlineFields else { return .none }
    return layout.name == .logseq ? .pageProperties : .fields
  }
}

extension Settings {
  /// The settings file of a box with another layout: the layout and what earlier versions understand of it.
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

  /// Whether versions that know no layouts read a pattern of daily notes.
  private static func isEarlierDaily(_ pattern: String) -> Bool {
    !pattern.contains("{date") && ["{year}", "{month}", "{day}"].allSatisfy(pattern.contains)
  }
}

extension Layout {
  /// The keys of the mapping `layout:` in which the layout differs from its preset.
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
  /// The entry as the setting `exclude` writes it.
  fileprivate var alone: String { isBeginning && !text.hasSuffix("/") ? text + "*" : text }
}
