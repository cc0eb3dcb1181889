import Foundation
import Git
import NoteIndex
import Notes
import Platform
import SlipboxTesting
import Testing

@testable import SlipboxCore
import Text

/// A box on disk for the tests of writing: the one place that knows by which calls of the core it is done.
///
/// Each call opens the box anew, as each command does. Paths and texts are UTF-8.
struct WritingBox {
  let folder: TemporaryFolder
  let listener = Listener()
  /// The clock of the commands.
  var clock = standingClock

  /// A change that was recorded, or nothing where there was none.
  struct Written: Equatable {
    var isCommitted: Bool
    var paths: [String]
    var subject: String?
  }

  /// An edit that has begun, for `finishEditing`.
  struct Editing { fileprivate let sessions: [EditSession] }

  /// A line of a log.
  struct Line: Equatable {
    var subject: String
    /// The command of slip; nil for a commit of git's.
    var command: String?
    var changes: [String] = []
  }

  /// A box with a note and another one, `other.md`.
  static func withTwoNotes(_ note: String, at path: String) throws -> WritingBox {
    try WritingBox([path: note, "other.md": "# Other\n"])
  }

  /// A box with files, committed by git.
  init(_ files: [String: String]) throws {
    folder = try TemporaryFolder()
    _ = try makeBox(in: folder)
    for (path, text) in files { try folder.write(path, text) }
    try folder.git("add", "-A")
    try folder.git("commit", "-q", "--allow-empty", "-m", "as found")
  }

  /// The box as it is now.
  func snapshot() throws(SlipboxError) -> BoxSnapshot { try open() }

  private func open() throws(SlipboxError) -> BoxSnapshot {
    try BoxOpening.snapshot(named: folder.bytes, context(in: folder.path, listener).reading(clock))
  }

  private func writer(after box: BoxSnapshot) -> BoxWriter {
    BoxWriter(box.box, context(in: folder.path, listener).reading(clock), after: box)
  }

  private func editing(_ box: BoxSnapshot) -> EditNotes { EditNotes(box, writer(after: box)) }

  private static func written(_ recorded: CommitResult) -> Written {
    var isCommitted = false
    if case .committed = recorded.outcome { isCommitted = true }
    let paths = recorded.changes.map { String(decoding: $0.path, as: UTF8.self) }.sorted()
    return Written(isCommitted: isCommitted, paths: paths, subject: recorded.subject)
  }

  // MARK: What commands do

  /// Records a plan that is made of the box as it is.
  @discardableResult
  func record(_ plan: (BoxSnapshot) throws -> Plan) throws -> Written {
    let box = try open()
    return Self.written(try writer(after: box).record(try plan(box)))
  }

  /// Sets a field of a note.
  @discardableResult
  func set(_ path: String, _ field: String, _ value: String) throws -> Written {
    let box = try open()
    let entry = try NoteLookup(in: box).entry(path, fuzzy: false)
    return Self.written(
      try writer(after: box).record(
        try ChangeNotes(in: box).plan([entry], [.set(field: field, value: value)])))
  }

  /// Adds a text to the end of a note, which another command changes after it was read.
  @discardableResult
  func append(_ path: String, _ text: String, after meanwhile: () throws -> Void) throws -> Written {
    let box = try open()
    let plan = try AppendText(in: box).plan(
      Array(text.utf8), to: try NoteLookup(in: box).entry(path, fuzzy: false))
    try meanwhile()
    return Self.written(try writer(after: box).record(plan))
  }

  /// Moves a note, which another command changes after it was read.
  func move(_ path: String, to target: String, after meanwhile: () throws -> Void = {}) throws {
    let box = try open()
    let plan = try MoveNotes(in: box).plan(
      [try NoteLookup(in: box).entry(path, fuzzy: false)], to: Array(target.utf8))
    try meanwhile()
    _ = try writer(after: box).record(plan)
  }

  /// Adds a text to the end of a note.
  @discardableResult
  func append(_ path: String, _ text: String) throws -> Written {
    let box = try open()
    let entry = try NoteLookup(in: box).entry(path, fuzzy: false)
    return Self.written(try writer(after: box).record(AppendText(in: box).plan(Array(text.utf8), to: entry)))
  }

  /// Writes whole files in one commit; nil deletes one.
  @discardableResult
  func write(_ files: [String: String?]) throws -> Written {
    let edits = files.sorted { $0.key < $1.key }.map { path, text in
      FileEdit(path: Array(path.utf8)) { _ in text.map { Array($0.utf8) } }
    }
    let plan = Plan(command: "set", edits: edits) { _ in "Written by a test" }
    return Self.written(try writer(after: try open()).record(plan))
  }

  /// Commits files as they are on disk.
  @discardableResult
  func commit(_ paths: String...) throws -> Written {
    let box = try open()
    return Self.written(try writer(after: box).commitAsFound(paths.map { Array($0.utf8) }))
  }

  /// Reads the box as every command does that only asks; what was interrupted is taken up then.
  func titles() throws -> [String] { try open().catalogue().entries.map(\.note.title).sorted() }

  /// What the doctor finds: `path: message; what to do`.
  func findings() throws -> [String] {
    try BoxCheck(in: try open()).findings().map {
      "\(String(decoding: $0.path, as: UTF8.self)): \($0.message); \($0.fix)"
    }
  }

