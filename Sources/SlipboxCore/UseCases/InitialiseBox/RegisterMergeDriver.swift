import Bytes
import Git
import Notes
import Platform

/// The merge of notes that git's own commands (`git pull`, `git merge`, `git rebase`) use in a box.
extension Box {
  /// What keeps git from merging the notes of this clone by slip's driver, and the file where; nil where nothing does.
  ///
  /// A command of the user's own that runs the driver will do, and so do attributes in the box.
  var mergeDriverFault: (message: String, file: [UInt8])? {
    let command = withRepository { $0.configuration("merge.slipbox.driver") }
    guard command?.contains("merge-driver") == true else {
      return ("no merge driver is registered for notes", commonDirectory / "config")
    }
    let own = commonDirectory / "info/attributes"
    let files = [own, BytePath.join(workTree, Array(".gitattributes".utf8))]
    // What can't be read names no driver.
    let names = files.contains { file in
      String(decoding: (try? Files.read(file, limit: 1 << 20)) ?? [], as: UTF8.self).contains("merge=slipbox")
    }
    return names ? nil : ("no git attribute assigns the merge driver to notes", own)
  }
}

extension BoxWriter {
  /// The command of the driver; where slip is not installed, git's own text merge does the work.
  private static let driverCommand =
    "if command -v slip >/dev/null; then slip merge-driver %O %A %B %P; else git merge-file %A %O %B; fi"

  /// What the command of earlier versions begins with, which is replaced without a word.
  private static let earlierCommand = "if command -v slip >/dev/null; then slip merge-driver "

  private static let driverKey = "merge.slipbox.driver"

  /// Whether this clone's git knows how to merge notes.
  var hasMergeDriver: Bool { driver != nil }

  private var driver: String? { box.withRepository { $0.configuration(Self.driverKey) } }

  /// Registers the driver in the repository's own `.git/config` and `.git/info/attributes`.
  func registerMergeDriver() throws(SlipboxError) {
    box.keepDevice(context, isNew: !hasMergeDriver)
    if box.withRepository({ $0.configuration(Self.driverKey) }) != Self.driverCommand {
      try box.git { repository throws(GitError) in
        try repository.setConfiguration("merge.slipbox.name", "merge of notes field by field")
        try repository.setConfiguration(Self.driverKey, Self.driverCommand)
      }
    }
    let file = BytePath.join(box.commonDirectory, Array("info/attributes".utf8))
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
    for path in [BytePath.folder(of: file), file] { box.withRepository { $0.share(path) } }
  }

  /// The bytes of git's own file of attributes; none where there is no such file.
  private func attributes(in file: [UInt8]) throws(SlipboxError) -> [UInt8] {
    do throws(SystemError) {
      return try Files.read(file, limit: 1 << 20)
    } catch {
      if error.isMissing { return [] }
      throw SlipboxError(error)
    }
  }

  /// In a fresh clone the first command that writes sets the clone up, and says so.
  ///
  /// Where git's settings can't be written now, the next command does it: no change has to wait for that.
  func setUpCloneOnce() {
    box.keepDevice(context, isNew: !hasMergeDriver)
    if let driver, driver != Self.driverCommand, driver.hasPrefix(Self.earlierCommand) {
      try? registerMergeDriver()
    }
    guard !hasMergeDriver, (try? registerMergeDriver()) != nil else { return }
    context.reporter.warn("set up this clone: registered slip's merge driver for notes")
  }

  /// A pattern of an attributes file for notes of this box, quoted where its folder needs it.
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
