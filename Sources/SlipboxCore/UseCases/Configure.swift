import Notes
import Platform
import Text

extension Slipbox {
  /// The plan that changes a setting of the box.
  package func configuring(_ key: Settings.Key, to value: String, reason: String? = nil) -> Plan {
    let edit = FileEdit(path: Settings.boxFile) { bytes throws(SlipboxError) in
      try Settings.changed(bytes ?? [], key, to: value, file: ".slipbox/config.yaml")
    }
    return Plan(command: "config", reason: reason, edits: [edit]) { _ in
      value.isEmpty ? "Clear setting: \(key.name)" : "Set setting: \(key.name) \(value)"
    }
  }
}

extension Settings {
  /// The setting of a name.
  /// - Throws: `.usage` where there is none, with the nearest.
  package static func key(_ name: String) throws(SlipboxError) -> Key {
    if let key = keys.first(where: { $0.name == name }) { return key }
    let near = Spelling.nearest(to: name, among: keys.map(\.name)).map { ["did you mean: \($0)"] } ?? []
    throw SlipboxError(.usage, "there is no setting \(Visible.escape(name))", hints: near)
  }

  /// Changes a setting in the user's own file, which is no part of any box.
  package static func setForUser(
    _ key: Key, to value: String, _ surroundings: Surroundings
  ) throws(SlipboxError) {
    guard let file = userFile(surroundings) else {
      throw SlipboxError(
        .configuration, "there is no home folder for your configuration", hints: ["set $XDG_CONFIG_HOME"])
    }
    let old = (try? Files.read(file, limit: 1 << 20)) ?? []
    let new = try changed(old, key, to: value, file: Visible.escape(file))
    try system { () throws(SystemError) in try Files.write(new, to: file) }
  }

  fileprivate static func changed(
    _ bytes: [UInt8], _ key: Key, to value: String, file: String
  ) throws(SlipboxError) -> [UInt8] {
    if key.name == "path", !value.isEmpty { try refuse(pattern: value) }
    do throws(EditError) {
      return try Settings(bytes).setting(key.name, to: value)
    } catch {
      throw SlipboxError(error, note: file)
    }
  }

  /// A pattern has to tell notes apart and stay in the box.
  private static func refuse(pattern: String) throws(SlipboxError) {
    if !pattern.hasSuffix(".md") && !pattern.hasSuffix(".markdown") {
      throw SlipboxError(.badData, "path: \(Visible.escape(pattern)) has to end in .md")
    }
    if !pattern.contains("{id}") {
      throw SlipboxError(
        .badData, "path: \(Visible.escape(pattern)) has to hold {id}, which keeps names apart")
    }
    if let problem = FileName.problem(in: Array(pattern.utf8)) {
      throw SlipboxError(.badData, "path: \(Visible.escape(pattern)): \(problem)")
    }
  }
}
