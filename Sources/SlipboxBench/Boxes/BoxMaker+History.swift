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
      // What is known of the hot note is known exactly.
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
