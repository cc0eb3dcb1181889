import Foundation

/// Output that is compared with a recorded file.
package enum Snapshot {
  /// Whether output is recorded instead of compared: only if `SLIPBOX_RECORD` is 1, and never in CI.
  package static let isRecording: Bool = {
    let variables = ProcessInfo.processInfo.environment
    return variables["SLIPBOX_RECORD"] == "1" && variables["CI", default: ""].isEmpty
  }()

  /// The root of the repository.
  package static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().path

  /// The folder of fixtures.
  package static let fixtures = root + "/Fixtures"

  /// Compares a text with a file of `Fixtures`, or records it.
  /// - Returns: the first line that differs; nil if the text is the recorded one.
  package static func difference(_ text: String, from path: String) throws -> String? {
    let file = URL(fileURLWithPath: fixtures).appendingPathComponent(path)
    if isRecording {
      try FileManager.default.createDirectory(
        at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
      try text.write(to: file, atomically: true, encoding: .utf8)
    }
    guard let recorded = try? String(contentsOf: file, encoding: .utf8) else {
      return "\(path) is missing; SLIPBOX_RECORD=1 records it"
    }
    if Array(recorded.utf8) == Array(text.utf8) { return nil }
    let lines = [recorded, text].map { $0.split(separator: "\n", omittingEmptySubsequences: false) }
    let number = zip(lines[0], lines[1]).prefix { $0 == $1 }.count
    let shown = lines.map { number < $0.count ? String($0[number]) : "(the end)" }
    return "\(path):\(number + 1)\nwas: \(shown[0])\nis:  \(shown[1])"
  }
}