  func beginEditing(_ paths: String...) throws -> Editing {
    let box = try open()
    return Editing(
      sessions: try editing(box).begin(try paths.map { try NoteLookup(in: box).entry($0, fuzzy: false) }))
  }

  func finishEditing(_ editing: Editing) throws -> (written: Written, warnings: [String]) {
    let result = try self.editing(try open()).finish(editing.sessions)
    return (Self.written(result.recorded), result.warnings.map(\.description))
  }

  /// Whether the editor left each of the notes empty or without a file; their texts come back.
  func takeBackEmptied(_ editing: Editing) throws -> [Bool] {
    let own = self.editing(try open())
    return try own.emptied(editing.sessions).map { emptied in
      try own.takeBack(emptied.session)
      return emptied.isGone
    }
  }

  /// The log of a note, or of the box, newest first.
  func log(_ path: String? = nil, limit: Int? = nil) throws -> [Line] {
    let box = try open()
    var lines: [Line] = []
    let visit = { (entry: HistoryEntry) in
      let trailers = entry.commit.trailers
      lines.append(
        Line(
          subject: entry.commit.subject, command: trailers.first { $0.name == "Slip-Command" }?.value,
          changes: trailers.filter { $0.name == "Slip-Change" }.map(\.value)))
      return true
    }
    if let path {
      let note = try NoteLookup(in: box).entry(path, fuzzy: false).note
      try BoxHistory(of: box).visit(of: [PastNote(path: note.path, id: note.id)], limit: limit, visit)
    } else {
      try BoxHistory(of: box).visit(limit: limit, visit)
    }
    return lines
  }

  // MARK: A crash

  /// Makes a change and takes it back except for its objects, its record and some of its files, as a crash does.
  /// - Parameters:
  ///   - files: The files after the change; nil for one that it deletes.
  ///   - written: Those of them that the crash came after.
  /// - Returns: The commit of the change, in hexadecimal.
  @discardableResult
  func interrupt(_ files: [String: String?], written: Set<String>) throws -> String {
    let parent = try head()
    try write(files)
    let commit = try head()
    try folder.git("reset", "-q", "--hard", parent)
    for path in written {
      if let text = files[path] ?? nil {
        try folder.write(path, text)
      } else {
        try FileManager.default.removeItem(atPath: folder.path + "/" + path)
      }
    }
    let entry = { (revision: String, path: String) in
      (try? self.folder.git("rev-parse", "-q", "--verify", "\(revision):\(path)"))
        .flatMap { ObjectID(hex: $0.trimmingCharacters(in: .whitespacesAndNewlines)) }
        .map { TreeEntry(path: Array(path.utf8), id: $0, mode: 0o100644) }
    }
    let record = Intent(
      PreparedCommit(
        commit: try #require(ObjectID(hex: commit)), parent: ObjectID(hex: parent),
        files: files.keys.sorted().map {
          FileDifference(path: Array($0.utf8), old: entry(parent, $0), new: entry(commit, $0))
        }, subject: "Written by a test"))
    try record.write(in: try open().box)
    return commit
  }

  /// Leaves a lock as a command that was killed does.
  func leaveLock(_ path: String) throws {
    try FileManager.default.linkItem(
      atPath: folder.path + "/" + Self.state + "/lock-mark", toPath: folder.path + "/" + path)
  }

  /// Damages the text of a file in git's store.
  func damageBlob(_ path: String, of commit: String) throws {
    let id = try folder.git("rev-parse", "\(commit):\(path)")
    let object = ".git/objects/\(id.prefix(2))/\(id.dropFirst(2).prefix(38))"
    try FileManager.default.removeItem(atPath: folder.path + "/" + object)
    try folder.write(object, "damaged")
  }

  /// The folder of the cache and of the record of a change under way.
  private static let state = ".git/slipbox"

  /// The record of the change under way, relative to the box.
  static let record = state + "/intent"

  /// Runs a body while another command holds the box's lock.
  func whileLocked<T>(_ body: () throws -> T) throws -> T {
    let lock = try FileLock.acquire(Array("\(folder.path)/\(Self.state)/lock".utf8), timeoutMilliseconds: 0)
    defer { withExtendedLifetime(lock) {} }
    return try body()
  }

  // MARK: What is there

  func text(_ path: String) -> String? { folder.read(path).map { String(decoding: $0, as: UTF8.self) } }

  func exists(_ path: String) -> Bool { folder.read(path) != nil }

  /// The commit of HEAD, in hexadecimal.
  func head() throws -> String {
    try folder.git("rev-parse", "HEAD").trimmingCharacters(in: .whitespacesAndNewlines)
  }

  /// The subjects of the commits, newest first.
  func subjects() throws -> [String] {
    try folder.git("log", "--format=%s").split(separator: "\n").map(String.init)
  }

  /// What git sees changed, with its two letters.
  func status() throws -> [String] {
    try folder.git("status", "--porcelain", "-uall").split(separator: "\n").map(String.init)
  }

  /// The text of a file in the index.
  func staged(_ path: String) throws -> String { try folder.git("show", ":\(path)") }
}
