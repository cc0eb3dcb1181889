/// A change of one file in a tree, or of its entry in the index.
package enum TreeEdit: Sendable, Equatable {
  /// Adds or replaces the file; `mode` is 0o100644, 0o100755 or 0o120000.
  case put(path: [UInt8], blob: ObjectID, mode: UInt32)
  /// Takes the file away; if there is none, nothing changes.
  case remove(path: [UInt8])

  package var path: [UInt8] {
    switch self {
    case .put(let path, _, _), .remove(let path): path
    }
  }

  var isPut: Bool {
    if case .put = self { true } else { false }
  }
}

/// The edits of one folder: of its own files, and of the folders in it.
struct FolderChange {
  var files: [[UInt8]: TreeEdit] = [:]
  var folders: [[UInt8]: FolderChange] = [:]

  /// Groups edits that are sorted by path.
  init(_ edits: [TreeEdit]) {
    for edit in edits { add(edit, edit.path[...]) }
  }

  private init() {}

  /// Whether a file is put here or below.
  var puts: Bool {
    files.values.contains(where: \.isPut) || folders.values.contains { $0.puts }
  }

  private mutating func add(_ edit: TreeEdit, _ path: ArraySlice<UInt8>) {
    guard let slash = path.firstIndex(of: UInt8(ascii: "/")) else {
      files[Array(path)] = edit
      return
    }
    folders[Array(path[..<slash]), default: FolderChange()].add(edit, path[(slash + 1)...])
  }
}

extension PathCheck {
  /// Refuses files that are put at a path and below it at once.
  static func refuseOverlaps(_ paths: [[UInt8]]) throws(GitError) {
    let all = Set(paths)
    for path in paths {
      for (index, byte) in path.enumerated() where byte == UInt8(ascii: "/") {
        guard !all.contains(Array(path[..<index])) else {
          throw GitError(
            .other,
            "\(GitError.text(path[..<index])) can't be both a file and the folder of \(GitError.text(path))")
        }
      }
    }
  }
}

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
