import Git
import Notes
import Platform
import Text

/// What the names of files show.
extension Slipbox {
  func fileFindings() throws(SlipboxError) -> [Finding] {
    let walk = DirectoryWalk.files(under: root, include: { _ in true })
    let paths = (walk.files + walk.links).map(\.path)
    var findings = walk.temporaries.map(temporaryFinding)
    for path in paths where ConflictCopy.isOne(path) {
      guard try belongs(path) else { continue }
      findings.append(
        Finding(
          .copies, path, "a copy that a sync program made of two versions of one file",
          remedy: "compare it with the file it is a copy of, then delete it"))
    }
    for (path, other) in SimilarNames(paths).pairs {
      guard try belongs(path) else { continue }
      findings.append(
        Finding(
          .names, path,
          "differs from \(Visible.escape(other)) only in case or in how letters are composed, so that other systems "
            + "take them for one",
          remedy: "rename one of them"))
    }
    return findings
  }

  private func temporaryFinding(_ path: [UInt8]) -> Finding {
    let message = "a file left over by a change that was interrupted"
    guard let file = try? folder.read(path, limit: nil), isInGit(file.bytes) else {
      return Finding(
        .temporaries, path, "\(message); git does not have what it holds",
        remedy: "look into it, then delete it")
    }
    return Finding(.temporaries, path, message, way: .automatic, remedy: "deletes it: git has what it holds")
  }

  /// Whether git has a blob of some bytes.
  func isInGit(_ bytes: [UInt8]) -> Bool {
    guard let id = try? repository.contentID(of: bytes, path: Array("slip.tmp".utf8)) else { return false }
    return (try? repository.blob(id)) != nil
  }

  /// Files that git is told to ignore are nobody's concern.
  private func belongs(_ path: [UInt8]) throws(SlipboxError) -> Bool {
    if try committedState().isTracked(path) { return true }
    return try !isIgnored(path)
  }
}

/// The files that sync programs leave where two devices changed one.
enum ConflictCopy {
  private static let marks = [".sync-conflict-", "conflicted copy"].map { Array($0.utf8) }

  static func isOne(_ path: [UInt8]) -> Bool {
    let name = FileName.lastPart(of: path)
    return marks.contains { mark in
      guard name.count >= mark.count else { return false }
      return (name.startIndex...(name.endIndex - mark.count)).contains { start in
        name[start] == mark[0] && name[start..<(start + mark.count)].elementsEqual(mark)
      }
    }
  }
}

/// Files and folders whose paths are one path on systems that don't tell case or forms of letters apart.
struct SimilarNames {
  /// Each later spelling with the first one, by bytes.
  private(set) var pairs: [(path: [UInt8], other: [UInt8])] = []

  /// - Complexity: O(n) in the bytes of all paths.
  init(_ paths: [[UInt8]]) {
    // Strings are equal where they are canonically equivalent, which is what is asked here.
    var spellings: [String: Set<[UInt8]>] = [:]
    var folders: Set<[UInt8]> = []
    for path in paths {
      var path = path
      while !path.isEmpty, folders.insert(path).inserted {
        spellings[Self.common(path), default: []].insert(path)
        path = BytePath.folder(of: path)
      }
    }
    for (name, paths) in spellings where paths.count > 1 {
      let sorted = paths.sorted { $0.lexicographicallyPrecedes($1) }
      let parent = Self.common(BytePath.folder(of: Array(name.utf8)))
      if !parent.isEmpty, (spellings[parent]?.count ?? 0) > 1 { continue }
      for path in sorted.dropFirst() { pairs.append((path, sorted[0])) }
    }
  }

  private static func common(_ path: [UInt8]) -> String { String(decoding: path, as: UTF8.self).lowercased() }
}
