import Foundation
import Git
import Platform
import SlipboxTesting
import Testing

/// A repository in a temporary folder, made by git and opened by the module.
struct TestRepository {
  let folder: TemporaryFolder
  let repository: Repository

  static let environment = GitEnvironment(testEnvironment)

  init(folder: TemporaryFolder, repository: Repository) {
    self.folder = folder
    self.repository = repository
  }

  /// Makes a repository with one commit of some files.
  init(_ files: [String: String] = ["a.md": "one\n"], settings: [String: String] = [:]) throws {
    folder = try TemporaryFolder()
    try folder.git("init", "-q", "-b", "main")
    for (key, value) in settings { try folder.git("config", key, value) }
    for (path, text) in files { try folder.write(path, text) }
    if !files.isEmpty {
      try folder.git("add", "-A")
      try folder.git("commit", "-q", "-m", "Begin")
    }
    repository = try Self.open(folder.path)
  }

  static func open(_ path: String) throws -> Repository {
    try #require(try Repository.discover(from: Array(path.utf8), environment: environment))
  }

  /// The repository, opened anew: nothing is remembered.
  func reopened() throws -> Repository { try Self.open(folder.path) }

  @discardableResult
  func git(_ arguments: String..., input: String? = nil) throws -> String {
    let result = try run("git", arguments, in: folder.path, input: input)
    guard result.status == 0 else { throw GitFailure(arguments: arguments, errors: result.errors) }
    return result.output
  }

  /// The first line that git writes.
  func line(_ arguments: String...) throws -> String {
    let result = try run("git", arguments, in: folder.path)
    guard result.status == 0 else { throw GitFailure(arguments: arguments, errors: result.errors) }
    return String(result.output.prefix { $0 != "\n" })
  }

  func id(_ revision: String) throws -> ObjectID {
    try #require(ObjectID(hex: try line("rev-parse", revision)))
  }

  /// The files of packs with an ending, as paths below the work tree.
  func packFiles(_ ending: String) throws -> [String] {
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path + "/.git/objects/pack")
    return names.filter { $0.hasSuffix(ending) }.map { ".git/objects/pack/" + $0 }
  }

  /// Changes files as a command of the notes tool would: file, objects, index, ref. Nil deletes.
  @discardableResult
  func change(
    _ files: [[UInt8]: String?], in given: Repository? = nil, _ held: HeldRepository? = nil
  ) throws -> ObjectID {
    let repository = given ?? self.repository
    let root = try #require(repository.workTree)
    let tip = try repository.head().tip
    var trees: [TreeEdit] = []
    var statuses: [[UInt8]: FileStatus] = [:]
    for (path, text) in files {
      let place = root + [UInt8(ascii: "/")] + path
      guard let text else {
        place.withPath { _ = unlink($0) }
        trees.append(.remove(path: path))
        continue
      }
      try writeFile(place, Array(text.utf8))
      let blob = try repository.conversion.writeBlob(Array(text.utf8), path: path)
      trees.append(.put(path: path, blob: blob, mode: 0o100644))
      statuses[path] = try status(of: place)
    }
    let tree = try repository.writeTree(base: tip, trees)
    let who = try repository.identity(at: (1_700_000_000, 60))
    let commit = try repository.writeCommit(
      tree: tree, parents: tip.map { [$0] } ?? [], message: "Change", author: who.author,
      committer: who.committer)
    let write = { (held: HeldRepository) in
      try held.updateIndex(trees, statuses: statuses)
      try held.moveBranch(from: tip, to: commit, message: "slip: change")
    }
    if let held { try write(held) } else { try repository.holding(write) }
    return commit
  }

  @discardableResult
  func change(_ path: String, _ text: String?) throws -> ObjectID { try change([Array(path.utf8): text]) }

  /// Holds the repository against git: nothing broken, no lock, no stray file, and the status expected.
  func verify(status expected: String = "", sourceLocation: SourceLocation = #_sourceLocation) throws {
    let check = try run("git", ["fsck", "--strict", "--no-dangling"], in: folder.path)
    #expect(
      check.status == 0 && check.output.isEmpty, "\(check.output)\(check.errors)",
      sourceLocation: sourceLocation)
    // The plumbing first: it sees stale entries that `git status` would refresh.
    let stale = try git("diff-files", "--name-only")
    let changed = try git("-c", "core.quotePath=false", "status", "--porcelain")
    let touched = changed.split(separator: "\n").filter { $0.dropFirst().first != " " && !$0.hasPrefix("??") }
    #expect(
      stale.split(separator: "\n").count <= touched.count, "stale: \(stale)", sourceLocation: sourceLocation)
    #expect(changed == expected, sourceLocation: sourceLocation)
    let left = try FileManager.default.contentsOfDirectory(
      atPath: String(decoding: repository.gitDirectory, as: UTF8.self))
    let stray = left.filter {
      $0.hasSuffix(".lock") || $0.hasPrefix("index.copy") || $0.hasPrefix("index.new")
    }
    #expect(stray.isEmpty, sourceLocation: sourceLocation)
  }
}

extension Repository {
  /// Takes the locks, waiting for other programs.
  func hold() throws -> HeldRepository {
    for _ in 0..<5_000 {
      if case .held(let held) = try tryHolding() { return held }
      usleep(1_000)
    }
    throw GitError.locked(index.lockPath)
  }

  /// Runs a body while the locks are held.
  @discardableResult
  func holding<Result>(_ body: (HeldRepository) throws -> Result) throws -> Result {
    let held = try hold()
    defer { held.release() }
    return try body(held)
  }
}

extension [UInt8] {
  /// Lends the path as C string.
  func withPath<Result>(_ body: (UnsafePointer<CChar>) throws -> Result) rethrows -> Result {
    try body(map { CChar(bitPattern: $0) } + [0])
  }
}

/// Writes a file whose name may be any bytes, making the folder above it.
func writeFile(_ path: [UInt8], _ bytes: [UInt8]) throws {
  if let slash = path.lastIndex(of: UInt8(ascii: "/")) {
    var at = path.startIndex
    while let next = path[(at + 1)...slash].firstIndex(of: UInt8(ascii: "/")) {
      _ = Array(path[..<next]).withPath { mkdir($0, 0o777) }
      at = next
      if at == slash { break }
    }
  }
  let descriptor = path.withPath { open($0, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o666) }
  try #require(descriptor >= 0, "\(String(cString: strerror(errno)))")
  defer { close(descriptor) }
  try #require(write(descriptor, bytes, bytes.count) == bytes.count)
}

/// The status of a file, as the index takes it.
func status(of path: [UInt8]) throws -> FileStatus {
  try #require(try Files.status(path, followLinks: false))
}

/// The error of the module that a body throws.
func gitError<Result>(_ body: () throws -> Result) -> GitError? {
  do {
    _ = try body()
    return nil
  } catch {
    return error as? GitError
  }
}

/// A git command that exited other than 0.
struct GitFailure: Error {
  let arguments: [String]
  let errors: String
}
