import Glibc

/// Makes boxes, in a process of its own: its memory would count as that of the programs that it starts.
struct BoxMaker {
  /// Raised when the boxes of an older bench no longer serve.
  static let version = 2
  /// How many notes a row may change.
  static let changing = 1_000
  /// The notes of a box with a long history.
  static let historyNotes = 10_000

  let programs: Programs
  let folder: String

  /// Makes a box, and beside it the file of its facts, last.
  func make(_ kind: BoxKind, at path: String) throws {
    try TextFile.makeFolder(path)
    try git("init", "-q", "-b", "main", ".")
    for (name, value) in [
      ("user.name", "bench"), ("user.email", "bench@example.invalid"), ("gc.auto", "0"),
      ("maintenance.auto", "false"),
    ] {
      try git("config", name, value)
    }
    var facts: BoxFacts
    switch kind {
    case .notes(let count): facts = try makeNotes(count)
    case .commits(let count): facts = try makeHistory(count)
    case .records(let count): facts = try makeRecords(count)
    }
    let changes = try git("status", "--porcelain")
    guard changes.isEmpty else { throw BenchError("the new box \(path) has changes: \(changes.prefix(200))") }
    facts[count: "version"] = Self.version
    facts["head"] = try git("rev-parse", "HEAD")
    try TextFile.write(facts.text, to: path + ".facts")
  }

  @discardableResult
  func git(_ words: String...) throws -> String {
    try Command([programs.git] + words, in: folder, timeoutSeconds: 3_600).checked()
  }

  @discardableResult
  func slip(_ words: String...) throws -> String {
    try Command([programs.slip] + words, in: folder, timeoutSeconds: 3_600).checked()
  }

  /// A box of a corpus in four commits, and that of `slip init`.
  private func makeNotes(_ count: Int) throws -> BoxFacts {
    let corpus = Corpus(count: count)
    var counts = CorpusCounts(corpus, changing: Self.changing)
    let stream = try FastImport(in: folder)
    var files: [(path: String, mark: Int)] = []
    for index in 0..<count {
      let head = corpus.head(index)
      let text = corpus.text(of: head, index)
      counts.add(head, text)
      files.append((head.path, stream.blob(text)))
      try write(text, to: head.path)
      if files.count == (count + 3) / 4 || index == count - 1 {
        stream.commit("Notes up to \(head.created.prefix(10))", files)
        files = []
      }
    }
    try stream.finish()
    try adopt()
    return counts.facts
  }

  /// Makes a box of the folder with its files and history.
  func adopt() throws {
    try git("reset", "-q", "--mixed")
    try slip("init")
  }

  func write(_ text: String, to path: String) throws {
    let whole = folder + "/" + path
    if let slash = whole.lastIndex(of: "/") {
      let parent = String(whole[..<slash])
      if !TextFile.exists(parent) { try TextFile.makeFolder(parent) }
    }
    try TextFile.write(text, to: whole)
  }
}

extension BoxMaker {
  /// A box with a long history: one commit of all notes, then commits that append a line to one note each.
  ///
  /// The note in the middle of the box is changed 200 times, evenly spread; of the others the first are
  /// changed more often than the last.
  func makeHistory(_ commits: Int) throws -> BoxFacts {
    let corpus = Corpus(count: Self.historyNotes)
    let hot = corpus.count / 2
    var appended: [Int: String] = [:]
    let stream = try FastImport(in: folder)
    stream.commit("All notes", (0..<corpus.count).map { (corpus.path($0), stream.blob(corpus.text($0))) })
    let interval = max(1, commits / 200)
    var touches = 1
    var random = CorpusRandom(seed: Corpus.defaultSeed, stream: 3)
    for commit in 0..<commits {
      let place = random.fraction()
      let isHot = commit.isMultiple(of: interval)
      var index = isHot ? hot : Int(Double(corpus.count) * place * place)
      // The bench relies on the exact fields of the hot note.
      if !isHot, index == hot { index += 1 }
      if isHot { touches += 1 }
      appended[index, default: ""] += "Line \(commit) of the edits.\n"
      stream.commit(
        "Edit \(commit)", path: corpus.path(index), text: corpus.text(index) + (appended[index] ?? ""))
    }
    try stream.finish()
    for index in 0..<corpus.count {
      try write(corpus.text(index) + (appended[index] ?? ""), to: corpus.path(index))
    }
    try adopt()
    try git("commit-graph", "write", "--reachable", "--changed-paths")
    var facts = BoxFacts()
    facts["hot"] = corpus.id(hot)
    facts["hot-path"] = corpus.path(hot)
    facts[count: "touches"] = touches
    return facts
  }

