/// Which file a link means if it fits the names of several.
package enum SameNameRule: Sendable {
  /// None of them: the link is ambiguous.
  case ambiguous
  /// The one that Obsidian opens: see `SameNames`.
  case obsidian
}

/// The files that a link in an Obsidian vault may mean.
///
/// A link is the end of a path, whatever its case. The file at the whole path precedes all others, then one in the folder
/// of the note with the link, then the shortest path. Of paths of one length the alphabetically first is taken.
/// Source: `MetadataCache.getFirstLinkpathDest` of Obsidian 1.13, by its observed answers; its documentation calls the
/// result "the best match" without the rule.
package struct SameNames<File: Sendable>: Sendable {
  /// The files that may be meant, the best first without regard to folders.
  private let files: [(file: File, path: [UInt8])]
  /// Whether the link is the whole path of these files.
  private let isWhole: Bool

  /// - Parameters:
  ///   - files: those whose paths may end with the name.
  ///   - name: without `.` and `..`; the ending `.md` may be missing.
  package init(_ files: [(file: File, path: [UInt8])], named name: [UInt8]) {
    let wanted = Self.lowercased(name)
    var (whole, ends): ([(file: File, path: [UInt8])], [(file: File, path: [UInt8])]) = ([], [])
    for file in files {
      let path = Self.lowercased(file.path)
      let ending = [".md", ".markdown"].first { path.hasSuffix($0) } ?? ""
      let lower = [path, String(path.dropLast(ending.count))]
      if lower.contains(wanted) {
        whole.append(file)
      } else if lower.contains(where: { $0.hasSuffix("/" + wanted) }) {
        ends.append(file)
      }
    }
    isWhole = !whole.isEmpty
    self.files = (isWhole ? whole : ends).sorted { left, right in
      let lengths = (Self.length(left.path), Self.length(right.path))
      return lengths.0 == lengths.1 ? left.path.lexicographicallyPrecedes(right.path) : lengths.0 < lengths.1
    }
  }

  /// Whether one file alone has the name.
  package var isUnique: Bool { files.count == 1 }

  /// The file that a link means in a note of a folder; nil if none fits.
  package func file(from folder: ArraySlice<UInt8>) -> File? {
    let near = isWhole ? nil : files.first { Self.folder(of: $0.path).elementsEqual(folder) }
    return (near ?? files.first)?.file
  }

  private static func folder(of path: [UInt8]) -> ArraySlice<UInt8> {
    path[..<(path.lastIndex(of: UInt8(ascii: "/")) ?? 0)]
  }

  private static func lowercased(_ path: [UInt8]) -> String {
    String(decoding: path, as: UTF8.self).lowercased()
  }

  /// The length of a path as JavaScript counts it.
  private static func length(_ path: [UInt8]) -> Int { String(decoding: path, as: UTF8.self).utf16.count }
}
