/// Stands for each conflict of a text by one line, so that a merge by lines takes it as a whole.
///
/// Conflicts with the same versions are the same line, whoever wrote their comments.
struct ConflictLines {
  /// A byte that no text has.
  private static let mark: UInt8 = 0

  private var values: [ArraySlice<UInt8>: ConflictValue] = [:]

  /// Returns a text with a line for each conflict.
  mutating func collapsed(_ bytes: [UInt8]) -> [UInt8] {
    let regions = ConflictRegion.all(in: bytes)
    if regions.isEmpty { return bytes }
    var result: [UInt8] = []
    var next = 0
    for region in regions {
      result += bytes[next..<region.range.lowerBound]
      let lines = Self.lines(of: bytes[region.range])
      let value = ConflictValue(of: lines, label: "")
      var line: [UInt8] = [Self.mark]
      for version in value.versions { line += version.lines.joined(separator: [1]) + [2] }
      let known = values[line[...]]?.versions ?? []
      values[line[...]] = ConflictValue(known + value.versions)
      result += line
      if bytes[region.range].last == 0x0A { result.append(0x0A) }
      next = region.range.upperBound
    }
    return result + bytes[next...]
  }

  /// Whether a line stands for a conflict.
  func isConflict(_ line: ArraySlice<UInt8>) -> Bool { line.first == Self.mark && values[line] != nil }

  /// The lines that a line stands for.
  func expanded(_ line: ArraySlice<UInt8>, returned: [UInt8]) -> [ArraySlice<UInt8>] {
    guard line.first == Self.mark, let value = values[line] else { return [line] }
    return value.lines(returned: returned)
  }

  private static func lines(of bytes: ArraySlice<UInt8>) -> [ArraySlice<UInt8>] {
    let lines = bytes.split(separator: 0x0A, omittingEmptySubsequences: false)
    return bytes.last == 0x0A ? lines.dropLast() : lines
  }
}
