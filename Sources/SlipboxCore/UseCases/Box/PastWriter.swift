import Git
package import Notes
import Text

/// One step in the past of a sample box, on one of its devices.
package enum PastStep: Sendable {
  /// A commit that gives files new texts.
  case operation(PastChange)
  /// The device exchanges commits with the remote that all devices share.
  case sync(device: String, Timestamp, OperationID)
  /// The device settles every conflict of a note with the version that is in the note.
  case settle(NoteID, device: String, Timestamp, OperationID)
}

/// A commit in the past of a sample box.
package struct PastChange: Sendable {
  let id: OperationID
  let command: String
  let subject: String
  let device: String
  let time: Timestamp
  let texts: [(id: NoteID, text: NoteText)]

  package init(
    id: OperationID, command: String, subject: String, device: String, time: Timestamp,
    texts: [(id: NoteID, text: NoteText)]
  ) {
    self.id = id
    self.command = command
    self.subject = subject
    self.device = device
    self.time = time
    self.texts = texts
  }
}

/// Writes the commits of a past, on several devices that merge. No branch moves.
struct PastWriter {
  /// The commits of a device.
  private struct Line {
    var tip: ObjectID
    /// The commit of the remote at the last sync.
    var synced: ObjectID
  }

  private let box: Box
  private let context: CommandContext
  /// The path of each note.
  private let paths: [NoteID: [UInt8]]
  /// The first commit, which every device begins with.
  private let start: ObjectID
  private var lines: [String: Line] = [:]
  private var versions: [[UInt8]: NoteVersion] = [:]
  private(set) var remote: ObjectID

  /// - Parameter start: the commit that the devices begin with.
  init(_ box: Box, _ context: CommandContext, paths: [NoteID: [UInt8]], from start: ObjectID) {
    self.box = box
    self.context = context
    self.paths = paths
    self.start = start
    remote = start
  }

  /// Writes the steps in their order. Commits between two syncs are stored together.
  mutating func write(_ steps: [PastStep]) throws(SlipboxError) {
    var rest = steps[...]
    while !rest.isEmpty {
      context.reporter.report(.storing, steps.count - rest.count, of: steps.count)
      let operations = rest.prefix { if case .operation = $0 { true } else { false } }
      if operations.isEmpty {
        switch rest.removeFirst() {
        case .operation: break
        case .sync(let device, let time, let id): try sync(device, time, id)
        case .settle(let note, let device, let time, let id): try settle(note, device, time, id)
        }
        continue
      }
      rest.removeFirst(operations.count)
      let writer = box
      self = try writer.withRepository { (repository) throws(SlipboxError) in
        try repository.writingTogether(failing: { SlipboxError($0) }) { () throws(SlipboxError) in
          var copy = self
          for case .operation(let operation) in operations { try copy.commit(operation) }
          return copy
        }
      }
    }
  }

  private func line(_ device: String) -> Line { lines[device] ?? Line(tip: start, synced: start) }

  private mutating func commit(_ operation: PastChange) throws(SlipboxError) {
    var edits: [TreeEdit] = []
    var files: [(old: NoteVersion?, new: NoteVersion?)] = []
    for (id, text) in operation.texts {
      guard let path = paths[id] else { continue }
      let blob = try box.git { repository throws(GitError) in try repository.writeBlob(asStored: text.bytes) }
      let new = NoteVersion(path: path, bytes: text.bytes, blob: blob)
      files.append((versions[path], new))
      versions[path] = new
      edits.append(.put(path: box.repositoryPath(path), blob: blob, mode: 0o100644))
    }
    guard !edits.isEmpty else { return }
    let digest = FilesDigest.of(
      files.map { FilesDigest.File(path: $0.new?.path ?? [], old: $0.old?.blob, new: $0.new?.blob) })
    let isListed = files.count <= OperationTrailers.limit
    var line = line(operation.device)
    line.tip = try write(
      edits, on: [line.tip], operation.id, operation.command, operation.subject, operation.device,
      operation.time, changes: isListed ? files.compactMap { NoteChange.between($0.old, $0.new) } : [],
      noteCount: isListed ? nil : files.count, digest)
    lines[operation.device] = line
  }

  /// Pulls and pushes: the device and the remote have the same commit afterwards.
  private mutating func sync(
    _ device: String, _ time: Timestamp, _ id: OperationID
  ) throws(SlipboxError) {
    var line = line(device)
    if line.tip == line.synced {
      line.tip = remote
    } else if line.synced != remote {
      let store = RepositoryMergeStore(box)
      let rules = try MergeRules(of: [line.tip, remote], box, context)
      let merge = try CommitMerge(store, rules: rules).merge(line.tip, remote)
      let edits = try merge.edits(of: line.tip)
      for case .put(let path, let blob, _) in edits {
        let name = Array(path.dropFirst(box.prefix.count))
        let bytes = try box.content(of: blob, at: name)
        versions[name] = NoteVersion(path: name, bytes: bytes, blob: blob)
      }
      line.tip = try write(
        edits, on: [line.tip, remote], id, "sync", "Merge origin/main", device, time, changes: [],
        noteCount: edits.isEmpty ? nil : edits.count, nil)
    }
    remote = line.tip
    line.synced = line.tip
    lines[device] = line
  }

  private mutating func settle(
    _ note: NoteID, _ device: String, _ time: Timestamp, _ id: OperationID
  ) throws(SlipboxError) {
    guard let path = paths[note], let bytes = versions[path]?.bytes else { return }
    var text = NoteText(bytes)
    let conflicts = NoteConflict.all(in: text)
    for conflict in conflicts {
      if let settled = try? text.resolving(conflicts.filter { $0.name == conflict.name }, .version(1)) {
        text = settled
      }
    }
    guard !conflicts.isEmpty else { return }
    let parts = conflicts.map(\.name).joined(separator: ", ")
    let title = Note(path: path, text: text).title
    try commit(
      PastChange(
        id: id, command: "resolve", subject: "Resolve \(parts): \(title)", device: device, time: time,
        texts: [(note, text)]))
  }

  private func write(
    _ edits: [TreeEdit], on parents: [ObjectID], _ id: OperationID, _ command: String, _ subject: String,
    _ device: String, _ time: Timestamp, changes: [NoteChange], noteCount: Int?, _ digest: String?
  ) throws(SlipboxError) -> ObjectID {
    try box.git { repository throws(GitError) in
      let identity = try repository.identity(at: (time.seconds, time.offsetSeconds / 60))
      var operation = Operation(
        id: id, command: command, device: device, author: identity.author, subject: subject, changes: changes,
        noteCount: noteCount)
      operation.filesDigest = digest
      return try repository.writeCommit(
        tree: try repository.writeTree(base: parents.first, edits), parents: parents,
        message: OperationTrailers.message(of: operation), author: identity.author,
        committer: identity.committer)
    }
  }
}
