import Git
import Testing

@testable import SlipboxCore

@Suite struct IntentTests {
  private let intent = Intent(
    PreparedCommit(
      commit: .zero, parent: nil,
      files: [
        Self.file(Array("a b\nc.md".utf8) + [0xFF], nil, 0o100644),
        Self.file(Array("gone.md".utf8), 0o100755, nil),
        Self.file(Array("linked.md".utf8), 0o100644, 0o120000),
        Self.file(Array("outside.md".utf8), nil, 0o100644),
      ],
      leftOut: [Array("outside.md".utf8)], subject: "New note: Żółw"))

  /// A file with the modes that it has before and after; nil if there is none.
  private static func file(_ path: [UInt8], _ old: UInt32?, _ new: UInt32?) -> FileDifference {
    let entry = { (mode: UInt32) in TreeEntry(path: path, id: .zero, mode: mode) }
    return FileDifference(path: path, old: old.map(entry), new: new.map(entry))
  }

  @Test func survivesTheFile() { #expect(Intent(intent.serialized) == intent) }

  @Test func isNothingWhereItIsCutShort() {
    for count in 0..<intent.serialized.count - 1 {
      #expect(Intent(Array(intent.serialized.prefix(count))) == nil)
    }
  }
}
