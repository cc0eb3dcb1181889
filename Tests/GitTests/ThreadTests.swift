import Git
import SlipboxTesting
import Synchronization
import Testing

/// Repositories on several threads at once: each with its own, and all with one behind a lock.
@Suite struct ThreadTests {
  private final class Shared: Sendable {
    let repository: Mutex<Repository>

    init(_ repository: sending Repository) { self.repository = Mutex(repository) }
  }

  private static func files(_ count: Int) -> [String: String] {
    var files: [String: String] = [:]
    for number in 0..<count { files["folder \(number % 5)/\(number).md"] = "text \(number)\n" }
    return files
  }

  /// What a thread sees: all blobs of the commit, a setting and an ignore rule, for which libgit2 is opened.
  private static func look(_ repository: Repository, _ tip: ObjectID) throws -> [String: String] {
    var seen: [String: String] = [:]
    for entry in try repository.files(at: tip, under: []) {
      seen[String(decoding: entry.path, as: UTF8.self)] =
        String(decoding: try repository.blob(entry.id), as: UTF8.self)
    }
    seen["setting"] = repository.settings["slip.setting"]
    return seen
  }

  @Test(arguments: [false, true]) func allSeeTheSame(isPacked: Bool) async throws {
    let test = try TestRepository(Self.files(60), settings: ["slip.setting": "value"])
    if isPacked { try test.git("gc", "-q") }
    let tip = try test.id("HEAD")
    let path = test.folder.path
    var expected = Self.files(60)
    expected["setting"] = "value"
    let shared = Shared(try TestRepository.open(path))
    try await withThrowingTaskGroup(of: [[String: String]].self) { group in
      for _ in 0..<8 {
        group.addTask {
          let own = try TestRepository.open(path)
          return try (0..<10).map { turn in
            if turn % 2 == 0 { return try Self.look(own, tip) }
            return try shared.repository.withLock { try Self.look($0, tip) }
          }
        }
      }
      for try await answers in group {
        for answer in answers { #expect(answer == expected) }
      }
    }
  }
}
