import Bytes

/// The keyword `$Id$` of git's `ident` attribute, as `git add` takes it back: `$Id: 5c1f...$` is stored as `$Id$`.
///
/// Source: git's convert.c, `count_ident` and `ident_to_git`. libgit2 knows the first one only, and takes the words
/// between `$Id` and any later `$` for one.
enum IdentKeyword {
  private static let dollar = UInt8(ascii: "$")
  private static let newline = UInt8(ascii: "\n")

  /// The bytes with each keyword as it is stored.
  /// - Complexity: O(n).
  static func stored(_ bytes: [UInt8]) -> [UInt8] {
    guard holdsOne(bytes) else { return bytes }
    var result: [UInt8] = []
    result.reserveCapacity(bytes.count)
    var rest = bytes[...]
    while let start = rest.firstIndex(of: dollar) {
      result += rest[...start]
      rest = rest[(start + 1)...]
      guard rest.count > 3, rest.starts(with: "Id:".utf8) else { continue }
      guard let end = rest.dropFirst(3).firstIndex(where: { $0 == dollar || $0 == newline }) else { break }
      if rest[end] == newline { continue }
      result += Array("Id$".utf8)
      rest = rest[(end + 1)...]
    }
    return result + rest
  }

  private static func holdsOne(_ bytes: [UInt8]) -> Bool {
    var rest = bytes[...]
    while let start = rest.firstIndex(of: dollar) {
      rest = rest[(start + 1)...]
      guard rest.count >= 3 else { return false }
      guard rest.starts(with: "Id".utf8) else { continue }
      let mark = rest[rest.startIndex + 2]
      rest = rest.dropFirst(3)
      if mark == dollar { return true }
      guard mark == UInt8(ascii: ":") else { continue }
      guard let end = rest.firstIndex(where: { $0 == dollar || $0 == newline }) else { return false }
      if rest[end] == dollar { return true }
      rest = rest[(end + 1)...]
    }
    return false
  }
}

extension IdentKeyword {
  /// Runs a conversion of line ends, which may take carriage returns away and nothing else, with no keyword in sight.
  static func hidden<Failure>(
    _ bytes: [UInt8], _ convert: ([UInt8]) throws(Failure) -> [UInt8]
  ) throws(Failure) -> [UInt8] {
    var masked = bytes
    // The places of the letters that are masked, counted without carriage returns.
    var places: [Int] = []
    var place = 0
    for index in bytes.indices where bytes[index] != 13 {
      if bytes[index] == UInt8(ascii: "d"), index >= 2, bytes[index - 1] == UInt8(ascii: "I"),
        bytes[index - 2] == dollar
      {
        masked[index] = UInt8(ascii: "e")
        places.append(place)
      }
      place += 1
    }
    var converted = try convert(masked)
    guard !places.isEmpty else { return converted }
    var next = places[...]
    place = 0
    for index in converted.indices where converted[index] != 13 {
      if next.first == place {
        converted[index] = UInt8(ascii: "d")
        next.removeFirst()
      }
      place += 1
    }
    return converted
  }
}
