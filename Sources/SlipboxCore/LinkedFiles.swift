package import Notes
import Platform
import Text

/// The files that notes link to or embed: they belong to the box and are committed with the notes.
extension Slipbox {
  /// Above this many bytes in all, the user is asked before linked files are committed.
  package static let linkedFilesLimit: Int64 = 100 << 20

  /// The files other than notes that a note's links lead to.
  /// - Parameter names: the files of the box other than notes by their name, for `![[name]]`.
  func linkedFiles(of note: Note, names: [[UInt8]: [UInt8]]) -> Set<[UInt8]> {
    Set(note.links.compactMap { linkedFile(of: $0, from: note.path) { names[$0] } })
  }

  /// The file other than a note that a link leads to, in the note with a path.
  /// - Parameter named: the file of the box other than a note that has a name.
  func linkedFile(
    of link: BodyScan.Link, from note: [UInt8], named: ([UInt8]) -> [UInt8]?
  ) -> [UInt8]? {
    guard case .name(let name) = LinkAddress(link) else { return nil }
    for target in name.readings {
      let here = BytePath.join(BytePath.folder(of: note), target)
      for case let path? in [BytePath.normalised(here), BytePath.normalised(target)] where isOwnFile(path) {
        return path
      }
      if let path = named(BytePath.name(of: target)), isOwnFile(path) { return path }
    }
    return nil
  }

  /// Every file of the box that is not a note, by its name.
  func otherFiles() -> [[UInt8]: [UInt8]] {
    var names: [[UInt8]: [UInt8]] = [:]
    let walk = DirectoryWalk.files(under: root, include: { !FileName.isNote(Array($0)) })
    for file in walk.files { names[BytePath.name(of: file.path)] = file.path }
    return names
  }

  /// A plain file of the box that is no note, not hidden, and named as one may be.
  private func isOwnFile(_ path: [UInt8]) -> Bool {
    guard !path.isEmpty, !FileName.isNote(path), FileName.problem(in: path) == nil,
      !path.split(separator: UInt8(ascii: "/")).contains(where: { $0.first == UInt8(ascii: ".") })
    else { return false }
    return (try? Files.status(absolutePath(path), followLinks: false))?.kind == .file
  }
}

/// Finds the files other than notes that links lead to, for many links.
package final class LinkedFileFinder {
  private let box: Slipbox
  /// Those of the box by their names; a walk for the first link that needs it.
  private lazy var names = box.otherFiles()

  package init(_ box: Slipbox) { self.box = box }

  /// The file that a link leads to, in the note with a path; nil where it leads to none, or to a note.
  package func file(of link: BodyScan.Link, from note: [UInt8]) -> [UInt8]? {
    box.linkedFile(of: link, from: note) { names[$0] }
  }
}
