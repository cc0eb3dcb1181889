import Foundation

/// The conditions of tests that need something of the machine.
///
/// Such a test has the trait `.enabled(if:)` with a reason that begins with "needs". `scripts/test` counts skipped tests
/// by reason. `SLIPBOX_NO_SKIPS` lists the allowed reasons; a test that is skipped for another reason fails the run.
package enum Machine {
  /// Whether the tests run as root. As root, `scripts/test` runs the tests of other accounts too.
  package static let isRoot = geteuid() == 0

  /// Whether the corpora of real notes are here; they are not part of the repository.
  package static let hasCorpora = ["eips", "garden", "kepano"].allSatisfy { corpus($0) != nil }

  /// Whether the processor counts the instructions of a thread.
  package static let countsInstructions = Work.of { _ = getpid() } != nil

  /// Whether the tests may mount file systems.
  package static let mayMount: Bool = {
    guard isRoot, let folder = try? TemporaryFolder(),
      mount("tmpfs", folder.path, "tmpfs", 0, "size=64k") == 0
    else { return false }
    umount2(folder.path, 2)
    return true
  }()

  /// Whether all programs are installed, given by name or absolute path.
  package static func has(_ programs: String...) -> Bool {
    let folders = (testEnvironment["PATH"] ?? "").split(separator: ":").map(String.init)
    return programs.allSatisfy { program in
      let places = program.hasPrefix("/") ? [program] : folders.map { $0 + "/" + program }
      return places.contains { FileManager.default.isExecutableFile(atPath: $0) }
    }
  }

  /// Whether a command of sh succeeds.
  package static func succeeds(_ command: String) -> Bool {
    (try? run("sh", ["-c", command]).status) == 0
  }
}
