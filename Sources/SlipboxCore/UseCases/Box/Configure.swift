import Bytes
import NoteIndex
import Notes
import Platform
import Text

/// Changes a setting of the box.
package struct Configure {
  private let snapshot: BoxSnapshot

  package init(in snapshot: BoxSnapshot) { self.snapshot = snapshot }

  /// The plan that changes a setting of the box.
  package func plan(_ key: Settings.Key, to value: String, reason: String? = nil) -> Plan {
    let edit = FileEdit(path: Settings.boxFile) { [self] bytes throws(SlipboxError) in
      let bytes = bytes ?? []
      let changed = try Settings.changed(bytes, key, to: value, file: ".slipbox/config.yaml")
      guard key.name == "layout", let name = Layout.Name(rawValue: value.isEmpty ? "slipbox" : value) else {
        return changed
      }
      let reader = LayoutReader(box: snapshot.box) { _ in }
      return try Settings.settingLayout(
        reader.adapting(Layout(name)),
        recording: try ProgramSettings(in: snapshot).exclusionsOfThisClone(name), in: bytes)
    }
    return Plan(command: "config", reason: reason, edits: [edit]) { _ in
      value.isEmpty ? "Clear setting: \(key.name)" : "Set setting: \(key.name) \(value)"
    }
  }
}

extension Settings {
  /// The setting of a name.
  /// - Throws: `.usage` if there is none, with the nearest.
  package static func key(_ name: String) throws(SlipboxError) -> Key {
    if let key = keys.first(where: { $0.name == name }) { return key }
    let names = keys.map(\.name)
    let near = Spelling.nearest(to: name, among: names).map { "did you mean: \($0)" as Phrase }
    throw SlipboxError(
      .usage, "there is no setting \(name)",
      hints: [near ?? "the settings are: \(names.joined(separator: ", "))"])
  }

  /// Changes a setting in the user's own file, which is no part of any box.
  package static func setForUser(
    _ key: Key, to value: String, _ context: CommandContext
  ) throws(SlipboxError) {
    guard let file = userFile(context) else {
      throw SlipboxError(
        .configuration, "there is no home folder for your configuration", hints: ["set $XDG_CONFIG_HOME"])
    }
    let old = try bytes(of: file)
    let value = key.name == "box" ? try absolute(value, context) : value
    let new = try changed(old, key, to: value, file: Phrase(file))
    try system { () throws(SystemError) in try Files.write(new, to: file) }
  }

  /// The path of a box from the root of the file system: the setting counts in every folder.
  private static func absolute(_ path: String, _ context: CommandContext) throws(SlipboxError) -> String {
    guard !path.isEmpty else { return path }
    guard path.first != "~" else {
      throw SlipboxError(
        .usage, "box: \(path): the shell expands ~ only without quotes",
        hints: ["\(slip: "config", "--user box ~/FOLDER")"])
    }
    let joined = BytePath.join(context.workingDirectory, Array(path.utf8))
    return String(decoding: BytePath.normalised(joined) ?? joined, as: UTF8.self)
  }

  /// The bytes of the user's file; none if there is none yet.
  private static func bytes(of file: [UInt8]) throws(SlipboxError) -> [UInt8] {
    do throws(SystemError) {
      return try Files.read(file, limit: 1 << 20)
    } catch {
      if error.isMissing { return [] }
      throw SlipboxError(error)
    }
  }

  fileprivate static func changed(
    _ bytes: [UInt8], _ key: Key, to value: String, file: Phrase
  ) throws(SlipboxError) -> [UInt8] {
    if !value.isEmpty, let problem = problem(in: value, of: key.name) {
      throw SlipboxError(problem.kind, "\(key.name): \(value)\(problem.message)")
    }
    // Setting the value again decides about the value that a merge did not take.
    let settled = Array("\(SettingsMerge.notTaken)\(key.name):".utf8)
    let kept = bytes.split(separator: 0x0A, omittingEmptySubsequences: false).filter {
      !$0.starts(with: settled)
    }
    let settings = try Settings.of(Array(kept.joined(separator: [0x0A])), file: file)
    do throws(EditError) {
      return try settings.setting(key.name, to: value)
    } catch {
      throw SlipboxError(error, note: file)
    }
  }
}

/// Values that settings can't have.
extension Settings {
  typealias ValueProblem = (kind: SlipboxError.Kind, message: Phrase)

