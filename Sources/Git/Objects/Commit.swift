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
  /// Reads the bytes of a commit object; nil if they are not a commit.
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

/// The author or committer of a commit, with the time.
package struct Signature: Sendable, Equatable {
  package let name: String
  package let email: String
  /// Since 1970, UTC.
  package let seconds: Int64
  /// East of UTC.
  package let offsetMinutes: Int

  package init(name: String, email: String, seconds: Int64, offsetMinutes: Int) {
    self.name = name
    self.email = email
    self.seconds = seconds
    self.offsetMinutes = offsetMinutes
  }
}

extension Signature {
  /// The line of a commit, without the word before it.
  var line: String {
    let minutes = min(offsetMinutes.magnitude, 99 * 60 + 59)
    let digits = String(minutes / 60 * 100 + minutes % 60)
    let padded = String(repeating: "0", count: 4 - digits.utf8.count) + digits
    return "\(name) <\(email)> \(seconds) \(offsetMinutes < 0 ? "-" : "+")\(padded)"
  }

  /// Reads the line of a commit; missing or broken parts become empty or 0.
  init(line: ArraySlice<UInt8>, decode: (ArraySlice<UInt8>) -> String) {
    let close = line.lastIndex(of: UInt8(ascii: ">")) ?? line.startIndex
    let open = line[..<close].firstIndex(of: UInt8(ascii: "<")) ?? close
    let named = line[..<open]
    name = decode(named.last == 32 ? named.dropLast() : named)
    email = open < close ? decode(line[(open + 1)..<close]) : ""
    let times = close < line.endIndex ? line[(close + 1)...].split(separator: 32) : []
    seconds = times.first.flatMap { Int64(String(decoding: $0, as: UTF8.self)) } ?? 0
    offsetMinutes = times.count > 1 ? Self.offset(times[1]) : 0
  }

  /// Reads `+HHMM`.
  private static func offset(_ text: ArraySlice<UInt8>) -> Int {
    guard text.count <= 7, let digits = Int(String(decoding: text, as: UTF8.self)) else { return 0 }
    return digits / 100 * 60 + digits % 100
  }
}

/// One line `Name: value` of the last paragraph of a commit's message.
package struct Trailer: Sendable, Equatable {
  package let name: String
  package let value: String

  package init(name: String, value: String) {
    self.name = name
    self.value = value
  }

  /// The trailers of a message: those of its last paragraph, if that is not also the first.
  ///
  /// As for `git interpret-trailers`, every line must be a trailer or continue one; lines that git writes itself
  /// (`Signed-off-by`, `(cherry picked from`) make up for others as long as a quarter are trailers. A value over
  /// several lines is put on one.
  /// Source: git-interpret-trailers(1).
  static func all(in message: String) -> [Trailer] {
    var lines = message.utf8.split(separator: 10, omittingEmptySubsequences: false)
    while let last = lines.last, isBlank(last) { lines.removeLast() }
    guard let gap = lines.lastIndex(where: isBlank), lines[..<gap].contains(where: { !isBlank($0) }) else {
      return []
    }
    var trailers: [Trailer] = []
    var picks = 0
    var others = 0
    var hasGitsOwn = false
    var continues = false
    for line in lines[(gap + 1)...] {
      if line.first == 32 || line.first == 9 {
        guard continues, let last = trailers.popLast() else {
          others += 1
          continue
        }
        let joined = last.value.isEmpty ? "" : last.value + " "
        trailers.append(Trailer(name: last.name, value: joined + Substring(line).trimmingBlanks))
      } else if let trailer = Trailer(line) {
        trailers.append(trailer)
        hasGitsOwn = hasGitsOwn || trailer.name == "Signed-off-by"
        continues = true
      } else {
        let isPick = line.starts(with: "(cherry picked from commit ".utf8)
        hasGitsOwn = hasGitsOwn || isPick
        picks += isPick ? 1 : 0
        others += isPick ? 0 : 1
        continues = false
      }
    }
    return others == 0 || hasGitsOwn && (trailers.count + picks) * 3 >= others ? trailers : []
  }

  private init?(_ line: Substring.UTF8View) {
    guard let colon = line.firstIndex(of: UInt8(ascii: ":")) else { return nil }
    let name = Substring(line[..<colon]).trimmingBlanks
    let isToken = name.utf8.allSatisfy { byte in
      byte == UInt8(ascii: "-") || (byte >= 48 && byte <= 57) || (byte | 32 >= 97 && byte | 32 <= 122)
    }
    guard !name.isEmpty, isToken else { return nil }
    self.name = name
    value = Substring(line[line.index(after: colon)...]).trimmingBlanks
  }

  private static func isBlank(_ line: Substring.UTF8View) -> Bool {
    line.allSatisfy { $0 == 32 || $0 == 9 || $0 == 13 }
  }
}
