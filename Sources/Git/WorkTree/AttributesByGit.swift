import Bytes
import Platform

extension Repository {
  /// The attributes of files as git itself reads them.
  var attributesByGit: AttributesByGit { AttributesByGit(repository: self) }
}

/// The attributes that decide how git stores files, read by git-check-attr(1).
///
/// libgit2 reads no patterns in quotes, and it applies no macro that is defined below its use. With its answers, encrypted files
/// would be stored and published as plain text, and files with other line ends and encodings than git stores.
struct AttributesByGit {
  let repository: Repository

  /// So many files are asked for one by one, before all files of the index are asked for together.
  private static let mostSingle = 8
  /// git ignores longer lines.
  private static let longestLine = 2_000

  /// Whether libgit2 may read a file of attributes that decides how files are stored in another way than git.
  static func areNeeded(by text: [UInt8]) -> Bool {
    let decides =
      text.containsText("filter") || text.containsText("text") || text.containsText("eol")
      || text.containsText("crlf") || text.containsText("ident") || text.containsText("encoding")
      || text.containsText("binary")
    guard decides else { return false }
    if text.starts(with: [0xEF, 0xBB, 0xBF]) || text.contains(0x0D) || text.contains(0) { return true }
    return text.split(separator: 0x0A).contains { line in
      if line.first == UInt8(ascii: "#") { return false }
      let isPlain = line.prefix { !ASCII.isBlank($0) }.allSatisfy { byte in
        byte >= 0x80 || ASCII.isWord(byte) || "./*-#".utf8.contains(byte)
      }
      return !isPlain || ASCII.isBlank(line[line.startIndex]) || line.count > longestLine
    }
  }

  /// The attribute by which a program or another encoding makes the stored form of a file, as "filter=lfs"; nil if it has
  /// none.
  func foreignFilter(of path: [UInt8]) throws(GitError) -> String? {
    if let known = repository.attributeCache.filteredFiles.byGit[path] { return known }
    var paths: Set<[UInt8]> = [path]
    repository.attributeCache.filteredFiles.countOfAsked += 1
    if repository.attributeCache.filteredFiles.countOfAsked == Self.mostSingle {
      for entry in try repository.index.entries() { paths.insert(entry.path) }
    } else if repository.attributeCache.filteredFiles.countOfAsked > Self.mostSingle,
      let workTree = repository.workTree
    {
      // New files mostly come together.
      let folder = BytePath.folder(of: path)
      for name in RawFile.names(in: workTree / folder) {
        paths.insert(BytePath.join(folder, Array(name.utf8)))
      }
    }
    let answers = try settings(of: Array(paths))
    for path in paths { repository.attributeCache.filteredFiles.byGit[path] = .some(answers[path]) }
    return answers[path]
  }

  /// Whether git keeps the line ends of a file as they are because the index has it with carriage returns.
  ///
  /// Wraps git-check-attr(1). Source: git's convert.c, `has_crlf_in_index`.
  func keepsLineEnds(of path: [UInt8]) throws(GitError) -> Bool {
    guard let entry = try repository.index.entry(path), entry.stage == 0, entry.isFile,
      let blob = try? repository.blob(entry.id), blob.containsText("\r\n"), !blob.contains(0)
    else { return false }
    let output = try repository.git(
      ["check-attr", "-z", "--stdin", "text", "eol", "crlf"], input: path + [0])
    let words = output.split(separator: 0, omittingEmptySubsequences: false)
    let values = stride(from: 2, to: words.count, by: 3).map { String(decoding: words[$0], as: UTF8.self) }
    return values.first == "auto" || values.allSatisfy { $0 == "unspecified" }
  }

  /// The attributes of some files that have one.
  ///
  /// Wraps git-check-attr(1).
  private func settings(of paths: [[UInt8]]) throws(GitError) -> [[UInt8]: String] {
    let output = try repository.git(
      ["check-attr", "-z", "--stdin", "filter", "working-tree-encoding"],
      input: Array(paths.map { $0 + [0] }.joined()))
    // Path, attribute and value, each with a zero byte at its end.
    let words = output.split(separator: 0, omittingEmptySubsequences: false)
    var settings: [[UInt8]: String] = [:]
    for start in stride(from: 0, to: words.count - 2, by: 3) {
      let path = Array(words[start])
      let isEncoding = words[start + 1].first == UInt8(ascii: "w")
      let value = String(decoding: words[start + 2], as: UTF8.self)
      if settings[path] == nil { settings[path] = Self.foreign(value, isEncoding: isEncoding) }
    }
    return settings
  }

  private static func foreign(_ value: String, isEncoding: Bool) -> String? {
    switch value {
    case "unspecified", "unset": return nil
    case "set": return isEncoding ? "working-tree-encoding" : nil
    default:
      let isPlain = isEncoding && ["utf-8", "utf8", ""].contains(value.lowercased())
      return isPlain ? nil : "\(isEncoding ? "working-tree-encoding" : "filter")=\(value)"
    }
  }
}
