import Notes
import Platform
import Text

/// The files that notes link to or embed: they belong to the box and are committed with the notes.
extension Slipbox {
  /// Above this many bytes in all, the user is asked before linked files are committed.
  package static let linkedFilesLimit: Int64 = 100 << 20

  /// The files other than notes that a note's links lead to.
  /// - Parameter names: the files of the box other than notes by their name, for `![[name]]`.
  func linkedFiles(of note: Note, names: [[UInt8]: [UInt8]]) -> Set<[UInt8]> {
    var found: Set<[UInt8]> = []
    for link in note.links {
      guard let target = Self.linkTarget(link.target) else { continue }
      let here = BytePath.join(BytePath.folder(of: note.path), target)
      let candidates = [
        BytePath.normalised(here), BytePath.normalised(target), names[BytePath.name(of: target)],
      ]
      for case let path? in candidates where !FileName.isNote(path) && isOwnFile(path) {
        found.insert(path)
        break
      }
    }
    return found
  }

  /// Every file of the box that is not a note, by its name.
  func otherFiles() -> [[UInt8]: [UInt8]] {
    var names: [[UInt8]: [UInt8]] = [:]
    let walk = DirectoryWalk.files(under: root, include: { !FileName.isNote(Array($0)) })
    for file in walk.files { names[BytePath.name(of: file.path)] = file.path }
    return names
  }

  /// A plain file of the box, not hidden, and named as one may be.
  private func isOwnFile(_ path: [UInt8]) -> Bool {
    guard FileName.problem(in: path) == nil,
      !path.split(separator: UInt8(ascii: "/")).contains(where: { $0.first == UInt8(ascii: ".") })
    else { return false }
    return (try? Files.status(absolutePath(path), followLinks: false))?.kind == .file
  }

  /// The path part of a link, percent-decoded; nil for addresses of other places.
  private static func linkTarget(_ target: String) -> [UInt8]? {
    let bytes = Array(target.utf8)
    let end = bytes.firstIndex { $0 == UInt8(ascii: "#") || $0 == UInt8(ascii: "?") } ?? bytes.count
    let path = bytes[..<end]
    guard !path.isEmpty, path.first != UInt8(ascii: "/") else { return nil }
    if let colon = path.firstIndex(of: UInt8(ascii: ":")), path[colon...].starts(with: Array("://".utf8)) {
      return nil
    }
    return percentDecoded(path)
  }

  private static func percentDecoded(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
    var result: [UInt8] = []
    var rest = bytes
    while let byte = rest.popFirst() {
      let digits = rest.prefix(2).compactMap { Character(Unicode.Scalar($0)).hexDigitValue }
      if byte == UInt8(ascii: "%"), digits.count == 2 {
        result.append(UInt8(digits[0] << 4 | digits[1]))
        rest = rest.dropFirst(2)
      } else {
        result.append(byte)
      }
    }
    return result
  }
}
