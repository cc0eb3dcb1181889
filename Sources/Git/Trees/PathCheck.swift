/// Which paths git may hold.
package enum PathCheck {
  /// Refuses a path that git would refuse, or that could leave the work tree or reach into the git folder.
  package static func validate(_ path: [UInt8]) throws(GitError) {
    let parts = path.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
    guard !path.isEmpty, !path.contains(0), path.count <= 4_095, parts.allSatisfy(isName) else {
      throw GitError(.other, "git can't store a file with this path: \(GitError.text(path)); rename it")
    }
  }

  /// Whether git can hold a file at a path.
  package static func isValid(_ path: [UInt8]) -> Bool { (try? validate(path)) != nil }

  /// Whether bytes can be the name of one file or folder in a tree.
  static func isName(_ name: ArraySlice<UInt8>) -> Bool {
    guard !name.isEmpty, !name.elementsEqual(".".utf8), !name.elementsEqual("..".utf8) else { return false }
    return !isGitFolder(name)
  }

  /// Whether some file system takes a name for ".git": without case, with blanks and dots after it, by its short
  /// name, as a stream, or with characters that are ignored.
  /// Source: git's own checks `hasDotgit`, `is_ntfs_dotgit`, `is_hfs_dotgit`.
  private static func isGitFolder(_ name: ArraySlice<UInt8>) -> Bool {
    let visible = withoutIgnored(name).map { $0 >= 65 && $0 <= 90 ? $0 + 32 : $0 }
    let base = visible.prefix { $0 != UInt8(ascii: ":") && $0 != UInt8(ascii: "\\") }
    let cut = base.reversed().drop { $0 == 32 || $0 == UInt8(ascii: ".") }.reversed()
    return cut.elementsEqual(".git".utf8) || cut.elementsEqual("git~1".utf8)
  }

  /// The name without the characters that HFS+ ignores.
  private static func withoutIgnored(_ name: ArraySlice<UInt8>) -> [UInt8] {
    guard name.contains(where: { $0 >= 0xE2 }) else { return Array(name) }
    let ignored: Set<UInt32> = [
      0x200C, 0x200D, 0x200E, 0x200F, 0x202A, 0x202B, 0x202C, 0x202D, 0x202E, 0x206A, 0x206B, 0x206C, 0x206D,
      0x206E, 0x206F, 0xFEFF,
    ]
    let text = String(decoding: name, as: UTF8.self)
    let kept = text.unicodeScalars.filter { !ignored.contains($0.value) }
    return Array(String(String.UnicodeScalarView(kept)).utf8)
  }
}
