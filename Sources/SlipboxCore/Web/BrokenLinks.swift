import Bytes
import NoteIndex
import Notes

/// Tells which links that lead to no note lead nowhere at all.
struct BrokenLinks: Sendable {
  private let others: OtherFiles
  private let folders: Set<[UInt8]>
  private let leftOut: LeftOutFiles?

  /// - Complexity: O(n) in the paths of the box, and in those that a sparse checkout leaves out.
  init(_ snapshot: BoxSnapshot, _ entries: Entries) throws(SlipboxError) {
    others = try snapshot.otherFiles()
    leftOut = snapshot.source == .workTree ? try LeftOutFiles(of: snapshot.box) : nil
    folders = Self.folders(of: entries.indices.map { entries.path(at: $0) } + others.paths)
  }

  /// What a link in the note with a path leads to, where it is no note: a file, a place elsewhere, or nothing.
  ///
  /// A folder counts as a file. A path from the root of a web site may be found there; what a template fills in is no name.
  func target(of link: BodyScan.Link, from path: [UInt8]) -> Connection.Target {
    if let file = BoxSnapshot.linkedFile(of: link, from: path, among: others) { return .file(file) }
    if let folder = folder(of: link, from: path) { return .file(folder) }
    if let file = leftOut?.file(of: link, from: path) { return .file(file) }
    return Self.mayLeadElsewhere(link) ? .url(Array(link.target.utf8)) : .broken
  }

  /// Whether a path begins at the root of a site or holds what a template fills in, or a field only names a file.
  static func mayLeadElsewhere(_ link: BodyScan.Link) -> Bool {
    let target = Array(link.target.utf8)
    if link.form == .path, !target.contains(UInt8(ascii: "/")) { return true }
    let isMarkdown = link.form != .wiki && link.form != .embed
    return (isMarkdown && target.first == UInt8(ascii: "/")) || target.starts(with: "{{".utf8)
  }

  private func folder(of link: BodyScan.Link, from note: [UInt8]) -> [UInt8]? {
    guard case .name(let name) = LinkAddress(link) else { return nil }
    for reading in name.readings {
      for path in [BytePath.join(BytePath.folder(of: note), reading), reading] {
        if let path = BytePath.normalised(path), folders.contains(path) { return path }
      }
    }
    return nil
  }

  private static func folders(of paths: [[UInt8]]) -> Set<[UInt8]> {
    var folders: Set<[UInt8]> = [[]]
    for path in paths {
      var folder = BytePath.folder(of: path)
      while folders.insert(folder).inserted { folder = BytePath.folder(of: folder) }
    }
    return folders
  }
}
