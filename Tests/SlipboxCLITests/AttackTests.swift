import Foundation
import SlipboxTesting
import Testing

/// The quick forms of campaigns that have a script of their own in `Tests/Attack`.
@Suite struct AttackTests {
  private static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().appendingPathComponent("Attack").path

  /// Nothing that a box's own configuration, attributes or hooks name runs; no text is lost beside a program that holds a
  /// note open.
  @Test(arguments: ["canaries.sh", "held-files.sh"]) func holds(_ script: String) throws {
    let ran = try run(Self.folder + "/" + script, [Shell.program, "--quick"])
    #expect(ran.status == 0, "\(ran.output)\(ran.errors)")
  }
}
