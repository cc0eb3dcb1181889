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
