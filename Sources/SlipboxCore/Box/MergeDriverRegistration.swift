import Bytes
import Git
import Platform
import Text

/// The merge driver of notes in the git of a clone: its command in `.git/config`, and the patterns of its files in
/// `.git/info/attributes`.
///
/// With it git's own commands (`git pull`, `git merge`, `git rebase`) merge notes as `slip sync` does.
struct MergeDriverRegistration {
  private let box: Box

  init(in box: Box) { self.box = box }

  /// The command of the driver. If slip is not installed, the command falls back to git's own text merge.
  private static let command =
    "if command -v slip >/dev/null; then slip merge-driver %O %A %B %P; else git merge-file %A %O %B; fi"

  /// The start of the command that earlier versions registered; it is replaced without a warning.
  private static let earlierCommand = "if command -v slip >/dev/null; then slip merge-driver "

  private static let key = "merge.slipbox.driver"

  /// The registered command in this clone; nil if there is none.
  private var registered: String? { box.withRepository { $0.settings[Self.key] } }

  /// Whether a merge driver for notes is registered in this clone.
  var exists: Bool { registered != nil }

  private var attributesFile: [UInt8] { box.commonDirectory / "info/attributes" }

  /// The reason why git does not merge the notes of this clone by slip's driver, and its file; nil if there is none.
  ///
  /// A command of the user's own that runs the driver is fine, and so are attributes in the box.
  var fault: (message: Phrase, file: [UInt8])? {
    guard registered?.contains("merge-driver") == true else {
      return ("no merge driver is registered for notes", box.commonDirectory / "config")
    }
    let files = [attributesFile, box.workTree / ".gitattributes"]
    // An unreadable file names no driver.
    let names = files.contains { file in
      String(decoding: (try? Files.read(file, limit: 1 << 20)) ?? [], as: UTF8.self).contains("merge=slipbox")
    }
    return names ? nil : ("no git attribute assigns the merge driver to notes", attributesFile)
  }

  /// Registers the driver, and stores the name of the device, as at the first write of a clone.
  func register(_ context: CommandContext) throws(SlipboxError) {
    box.keepDevice(context, isNew: !exists)
    if registered != Self.command {
      try box.git { repository throws(GitError) in
        try repository.settings.set("merge.slipbox.name", to: "merge of notes field by field")
        try repository.settings.set(Self.key, to: Self.command)
      }
    }
    let file = attributesFile
    let known = try attributes(in: file)
    var lines: [UInt8] = []
    for pattern in ["*.md", "*.markdown", ".slipbox/**/*.yaml"] {
      let line = attributePattern(pattern) + Array(" merge=slipbox".utf8)
      if !known.split(separator: UInt8(ascii: "\n")).contains(where: { $0.elementsEqual(line) }) {
        lines += line + [UInt8(ascii: "\n")]
      }
    }
    guard !lines.isEmpty else { return }
    let gap: [UInt8] = known.isEmpty || known.last == UInt8(ascii: "\n") ? [] : [UInt8(ascii: "\n")]
    try system { () throws(SystemError) in try Files.write(known + gap + lines, to: file) }
    for path in [BytePath.folder(of: file), file] { box.withRepository { $0.permissions.share(path) } }
  }

  /// Registers the driver at the first command that writes in a fresh clone, and reports it.
  ///
  /// If git's settings can't be written, the next command retries: no change waits for that.
  func registerOnce(_ context: CommandContext) {
    box.keepDevice(context, isNew: !exists)
    if let registered, registered != Self.command, registered.hasPrefix(Self.earlierCommand) {
      try? register(context)
    }
    guard !exists, (try? register(context)) != nil else { return }
    context.reporter.warn("set up this clone: registered slip's merge driver for notes")
  }

  /// Returns the bytes of git's own attributes file; empty if the file does not exist.
  private func attributes(in file: [UInt8]) throws(SlipboxError) -> [UInt8] {
    do throws(SystemError) {
      return try Files.read(file, limit: 1 << 20)
    } catch {
      if error.isMissing { return [] }
      throw SlipboxError(error)
    }
  }

  /// Returns a pattern of an attributes file for notes of this box, quoted if its folder requires it.
  private func attributePattern(_ pattern: String) -> [UInt8] {
    if box.prefix.isEmpty { return Array(pattern.utf8) }
    let path = Array("/".utf8) + box.prefix + Array("**/\(pattern)".utf8)
    guard path.contains(where: { $0 <= 0x20 || $0 == UInt8(ascii: "\"") || $0 == UInt8(ascii: "\\") }) else {
      return path
    }
    var quoted: [UInt8] = [UInt8(ascii: "\"")]
    for byte in path {
      if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") { quoted.append(UInt8(ascii: "\\")) }
      quoted.append(byte)
    }
    return quoted + [UInt8(ascii: "\"")]
  }
}
