import Bytes
import Git
import Platform

/// The intent record: an operation that is being applied, fsynced before the first file is changed.
///
/// It lets the next command finish the operation after a crash. The commit exists already, so only files, index and ref
/// are left to write. One line has one fact; paths are in hexadecimal.
struct Intent: Equatable {
  let commit: ObjectID
  let parent: ObjectID?
  let subject: String
  let files: [FileDifference]
  let leftOut: Set<[UInt8]>

  init(_ prepared: PreparedCommit) {
    commit = prepared.commit
    parent = prepared.parent
    subject = prepared.subject
    files = prepared.files
    leftOut = prepared.leftOut
  }

  /// The commit to publish.
  var prepared: PreparedCommit {
    PreparedCommit(commit: commit, parent: parent, files: files, leftOut: leftOut, subject: subject)
  }

  private static let head = "slipbox intent 1"

  func write(in box: Box) throws(SlipboxError) {
    try system { () throws(SystemError) in try Files.write(serialized, to: box.intentFile) }
  }

  static func remove(in box: Box) {
    // A record that stays is harmless: its changes are in place, and the next command finds that out.
    try? Files.remove(box.intentFile)
  }

  /// The bytes of the record.
  var serialized: [UInt8] {
    var text = "\(Self.head)\ncommit \(commit.hex)\nparent \(parent?.hex ?? "-")\n"
    text += "subject \(Hexadecimal.text(Array(subject.utf8)))\n"
    for file in files {
      var modes = [file.old, file.new].compactMap { $0?.mode }
      if modes.first == modes.last { modes = Array(modes.prefix(1)) }
      let mode = modes.map { String($0, radix: 8) }.joined(separator: ">")
      let blobs = [file.old, file.new].map { $0?.id.hex ?? "-" }.joined(separator: " ")
      text += "path \(blobs) \(mode.isEmpty ? "100644" : mode) \(Hexadecimal.text(file.path))"
      text += leftOut.contains(file.path) ? " out\n" : "\n"
    }
    return Array((text + "end\n").utf8)
  }

  /// Parses a record; nil if it is incomplete. An incomplete record means a crash during its write: no file had been
  /// changed.
  init?(_ bytes: [UInt8]) {
    var lines = bytes.split(separator: UInt8(ascii: "\n")).map { String(decoding: $0, as: UTF8.self) }[...]
    guard lines.popFirst() == Self.head, lines.popLast() == "end",
      let commit = RecordLines.value("commit", lines.popFirst()).flatMap({ ObjectID(hex: $0) }),
      let parent = RecordLines.value("parent", lines.popFirst()),
      let subject = RecordLines.value("subject", lines.popFirst()).flatMap(Hexadecimal.bytes(_:))
    else { return nil }
    self.commit = commit
    self.parent = ObjectID(hex: parent)
    self.subject = String(decoding: subject, as: UTF8.self)
    var files: [FileDifference] = []
    var leftOut: Set<[UInt8]> = []
    for line in lines {
      let words = line.split(separator: " ").map(String.init)
      guard 5...6 ~= words.count, words[0] == "path", let path = Hexadecimal.bytes(words[4]) else {
        return nil
      }
      let modes = words[3].split(separator: ">").map { UInt32($0, radix: 8) }
      guard 1...2 ~= modes.count, let mode = modes.last ?? nil, let oldMode = modes.first ?? nil else {
        return nil
      }
      let old = ObjectID(hex: words[1]).map { TreeEntry(path: path, id: $0, mode: oldMode) }
      let new = ObjectID(hex: words[2]).map { TreeEntry(path: path, id: $0, mode: mode) }
      files.append(FileDifference(path: path, old: old, new: new))
      if words.last == "out" { leftOut.insert(path) }
    }
    self.files = files
    self.leftOut = leftOut
  }
}

/// The lines of the records that commands store for later ones: a name, then words; bytes in hexadecimal.
enum RecordLines {
  /// Returns the text after a name; nil if the line begins otherwise.
  static func value(_ name: String, _ line: String?) -> String? {
    guard let line, line.hasPrefix(name + " ") else { return nil }
    return String(line.dropFirst(name.count + 1))
  }
}

