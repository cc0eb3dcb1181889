import Notes
import Platform
import Text

extension BoxSnapshot {
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
    let names = keys.map(\.name)
    let near = Spelling.nearest(to: name, among: names).map { "did you mean: \($0)" }
    throw SlipboxError(
      .usage, "there is no setting \(Visible.escape(name))",
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
    let new = try changed(old, key, to: value, file: Visible.escape(file))
    try system { () throws(SystemError) in try Files.write(new, to: file) }
  }

  /// The bytes of the user's file; none where there is none yet.
  private static func bytes(of file: [UInt8]) throws(SlipboxError) -> [UInt8] {
    do throws(SystemError) {
      return try Files.read(file, limit: 1 << 20)
    } catch {
      if error.isMissing { return [] }
      throw SlipboxError(error)
    }
  }

  fileprivate static func changed(
    _ bytes: [UInt8], _ key: Key, to value: String, file: String
  ) throws(SlipboxError) -> [UInt8] {
    if !value.isEmpty, let problem = problem(in: value, of: key.name) {
      throw SlipboxError(problem.kind, "\(key.name): \(Visible.escape(value))\(problem.message)")
    }
    let settings = try Settings.of(bytes, file: file)
    do throws(EditError) {
      return try settings.setting(key.name, to: value)
    } catch {
      throw SlipboxError(error, note: file)
    }
  }
}
