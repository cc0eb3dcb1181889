import Bytes
import Git
import Notes

/// Finds the former names of notes that a commit renamed.
///
/// The commit's own message counts first, then the same id, then the same bytes. Otherwise the most similar deleted note
/// counts, if half of the text is the same.
struct RenameReader {
  /// The maximum number of pairs of an added and a deleted note that are all compared. If there are more, only pairs with
  /// a common name, id, bytes or line are.
  private static let mostPairs = 4_096
  /// The commands that move notes and delete none.
  private static let moves: Set<String> = ["mv", "retitle", "undo", "redo"]

  private let repository: Repository
  private let folder: [UInt8]

  /// - Parameter prefix: the box's folder in the repository, with a slash at its end; empty at the top.
  init(_ repository: Repository, below prefix: [UInt8]) {
    self.repository = repository
    folder = Array(prefix.dropLast())
  }

  /// Returns the new names of the notes that a commit renamed, by their former ones, from the root of the repository.
  ///
  /// - Complexity: linear in the bytes of the added and the deleted notes.
  func renames(in commit: Commit) throws(GitError) -> [[UInt8]: [UInt8]] {
    guard let parent = commit.parents.first else { return [:] }
    let files = try repository.changedFiles(from: parent, to: commit.id, under: folder)
    let added = added(files)
    var gone = deleted(files)
    guard !gone.isEmpty, !added.isEmpty else { return [:] }
    let told = told(commit, added)
    let isLarge = gone.count * added.count > Self.mostPairs
    var names: [[UInt8]: [UInt8]] = [:]
    for file in added {
      if let former = try formerPath(of: file, told, &gone, isLarge: isLarge) { names[former] = file.path }
    }
    return names
  }

  /// Returns the new paths in the box of the notes that a commit renamed, by their former ones.
  ///
  /// - Complexity: linear in the message of an operation that lists its changes, otherwise as `renames(in:)`.
  func pathsInBox(renamedBy id: ObjectID) throws(GitError) -> [[UInt8]: [UInt8]] {
    let commit = try repository.read(id)
    let operation = OperationTrailers.operation(of: commit)
    var paths = operation.moves
    if !operation.isWhole {
      let start = folder.isEmpty ? 0 : folder.count + 1
      for (old, new) in try renames(in: commit) {
        paths[Array(old.dropFirst(start))] = Array(new.dropFirst(start))
      }
    }
    // A note in the trash of another program counts as deleted.
    return paths.filter { !FileName.isHidden($0.value) }
  }

  /// Returns the name that a file had before a commit added it under another; nil if it was new.
  func formerPath(
    of path: [UInt8], added commit: Commit, _ parent: ObjectID
  ) throws(GitError) -> [UInt8]? {
    let files = try repository.changedFiles(from: parent, to: commit.id, under: folder)
    guard let own = files.first(where: { $0.path == path })?.new else { return nil }
    var gone = deleted(files)
    guard !gone.isEmpty else { return nil }
    return try formerPath(of: own, told(commit, added(files)), &gone, isLarge: false)
  }

  private func added(_ files: [FileDifference]) -> [TreeEntry] {
    files.compactMap { $0.old == nil ? $0.new : nil }.filter { isNote($0.path) }
  }

  private func deleted(_ files: [FileDifference]) -> DeletedTexts {
    DeletedTexts(files.compactMap { $0.new == nil ? $0.old : nil }.filter { isNote($0.path) }, repository)
  }

  /// Returns whether a file may be a note of the box. Files in hidden folders, such as the trash of another program, are
  /// not.
  private func isNote(_ path: [UInt8]) -> Bool {
    FileName.isNote(path) && !FileName.isHidden(Array(path.dropFirst(folder.count)))
  }

  /// The facts of a commit's message about its renames.
  private struct Told {
    /// The former names by the new ones.
    let names: [[UInt8]: [UInt8]]
    /// The added notes, if a command that only moves notes did not list them.
    let unlisted: [TreeEntry]
  }

  private func told(_ commit: Commit, _ added: [TreeEntry]) -> Told {
    let operation = OperationTrailers.operation(of: commit)
    let start = folder.isEmpty ? [] : folder + [UInt8(ascii: "/")]
    let names = operation.moves.map { (start + $0.value, start + $0.key) }
    let isUnlisted = !operation.isWhole && operation.command.map(Self.moves.contains) == true
    return Told(
      names: Dictionary(names, uniquingKeysWith: { first, _ in first }), unlisted: isUnlisted ? added : [])
  }

