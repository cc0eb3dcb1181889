import Git
import Testing

@testable import SlipboxCore

@Suite struct IntentTests {
  private let intent = Intent(
    PreparedCommit(
      commit: .zero, parent: nil,
      paths: [
        .init(path: Array("a b\nc.md".utf8) + [0xFF], before: nil, after: .zero, mode: 0o100644),
        .init(path: Array("gone.md".utf8), before: .zero, after: nil, mode: 0o100755),
      ],
      subject: "New note: Żółw"))

  @Test func survivesTheFile() { #expect(Intent(intent.serialized) == intent) }

  @Test func isNothingWhereItIsCutShort() {
    for count in 0..<intent.serialized.count - 1 {
      #expect(Intent(Array(intent.serialized.prefix(count))) == nil)
    }
  }
}
