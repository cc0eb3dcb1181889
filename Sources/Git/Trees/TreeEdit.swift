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
