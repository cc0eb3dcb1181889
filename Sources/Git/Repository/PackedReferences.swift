import Bytes

/// The file in which git keeps the refs that have no file of their own.
///
/// Source: git-pack-refs(1). A line is `ID NAME`, or `^ID` for what the tag above it leads to, or begins with `#`.
struct PackedReferences {
  let path: [UInt8]

  init(_ path: [UInt8]) { self.path = path }

  /// The object of a ref; nil where there is no such ref.
  /// - Throws: `damaged` where the file has a line of another form, or one that is cut short: other refs may be missing.
  func object(at name: [UInt8]) throws(GitError) -> ObjectID? {
    var found: ObjectID?
    try forEach { ref, id in if ref.elementsEqual(name) { found = id } }
    return found
  }

  /// The first ref whose name begins so.
  func first(startingWith prefix: [UInt8]) throws(GitError) -> [UInt8]? {
    var found: [UInt8]?
    try forEach { ref, _ in if found == nil, ref.starts(with: prefix) { found = Array(ref) } }
    return found
  }

  /// Whether a ref lies in it, or all lines are unreadable.
  var isEmpty: Bool {
    var count = 0
    return (try? forEach { _, _ in count += 1 }) != nil && count == 0
  }

  private func forEach(_ body: (ArraySlice<UInt8>, ObjectID) -> Void) throws(GitError) {
    guard let text = try RawFile.read(path)?.bytes else { return }
    var start = 0
    while start < text.count {
      guard let end = text[start...].firstIndex(of: 10) else { throw damaged }
      let line = text[start..<end]
      start = end + 1
      if line.first == UInt8(ascii: "#") { continue }
      if line.first == UInt8(ascii: "^"), line.count == 41, ObjectID(hex: line.dropFirst()) != nil {
        continue
      }
      guard line.count > 41, line[line.startIndex + 40] == 32, let id = ObjectID(hex: line.prefix(40)) else {
        throw damaged
      }
      body(line.dropFirst(41), id)
    }
  }

  private var damaged: GitError {
    GitError(.damaged(object: "packed-refs"), "\(GitError.text(path)) is damaged")
  }
}