  private func formerPath(
    of own: TreeEntry, _ told: Told, _ gone: inout DeletedTexts, isLarge: Bool
  ) throws(GitError) -> [UInt8]? {
    if let name = told.names[own.path], gone.has(name) { return name }
    let text = try repository.conversion.content(of: own.id, at: own.path)
    let id = Note(path: own.path, text: NoteText(text)).id
    let chunks = TextChunks(text)
    var best: (path: [UInt8], score: Double)?
    let places = isLarge ? try gone.related(to: own, id, chunks) : Array(gone.files.indices)
    for place in places {
      let file = gone.files[place]
      if file.id == own.id, !text.isEmpty {
        best = (file.path, 1)
        if id == nil { break }
        continue
      }
      let other = try gone.text(place)
      if let id, id == other.id { return file.path }
      if id != nil, other.id != nil { continue }
      let score = other.chunks.similarity(to: chunks)
      if score >= TextChunks.leastOfRename, score > best?.score ?? 0 { best = (file.path, score) }
    }
    if let best { return best.path }
    guard let place = gone.counterpart(of: own, among: told.unlisted) else { return nil }
    let other = try gone.text(place).id
    return id == nil || other == nil ? gone.files[place].path : nil
  }
}

/// The notes that a commit deleted, each text read once.
private struct DeletedTexts {
  /// The number of notes with a common line above which the line is not evidence.
  private static let mostOfLine = 32
  /// The maximum number of notes that are compared because of common lines.
  private static let mostByLines = 16

  /// The id of a text and the chunks by which it is compared.
  struct Text {
    let id: NoteID?
    let chunks: TextChunks
  }

  /// The places of the notes by the properties that may relate them to an added one.
  private struct Places {
    var ids: [NoteID: Int] = [:]
    var blobs: [ObjectID: Int] = [:]
    var names: [[UInt8]: [Int]] = [:]
    var lines: [UInt64: [Int]] = [:]
  }

  let files: [TreeEntry]
  private let repository: Repository
  private var texts: [Int: Text] = [:]
  private var places: Places?

  init(_ files: [TreeEntry], _ repository: Repository) {
    self.files = files
    self.repository = repository
  }

  var isEmpty: Bool { files.isEmpty }
  var count: Int { files.count }

  func has(_ path: [UInt8]) -> Bool { files.contains { $0.path == path } }

  mutating func text(_ place: Int) throws(GitError) -> Text {
    if let known = texts[place] { return known }
    let file = files[place]
    let bytes = try repository.conversion.content(of: file.id, at: file.path)
    let text = Text(id: Note(path: file.path, text: NoteText(bytes)).id, chunks: TextChunks(bytes))
    texts[place] = text
    return text
  }

  /// Returns the only deleted note that can be an added one, if each of these was moved: the only one, or the only one of
  /// its file name.
  func counterpart(of own: TreeEntry, among added: [TreeEntry]) -> Int? {
    if files.count == 1, added.count == 1 { return 0 }
    let name = BytePath.name(of: own.path)
    let places = files.indices.filter { BytePath.name(of: files[$0].path) == name }
    return places.count == 1 && added.count { BytePath.name(of: $0.path) == name } == 1 ? places[0] : nil
  }

  /// Returns the places of the notes that have the id, the bytes, the file name or rare lines of an added one, in order.
  mutating func related(
    to own: TreeEntry, _ id: NoteID?, _ chunks: TextChunks
  ) throws(GitError) -> [Int] {
    let places = try allPlaces()
    var found = Set(places.names[BytePath.name(of: own.path)]?.prefix(Self.mostByLines) ?? [])
    if let place = places.blobs[own.id] { found.insert(place) }
    if let place = id.flatMap({ places.ids[$0] }) { found.insert(place) }
    var counts: [Int: Int] = [:]
    for line in chunks.lines {
      guard let places = places.lines[line], places.count <= Self.mostOfLine else { continue }
      for place in places { counts[place, default: 0] += 1 }
    }
    let alike = counts.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
    found.formUnion(alike.prefix(Self.mostByLines).map(\.key))
    return found.sorted()
  }

  private mutating func allPlaces() throws(GitError) -> Places {
    if let places { return places }
    var all = Places()
    for (place, file) in files.enumerated() {
      let text = try text(place)
      if let id = text.id, all.ids[id] == nil { all.ids[id] = place }
      if all.blobs[file.id] == nil { all.blobs[file.id] = place }
      all.names[BytePath.name(of: file.path), default: []].append(place)
      for line in text.chunks.lines where all.lines[line]?.count ?? 0 <= Self.mostOfLine {
        all.lines[line, default: []].append(place)
      }
    }
    places = all
    return all
  }
}
