/// One line `Name: value` of the last paragraph of a commit's message.
package struct Trailer: Sendable, Equatable {
  package let name: String
  package let value: String

  package init(name: String, value: String) {
    self.name = name
    self.value = value
  }

  /// The trailers of a message: those of its last paragraph, where that is not also the first.
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
