/// A commit as it is stored.
package struct Commit: Sendable, Equatable {
  package let id: ObjectID
  package let parents: [ObjectID]
  package let tree: ObjectID
  package let author: Signature
  package let committer: Signature
  /// The whole message; bytes that are not in its encoding become U+FFFD.
  package let message: String

  /// The first paragraph, on one line.
  package var subject: String {
    let lines = message.utf8.split(separator: 10, omittingEmptySubsequences: false)
    let isBlank: (Substring.UTF8View) -> Bool = { $0.allSatisfy { $0 == 32 || $0 == 9 || $0 == 13 } }
    let paragraph = lines.drop(while: isBlank).prefix { !isBlank($0) }
    return paragraph.map { Substring($0).trimmingBlanks }.joined(separator: " ")
  }

  /// The trailers at the end of the message.
  package var trailers: [Trailer] { Trailer.all(in: message) }
}

extension Commit {
  /// Reads the bytes of a commit object; nil where they are none.
  ///
  /// Broken dates and names are taken as 0 and empty, as git does: a commit by another program must not hide history.
  init?(id: ObjectID, bytes: [UInt8]) {
    var headers: [String: ArraySlice<UInt8>] = [:]
    var parents: [ObjectID] = []
    var start = 0
    while start < bytes.count, bytes[start] != 10 {
      let end = bytes[start...].firstIndex(of: 10) ?? bytes.count
      let line = bytes[start..<end]
      start = min(end + 1, bytes.count)
      guard line.first != 32, let blank = line.firstIndex(of: 32) else { continue }
      let name = String(decoding: line[..<blank], as: UTF8.self)
      let value = line[(blank + 1)...]
      if name == "parent" {
        guard let parent = ObjectID(hex: value) else { return nil }
        parents.append(parent)
      } else if headers[name] == nil {
        headers[name] = value
      }
    }
    guard let tree = headers["tree"].flatMap({ ObjectID(hex: $0) }) else { return nil }
    let decode = Self.decoder(headers["encoding"])
    self.id = id
    self.parents = parents
    self.tree = tree
    author = Signature(line: headers["author"] ?? [], decode: decode)
    committer = Signature(line: headers["committer"] ?? [], decode: decode)
    message = decode(bytes[min(start + 1, bytes.count)...])
  }

  /// Latin-1 is read as such; everything else as UTF-8.
  private static func decoder(_ encoding: ArraySlice<UInt8>?) -> (ArraySlice<UInt8>) -> String {
    let name = encoding.map { String(decoding: $0, as: UTF8.self).lowercased() }
    if let name, ["iso-8859-1", "iso8859-1", "latin1", "latin-1"].contains(name) {
      return { bytes in String(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) })) }
    }
    return { bytes in String(decoding: bytes, as: UTF8.self) }
  }
}

extension Substring {
  /// The text without blanks and tabs around it.
  var trimmingBlanks: String {
    let isBlank: (Unicode.Scalar) -> Bool = { $0 == " " || $0 == "\t" || $0 == "\r" }
    let end = unicodeScalars.reversed().drop(while: isBlank).reversed()
    return String(String.UnicodeScalarView(end.drop(while: isBlank)))
  }
}