/// An operation whose text is saved in its files and not committed, because no commit was possible then.
///
/// The next command that can commits it as the original operation. The files are authoritative, not the record: without
/// it, the change is treated like the changes of other programs.
struct SavedOperation: Equatable {
  let command: String
  let subject: String
  let reason: String?
  let changes: [FileChange]
  /// The blobs that HEAD had for the changes when they were saved, in their order; nil if that is not known.
  let committed: [ObjectID?]?
  /// Whether git had an operation in progress whose `--abort` overwrites these files.
  let isResetByGit: Bool

  init(
    command: String, subject: String, reason: String?, changes: [FileChange], committed: [ObjectID?]? = nil,
    isResetByGit: Bool = false
  ) {
    self.isResetByGit = isResetByGit
    self.command = command
    self.subject = subject
    self.reason = reason
    self.changes = changes
    self.committed = committed
  }

  private static let head = "slipbox saved 1"
  /// The second word of the line `command` if `isResetByGit`. Earlier versions read only the first.
  private static let resetWord = Array("reset".utf8)

  /// The bytes of the record.
  var serialized: [UInt8] {
    let word = { (bytes: [UInt8]?) in bytes.map { "=" + Hexadecimal.text($0) } ?? "-" }
    var text = "\(Self.head)\ncommand \(word(Array(command.utf8)))"
    if isResetByGit { text += " \(word(Self.resetWord))" }
    text += "\nsubject \(word(Array(subject.utf8)))\n"
    text += "reason \(word(reason.map { Array($0.utf8) }))\n"
    for (number, change) in changes.enumerated() {
      text += "path \(word(change.path)) \(word(change.before)) \(word(change.after))"
      text += committed.map { " \(word($0[number]?.bytes))\n" } ?? "\n"
    }
    return Array((text + "end\n").utf8)
  }
}

extension SavedOperation {
  /// Parses a record; nil if it is incomplete.
  init?(_ bytes: [UInt8]) {
    var lines = bytes.split(separator: UInt8(ascii: "\n")).map { String(decoding: $0, as: UTF8.self) }[...]
    guard lines.popFirst() == Self.head, lines.popLast() == "end",
      let commandWords = Self.words("command", lines.popFirst()), let command = commandWords[0],
      let subject = Self.words("subject", lines.popFirst())?.first ?? nil,
      let reason = Self.words("reason", lines.popFirst())?.first
    else { return nil }
    self.command = String(decoding: command, as: UTF8.self)
    isResetByGit = commandWords.dropFirst().contains(Self.resetWord)
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

  /// Returns the words of a line, each nil if it is the placeholder for no value; nil if the line is malformed.
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
  /// Returns the files of the records in `Box.savedFolder`, the oldest first; empty if there is no folder. Their names
  /// are numbers in the order of creation.
  static func files(in folder: [UInt8]) -> [[UInt8]] {
    let names = (try? Files.list(folder)) ?? []
    let numbers = names.compactMap { Int(String(decoding: $0, as: UTF8.self)) }.sorted()
    return numbers.map { folder / "\($0)" }
  }

  /// Stores the record after all others.
  /// - Returns: its file.
  func keep(in folder: [UInt8]) throws(SlipboxError) -> [UInt8] {
    let last = Self.files(in: folder).last.flatMap {
      Int(String(decoding: BytePath.name(of: $0), as: UTF8.self))
    }
    let file = folder / "\((last ?? 0) + 1)"
    try system { () throws(SystemError) in try Files.write(serialized, to: file, permissions: .ofUser) }
    return file
  }

  /// Removes a record, and the folder with the last one.
  static func remove(_ file: [UInt8]) {
    // A record that stays is harmless: its changes are committed, and the next command finds that out.
    try? Files.remove(file)
    try? Files.removeFolder(BytePath.folder(of: file))
  }
}
