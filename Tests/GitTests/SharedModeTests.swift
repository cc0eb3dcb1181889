import Foundation
import Git
import SlipboxTesting
import Testing

/// The permissions of files in the git folder, as `core.sharedRepository` asks for them.
@Suite struct SharedModeTests {
  private static let values = [
    "umask", "false", "0", "group", "true", "1", "all", "world", "2", "0660", "0640", "0777", "",
  ]

  /// The modes of files and folders in the git folder; objects count by their kind of place.
  private func modes(_ test: TestRepository) throws -> [String: Set<Int>] {
    var modes: [String: Set<Int>] = [:]
    let root = test.folder.path + "/.git"
    let wanted = ["objects/", "refs", "logs", "index"]
    for case let path as String in try #require(FileManager.default.enumerator(atPath: root)) {
      guard wanted.contains(where: { path.hasPrefix($0) }), !path.hasPrefix("objects/info") else { continue }
      let attributes = try FileManager.default.attributesOfItem(atPath: root + "/" + path)
      let isObject = path.hasPrefix("objects/") && path != "objects/pack"
      let place = isObject ? path.count > 10 ? "object" : "objects/xx" : path
      modes[place, default: []].insert(try #require(attributes[.posixPermissions] as? Int))
    }
    return modes
  }

  @Test(arguments: values) func `gives files the permissions that git gives them`(value: String) throws {
    let settings = ["core.sharedRepository": value]
    let test = try TestRepository([:], settings: settings)
    try test.change("a.md", "one\n")
    try test.change("a.md", "two\n")
    let twin = try TestRepository([:], settings: settings)
    for text in ["one\n", "two\n"] {
      try twin.folder.write("a.md", text)
      try twin.git("add", "a.md")
      try twin.git("commit", "-q", "-m", "Change")
    }
    let (ours, expected) = (try modes(test), try modes(twin))
    for place in Set(ours.keys).union(expected.keys).sorted() {
      #expect(ours[place] == expected[place], "\(place)")
    }
  }

  @Test func `shares folders of refs that are made or removed`() throws {
    let test = try TestRepository(settings: ["core.sharedRepository": "group"])
    let id = try test.id("HEAD")
    try test.repository.references.set("refs/slipbox/synced/origin/main", to: id)
    let folder = "/.git/refs/slipbox/synced"
    let isShared = { (path: String) throws -> Bool in
      let attributes = try FileManager.default.attributesOfItem(atPath: test.folder.path + path)
      return try #require(attributes[.posixPermissions] as? Int) & 0o020 != 0
    }
    #expect(try isShared(folder))
    #expect(try isShared(folder + "/origin/main"))
    try test.git("pack-refs", "--all", "--prune")
    try test.repository.references.remove(under: "refs/slipbox/synced/")
    #expect(try isShared("/.git/packed-refs"))
    for path in ["", "/synced", "/synced/origin"] {
      let place = "/.git/refs/slipbox" + path
      if FileManager.default.fileExists(atPath: test.folder.path + place) { #expect(try isShared(place)) }
    }
  }

  @Test func `makes a shared repository if the user's configuration asks for it`() throws {
    let folder = try TemporaryFolder()
    try folder.write("global", "[core]\n\tsharedRepository = group\n")
    var environment = testEnvironment
    environment["GIT_CONFIG_GLOBAL"] = folder.path + "/global"
    let box = folder.path + "/box"
    _ = try Repository.create(at: Array(box.utf8), environment: GitEnvironment(environment))
    #expect(try folder.git("-C", "box", "config", "core.sharedRepository") == "group\n")
    for path in ["", "/HEAD", "/config", "/objects", "/refs/heads"] {
      let attributes = try FileManager.default.attributesOfItem(atPath: box + "/.git" + path)
      #expect(try #require(attributes[.posixPermissions] as? Int) & 0o020 != 0, "\(path)")
    }
  }
}