  /// The problem of a setting's value, in words that follow it; nil if it is valid.
  static func problem(in value: String, of name: String) -> ValueProblem? {
    switch name {
    case "layout":
      return wordProblem(value, of: Layout.Name.allCases.map(\.rawValue))
    case "inline-fields": return wordProblem(value, of: ["yes", "no"])
    case "path":
      let problem: ValueProblem = (
        .badData,
        " must contain {id}, {title}, {slug} or {date:FORMAT}, so that paths are unique"
      )
      let isApart = ["{id}", "{title}", "{slug}", "{date"].contains { value.contains($0) }
      return patternProblem(value, isApart: isApart ? nil : problem)
    case "daily":
      let isDated = ["{year}", "{month}", "{day}"].allSatisfy(value.contains) || value.contains("{date")
      let problem: ValueProblem = (
        .badData,
        " must contain {year}, {month} and {day}, or {date:FORMAT}, so that paths are unique"
      )
      return patternProblem(value, isApart: isDated || value.contains("{slug}") ? nil : problem)
    case "inbox": return inboxProblem(value)
    case "capture": return captureProblem(value)
    case "publish": return wordProblem(value, of: ["marked", "required"])
    case "publish.url":
      return value.isEmpty || isWebAddress(value)
        ? nil : (.badData, " is not an address such as https://example.org/notes/")
    case "bake": return wordProblem(value, of: ["sync", "commit", "never"])
    case "lsp.commit": return wordProblem(value, of: ["never", "save", "idle"])
    case "lsp.links": return wordProblem(value, of: ["title", "id", "path"])
    default: return nil
    }
  }

  /// Whether a text is an address of the web in printable ASCII, without a password, a query and a fragment.
  package static func isWebAddress(_ text: String) -> Bool {
    let host = text.firstRange(of: "://").map { text[$0.upperBound...].prefix { $0 != "/" } } ?? ""
    return ["https://", "http://"].contains { text.hasPrefix($0) && text.utf8.count > $0.utf8.count }
      && !host.contains("@") && !text.contains("?") && !text.contains("#")
      && text.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && !"\"<>".utf8.contains($0) }
  }

  private static func wordProblem(_ value: String, of words: [String]) -> ValueProblem? {
    words.contains(value) ? nil : (.badData, " is not one of the values: \(words.joined(separator: ", "))")
  }

  /// The problem of a setting that is neither a text nor a list of texts, in words that follow its name; nil if it is one.
  func formProblem(of name: String) -> Phrase? {
    switch value(named: name) {
    case .map: " is a mapping, but takes a text"
    case .list(let elements) where elements.contains { if case .text = $0 { false } else { true } }:
      " has an element that is not a text"
    default: nil
    }
  }

  /// Throws if an editor or a clone has written an invalid value into the settings.
  package func refuseBad(_ name: String, in box: Box) throws(SlipboxError) {
    let (form, value) = (formProblem(of: name), value(of: name))
    let problem = form ?? Self.problem(in: value, of: name).map { ": \(value)\($0.message)" }
    guard let problem else { return }
    throw SlipboxError(
      .configuration, ".slipbox/config.yaml: \(name)\(problem)",
      hints: [
        "\(slip: "config", .value(name), .word(Self.isPattern(name) ? "PATTERN" : "VALUE")) sets another"
      ]
    ).naming(originOf: Settings.boxFile, in: box)
  }

  private static func isPattern(_ name: String) -> Bool { ["path", "daily"].contains(name) }

  /// A pattern has to give notes different paths, stay in the box, and name files that are notes.
  private static func patternProblem(_ pattern: String, isApart: ValueProblem?) -> ValueProblem? {
    if !pattern.hasSuffix(".md") && !pattern.hasSuffix(".markdown") {
      return (.badData, " must end in .md")
    }
    if let isApart { return isApart }
    do throws(Problem) { _ = try PathPattern(pattern) } catch {
      return (.badData, ": \(error.message)")
    }
    return pathProblem(pattern)
  }

  private static func pathProblem(_ path: String) -> ValueProblem? {
    if let problem = FileName.problem(in: Array(path.utf8)) { return (.badData, ": \(problem)") }
    if path.split(separator: "/").contains(where: { $0.hasPrefix(".") }) {
      return (.configuration, " is in a hidden folder, which can't contain notes")
    }
    return nil
  }

  private static func inboxProblem(_ value: String) -> ValueProblem? {
    if !value.utf8.contains(where: { $0 > 0x20 }) { return (.badData, " is not a note") }
    return FileName.isNote(Array(value.utf8)) ? pathProblem(value) : nil
  }

  private static func captureProblem(_ value: String) -> ValueProblem? {
    do throws(Problem) {
      let form = try TemplateText(Array(value.utf8))
      if !form.holdsSelection { return (.badData, " must contain {{selection}}, the captured text") }
      if form.asksNote { return (.badData, " may contain only {{selection}}, {{date}} and {{time}}") }
      return nil
    } catch {
      return (.badData, ": \(error.message)")
    }
  }
}
