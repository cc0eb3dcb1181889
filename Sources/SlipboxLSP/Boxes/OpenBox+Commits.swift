import SlipboxCore

extension OpenBox {
  /// A setting of the box, else of the user.
  ///
  /// - Throws: where the box can't be read.
  func setting(_ name: String) throws(SlipboxError) -> String? {
    let own = try view([:]).saved.settings[name]
    return own ?? Settings.user(context())[name]
  }

  /// Commits files as they are on disk, each only where it holds a text.
  ///
  /// - Parameter texts: the texts by their paths.
  func commit(_ texts: [[UInt8]: [UInt8]]) throws(SlipboxError) {
    let snapshot = try lookedAt()
    let isSame = { (path: [UInt8]) throws(SlipboxError) -> Bool in
      guard let bytes = try snapshot.bytes(at: path), let text = texts[path] else { return false }
      // A mark at the beginning belongs to the file, not to the text in the editor.
      return bytes == text
        || bytes.starts(with: [0xEF, 0xBB, 0xBF]) && bytes.dropFirst(3).elementsEqual(text)
    }
    var paths: [[UInt8]] = []
    for path in texts.keys.sorted(by: { $0.lexicographicallyPrecedes($1) }) where try isSame(path) {
      paths.append(path)
    }
    let files = try UncommittedFiles(paths, in: snapshot.box)
    guard !files.paths.isEmpty else { return }
    _ = try BoxWriter(snapshot.box, context(), after: snapshot).commitAsFound(files.paths) {
      () throws(SlipboxError) in
      for path in files.paths where try !isSame(path) {
        throw SlipboxError(.busy, "another program changed a saved note")
      }
    }
  }
}
