/// The versions of some lines, as a value: a set without nested conflicts, in one order.
///
/// Conflicts of both sides are merged by their versions, not as text. Two devices that see the same versions write the
/// same bytes, in whatever order the versions reached them.
struct ConflictValue {
  /// Whole lines, without the line feed of the last.
  struct Version {
    let lines: [ArraySlice<UInt8>]
    let label: String
  }

  /// At most this many versions are combined with other lines; beyond it they are kept one after the other.
  private static let most = 16

  private(set) var versions: [Version] = []

  init(_ versions: [Version]) {
    for version in versions { insert(version) }
    self.versions.sort { $0.precedes($1) }
  }

  /// The versions of lines that contain conflicts: one for each version of each.
  ///
  /// - Parameter label: the source of lines that are in no conflict.
  init(of lines: [ArraySlice<UInt8>], label: String) {
    let (pieces, isNested) = Self.pieces(of: lines)
    guard isNested else {
      self.init([Version(lines: lines, label: label)])
      return
    }
    var made = [Version(lines: [], label: "")]
    for piece in pieces {
      let isLarge = made.count * piece.count > Self.most
      let choices = isLarge ? [Version(lines: piece.flatMap(\.lines), label: "")] : piece
      made = made.flatMap { before in
        choices.map { Version(lines: before.lines + $0.lines, label: Self.later(before.label, $0.label)) }
      }
    }
    self.init(made)
  }

  /// Returns the versions of two sides, without those of the base that a side no longer has.
  static func merged(base: ConflictValue?, one: ConflictValue, other: ConflictValue) -> ConflictValue {
    let all = ConflictValue(one.versions + other.versions)
    guard let base else { return all }
    let left = all.versions.filter { version in
      !base.contains(version) || (one.contains(version) && other.contains(version))
    }
    return left.isEmpty ? all : ConflictValue(left)
  }

  func contains(_ version: Version) -> Bool { versions.contains { $0.lines == version.lines } }

  /// The lines: those of the only version, else all versions between comments.
  func lines(returned: [UInt8]) -> [ArraySlice<UInt8>] {
    if versions.count == 1 { return versions[0].lines }
    var lines: [ArraySlice<UInt8>] = []
    for (index, version) in versions.enumerated() {
      lines.append((Array(ConflictMark.start(index + 1, label: version.label).utf8) + returned)[...])
      lines += version.lines
    }
    lines.append((Array(ConflictMark.end.utf8) + returned)[...])
    return lines
  }

  /// Of two versions with the same lines, the one with the earlier label stays.
  private mutating func insert(_ version: Version) {
    guard let index = versions.firstIndex(where: { $0.lines == version.lines }) else {
      return versions.append(version)
    }
    if version.precedes(versions[index]) { versions[index] = version }
  }

  private static func later(_ one: String, _ other: String) -> String {
    one.utf8.lexicographicallyPrecedes(other.utf8) ? other : one
  }

  /// The lines as a sequence of choices: stretches of plain lines have one version.
  private static func pieces(of lines: [ArraySlice<UInt8>]) -> (pieces: [[Version]], isNested: Bool) {
    let bytes = lines.flatMap { $0 + [0x0A] }
    let regions = ConflictRegion.all(in: bytes)
    guard !regions.isEmpty else { return ([], false) }
    var pieces: [[Version]] = []
    var next = 0
    for region in regions {
      if next < region.range.lowerBound {
        pieces.append([Version(lines: split(bytes[next..<region.range.lowerBound]), label: "")])
      }
      pieces.append(
        region.versions.flatMap { ConflictValue(of: split(bytes[$0.lines]), label: $0.label).versions })
      next = region.range.upperBound
    }
    if next < bytes.count { pieces.append([Version(lines: split(bytes[next...]), label: "")]) }
    return (pieces, true)
  }

  private static func split(_ bytes: ArraySlice<UInt8>) -> [ArraySlice<UInt8>] {
    Array(bytes.split(separator: 0x0A, omittingEmptySubsequences: false).dropLast())
  }
}

extension ConflictValue.Version {
  /// The time that the label begins with, in milliseconds since 1970.
  private var milliseconds: Int64? {
    label.split(separator: ",").first.flatMap { Timestamp.adopted(String($0)) }
      .map { Int64($0.millisecondsSince1970) }
  }

  /// The earlier version comes first; versions of one time are compared by their bytes.
  fileprivate func precedes(_ other: Self) -> Bool {
    let times = (milliseconds ?? .min, other.milliseconds ?? .min)
    if times.0 != times.1 { return times.0 < times.1 }
    if label != other.label { return label.utf8.lexicographicallyPrecedes(other.label.utf8) }
    return lines.joined(separator: [0x0A]).lexicographicallyPrecedes(other.lines.joined(separator: [0x0A]))
  }
}

/// Replaces each conflict of a text by one line, so that a merge by lines takes it as a whole.
///
/// Conflicts with the same versions become the same line, whoever wrote their comments.
struct CollapsedConflicts {
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

  /// Whether a line represents a conflict.
  func isConflict(_ line: ArraySlice<UInt8>) -> Bool { line.first == Self.mark && values[line] != nil }

  /// The lines that a line represents.
  func expanded(_ line: ArraySlice<UInt8>, returned: [UInt8]) -> [ArraySlice<UInt8>] {
    guard line.first == Self.mark, let value = values[line] else { return [line] }
    return value.lines(returned: returned)
  }

  private static func lines(of bytes: ArraySlice<UInt8>) -> [ArraySlice<UInt8>] {
    let lines = bytes.split(separator: 0x0A, omittingEmptySubsequences: false)
    return bytes.last == 0x0A ? lines.dropLast() : lines
  }
}