  /// A box of the records that `slip sample` makes, half of them with the tag `qxhalf0`.
  func makeRecords(_ count: Int) throws -> BoxFacts {
    try slip("init")
    try slip("sample", "--count", "\(count)", "--seed", "1", "--one-commit")
    let paths = try TextFile.notes(in: folder)
    var tagged = 0
    for (index, path) in paths.enumerated() where index.isMultiple(of: 2) {
      let text = try TextFile.read(path)
      try TextFile.write(try Self.tagging(text, path), to: path)
      tagged += 1
    }
    try git("commit", "-q", "-a", "-m", "Tag every second record")
    var facts = BoxFacts()
    facts[count: "notes"] = paths.count
    facts[count: "tagged"] = tagged
    return facts
  }

  /// The note with the tag `qxhalf0` as its first, the last of the notes without tags.
  private static func tagging(_ text: String, _ path: String) throws -> String {
    var lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    if let line = lines.firstIndex(where: { $0.hasPrefix("tags: [") }) {
      lines[line] = "tags: [qxhalf0, " + lines[line].dropFirst("tags: [".count)
    } else if let line = lines.firstIndex(where: { $0.hasPrefix("created: ") }) {
      lines.insert("tags: [qxhalf0]", at: line + 1)
    } else {
      throw BenchError("\(path) has no line to put a tag at")
    }
    return lines.joined(separator: "\n")
  }
}

/// A stream of objects and commits into a repository. Wraps git fast-import.
final class FastImport {
  private let stream: UnsafeMutablePointer<FILE>
  private var marks = 0
  private var isOpen = true
  private var isComplete = true
  private var time = 1_767_225_600  // 2026-01-01T00:00:00Z

  /// Begins a branch `main` in the repository that is the folder.
  init(in folder: String) throws {
    guard chdir(folder) == 0 else { throw BenchError.system(folder) }
    guard let stream = popen("exec git fast-import --quiet", "w") else {
      throw BenchError.system("fast-import")
    }
    self.stream = stream
    setvbuf(stream, nil, _IOFBF, 1 << 20)
  }

  deinit { if isOpen { pclose(stream) } }

  /// Adds the contents of a file and returns their mark.
  func blob(_ text: String) -> Int {
    marks += 1
    write("blob\nmark :\(marks)\n")
    data(text)
    return marks
  }

  /// Adds a commit, a minute after the last, that puts the contents of marks at paths.
  func commit(_ subject: String, _ files: [(path: String, mark: Int)]) {
    beginCommit(subject)
    for file in files { write("M 100644 :\(file.mark) \(file.path)\n") }
    write("\n")
  }

  /// Adds a commit that changes one file.
  func commit(_ subject: String, path: String, text: String) {
    beginCommit(subject)
    write("M 100644 inline \(path)\n")
    data(text)
    write("\n")
  }

  /// Waits until all is stored.
  func finish() throws {
    isOpen = false
    guard pclose(stream) == 0, isComplete else { throw BenchError("git fast-import failed") }
  }

  private func beginCommit(_ subject: String) {
    time += 60
    write("commit refs/heads/main\ncommitter bench <bench@example.invalid> \(time) +0000\n")
    data(subject)
  }

  private func data(_ text: String) {
    write("data \(text.utf8.count)\n")
    write(text)
    write("\n")
  }

  private func write(_ text: String) {
    var text = text
    let isWritten = text.withUTF8 { fwrite($0.baseAddress, 1, $0.count, stream) == $0.count }
    isComplete = isComplete && isWritten
  }
}

/// A box that the bench made, with its facts.
struct BenchBox {
  let path: String
  let facts: BoxFacts

  /// A number that the maker of the box has noted.
  /// - Throws: if there is none, which is a fault of the bench.
  func count(_ name: String) throws -> Int {
    guard let count = facts[count: name] else { throw BenchError("\(path).facts has no \(name)") }
    return count
  }

  /// A text that the maker of the box has noted.
  func text(_ name: String) throws -> String {
    guard let text = facts[name] else { throw BenchError("\(path).facts has no \(name)") }
    return text
  }
}

/// The contents of a box and their number.
enum BoxKind: Equatable {
  case notes(Int)
  case commits(Int)
  case records(Int)

  /// Such as `notes-1000`.
  var name: String {
    switch self {
    case .notes(let count): "notes-\(count)"
    case .commits(let count): "commits-\(count)"
    case .records(let count): "records-\(count)"
    }
  }

  /// - Parameter text: Such as `notes:1000`.
  init?(_ text: String) {
    let parts = text.split(separator: ":").map(String.init)
    guard parts.count == 2, let count = Int(parts[1]), (100...1_000_000).contains(count) else { return nil }
    switch parts[0] {
    case "notes": self = .notes(count)
    case "commits": self = .commits(count)
    case "records": self = .records(count)
    default: return nil
    }
  }

  var option: String { name.split(separator: "-").joined(separator: ":") }
}
