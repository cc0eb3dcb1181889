import Bytes
import Git
import Platform

/// An operation whose text is saved in its files and not committed, because no commit was possible then.
///
/// The next command that can commits it as what it was. The record is not the truth, the files are: without it, what it
/// tells of is a change like those of other programs.
struct SavedOperation: Equatable {
  let command: String
  let subject: String
  let reason: String?
  let changes: [FileChange]
  /// The blobs that HEAD had for the changes then, in their order; nil where that is not known.
  let committed: [ObjectID?]?

  init(
    command: String, subject: String, reason: String?, changes: [FileChange], committed: [ObjectID?]? = nil
  ) {
    self.command = command
    self.subject = subject
    self.reason = reason
    self.changes = changes
    self.committed = committed
  }

  private static let head = "slipbox saved 1"

  /// The bytes of the record.
  var serialized: [UInt8] {
    let word = { (bytes: [UInt8]?) in bytes.map { "=" + Hexadecimal.text($0) } ?? "-" }
    var text = "\(Self.head)\ncommand \(word(Array(command.utf8)))\nsubject \(word(Array(subject.utf8)))\n"
    text += "reason \(word(reason.map { Array($0.utf8) }))\n"
    for (number, change) in changes.enumerated() {
      text += "path \(word(change.path)) \(word(change.before)) \(word(change.after))"
      text += committed.map { " \(word($0[number]?.bytes))\n" } ?? "\n"
    }
    return Array((text + "end\n").utf8)
  }
}

extension SavedOperation {
  /// Reads a record; nil where it is not whole.
  init?(_ bytes: [UInt8]) {
    var lines = bytes.split(separator: UInt8(ascii: "\n")).map { String(decoding: $0, as: UTF8.self) }[...]
    guard lines.popFirst() == Self.head, lines.popLast() == "end",
      let command = Self.words("command", lines.popFirst())?.first ?? nil,
      let subject = Self.words("subject", lines.popFirst())?.first ?? nil,
      let reason = Self.words("reason", lines.popFirst())?.first
    else { return nil }
    self.command = String(decoding: command, as: UTF8.self)
    self.subject = String(decoding: subject, as: UTF8.self)
    self.reason = reason.map { String(decoding: $0, as: UTF8.self) }
    var changes: [FileChange] = []
    var committed: [ObjectID?] = []
    for line in lines {
      guard let words = Self.words("path", line), 3...4 ~= words.count, let path = words[0] else {
        return nil
      }
      changes.append(FileChange(path: path, before: words[1], after: words[2]))
      if words.count == 4 { committed.append(words[3].flatMap { ObjectID(bytes: $0) }) }
    }
    self.changes = changes
    self.committed = committed.count == changes.count ? committed : nil
  }

  /// The words of a line, nil those that stand for nothing; nil where it is broken.
  private static func words(_ name: String, _ line: String?) -> [[UInt8]?]? {
    guard let value = RecordLines.value(name, line) else { return nil }
    var words: [[UInt8]?] = []
    for word in value.split(separator: " ") {
      if word == "-" {
        words.append(nil)
      } else {
        guard word.first == "=", let bytes = Hexadecimal.bytes(word.dropFirst()) else {
          return nil
        }
        words.append(bytes)
      }
    }
    return words.isEmpty ? nil : words
  }
}

extension SavedOperation {
  /// The folder of the records, one file each, named by numbers in the order in which they were made.
  static func folder(in privateFolder: [UInt8]) -> [UInt8] { privateFolder / "saved" }

  /// The files of the records, the oldest first; none where there is no folder.
  static func files(in privateFolder: [UInt8]) -> [[UInt8]] {
    let folder = folder(in: privateFolder)
    let names = (try? Files.list(folder)) ?? []
    let numbers = names.compactMap { Int(String(decoding: $0, as: UTF8.self)) }.sorted()
    return numbers.map { folder / "\($0)" }
  }

  /// Keeps the record after all others.
  /// - Returns: its file.
  func keep(in privateFolder: [UInt8]) throws(SlipboxError) -> [UInt8] {
    let last = Self.files(in: privateFolder).last.flatMap {
      Int(String(decoding: BytePath.name(of: $0), as: UTF8.self))
    }
    let file = Self.folder(in: privateFolder) / "\((last ?? 0) + 1)"
    try system { () throws(SystemError) in try Files.write(serialized, to: file, permissions: .ofUser) }
    return file
  }

  /// Drops a record, and the folder with the last.
  static func remove(_ file: [UInt8]) {
    // One that stays does no harm: what it tells of is committed, and the next command finds that out.
    try? Files.remove(file)
    try? Files.removeFolder(BytePath.folder(of: file))
  }
}
