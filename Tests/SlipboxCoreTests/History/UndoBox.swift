import Foundation
import NoteIndex
import Notes
import SlipboxTesting
import Testing

@testable import SlipboxCore

/// A box in which commands run one after the other, each as a process of its own would, and are taken back.
final class UndoBox {
  let folder: TemporaryFolder
  let device: String
  private var seed: UInt64
  var random: SplitMix64

  init(seed: UInt64, device: String = "desk") throws {
    folder = try TemporaryFolder()
    self.device = device
    self.seed = seed &* 1_000_003
    random = SplitMix64(seed: seed)
    _ = try makeBox(in: folder)
  }

  /// A clone of a box, on another device.
  init(cloning other: UndoBox, device: String) throws {
    folder = try TemporaryFolder()
    self.device = device
    seed = other.seed &+ 500_009
    random = SplitMix64(seed: seed)
    try folder.git("clone", "-q", other.folder.path, ".")
    try giveIdentity(folder.path)
  }

  /// The circumstances of the next command.
  func circumstances() -> CommandContext {
    seed &+= 1
    return context(in: folder.path, seed: seed).named(device)
  }

  func open() throws -> (snapshot: BoxSnapshot, writer: BoxWriter) {
    let context = circumstances()
    let snapshot = try BoxOpening.snapshot(named: folder.bytes, context)
    return (snapshot, BoxWriter(snapshot.box, context, after: snapshot))
  }

  @discardableResult
  func record(_ plan: (BoxSnapshot) throws -> Plan) throws -> Bool {
    let (snapshot, writer) = try open()
    if case .committed = try writer.record(try plan(snapshot)).outcome { return true }
    return false
  }

  /// Writes whole files as one operation; nil deletes one.
  @discardableResult
  func write(_ files: [(path: String, text: String?)]) throws -> Bool {
    try record { _ in
      let edits = files.map { path, text in
        FileEdit(path: Array(path.utf8)) { _ in text.map { Array($0.utf8) } }
      }
      return Plan(command: "set", edits: edits) { _ in "Written" }
    }
  }

  // MARK: Undo

  /// What came of an attempt to take something back.
  enum Outcome: Equatable {
    case done
    /// Nothing is left to take back.
    case none
    /// It is so already.
    case unchanged
    case refused([UndoConflict.Reason])
  }

  func undo(op name: String? = nil, partial: Bool = false) throws -> Outcome {
    try reverse(partial: partial) { operations in
      try name.map { try operations.operation(named: $0) } ?? operations.nextUndo()
    }
  }

  func redo() throws -> Outcome { try reverse(partial: false) { try $0.nextRedo() } }

  private func reverse(partial: Bool, _ find: (PastOperations) throws -> PastOperation?) throws -> Outcome {
    let (snapshot, writer) = try open()
    guard let past = try find(PastOperations(in: snapshot, on: device)) else { return .none }
    let undo = try UndoOperation(in: snapshot).plan(past, reason: nil)
    guard undo.conflicts.isEmpty || partial else {
      for conflict in undo.conflicts { _ = try conflict.operationsInTheWay(of: past, in: snapshot) }
      return .refused(undo.conflicts.map(\.reason))
    }
    return try writer.record(undo.plan).outcome == .unchanged ? .unchanged : .done
  }

  /// The ids of operations, newest first.
  func operations() throws -> [String] {
    var ids: [String] = []
    try PastOperations(in: open().snapshot, on: device).visit { past in
      if let id = past.operation.id, past.operation.command != "init" { ids.append(id.description) }
      return true
    }
    return ids
  }

  // MARK: What is there

  /// All files of the work tree but git's own.
  func files() throws -> [String: [UInt8]] {
    var files: [String: [UInt8]] = [:]
    for name in try FileManager.default.subpathsOfDirectory(atPath: folder.path) where !name.hasPrefix(".git")
    {
      if let bytes = folder.read(name), !isFolder(name) { files[name] = bytes }
    }
    return files
  }

  private func isFolder(_ name: String) -> Bool {
    var isFolder: ObjCBool = false
    return FileManager.default.fileExists(atPath: folder.path + "/" + name, isDirectory: &isFolder)
      && isFolder.boolValue
  }

  func text(_ path: String) -> String? { folder.read(path).map { String(decoding: $0, as: UTF8.self) } }

  func status() throws -> String { try folder.git("status", "--porcelain") }
}
