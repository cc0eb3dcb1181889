import Bytes
import NoteIndex
import Notes
import Text

/// Links that lead nowhere.
extension BoxSnapshot {
  /// The links to names and paths that no note and no file of the box has.
  ///
  /// References of records are looked at as such. A path from the root of a web site may be found there.
  /// - Complexity: O(n) in all links; only the texts of notes with such a link are read.
  func linkFindings(_ entries: Entries) throws(SlipboxError) -> [Finding] {
    let found = LinkGraph(try catalogue(), executor: Self.executor).dangling()
    guard !found.isEmpty else { return [] }
    let others = try otherFiles()
    let folders = Self.folders(of: entries.indices.map { entries.path(at: $0) } + others.paths)
    let schema = schema()
    var findings: [Finding] = []
    for (place, links) in found {
      let path = entries.path(at: place)
      let broken = links.filter { link in
        Self.linkedFile(of: link, from: path, among: others) == nil && !Self.mayLeadElsewhere(link)
          && !Self.leads(link, from: path, toOneOf: folders)
      }
      guard !broken.isEmpty else { continue }
      let entry = entries[place]
      let kind = schema.kind(named: entry.kind)
      let reported = broken.filter { !Self.isReference($0, in: entry.note, of: kind) }
        .sorted { $0.range.lowerBound < $1.range.lowerBound }
      let positions = entry.note.text.positions(of: reported.map(\.range.lowerBound))
      for (link, position) in zip(reported, positions) {
        findings.append(Self.finding(link, at: position, in: entry.note))
      }
    }
    return findings
  }

  private static func finding(
    _ link: BodyScan.Link, at position: (line: Int, column: Int), in note: Note
  ) -> Finding {
    let target = Visible.escape(link.target)
    let shown =
      switch link.form {
      case .wiki: "[[\(target)]]"
      case .embed: "![[\(target)]]"
      case .markdown, .image, .reference: "the link to \(target)"
      }
    return Finding(
      .links, note.path, line: position.line, column: position.column,
      "\(shown) leads to no note and no file",
      remedy: "slip edit \(note.shellName)")
  }

  /// Whether a link is the value of a field that refers to a record.
  private static func isReference(_ link: BodyScan.Link, in note: Note, of kind: Kind?) -> Bool {
    let field = note.frontMatter.fields.first { $0.span.contains(link.range.lowerBound) }
    return field.flatMap { kind?.field($0.name) }?.type == .reference
  }

  /// Whether a path begins at the root of a site, or holds what a template fills in.
  private static func mayLeadElsewhere(_ link: BodyScan.Link) -> Bool {
    let target = Array(link.target.utf8)
    let isMarkdown = link.form != .wiki && link.form != .embed
    return (isMarkdown && target.first == UInt8(ascii: "/")) || target.starts(with: "{{".utf8)
  }

  private static func leads(
    _ link: BodyScan.Link, from note: [UInt8], toOneOf folders: Set<[UInt8]>
  ) -> Bool {
    guard case .name(let name) = LinkAddress(link) else { return false }
    return name.readings.contains { reading in
      [BytePath.join(BytePath.folder(of: note), reading), reading].contains { path in
        BytePath.normalised(path).map(folders.contains) ?? false
      }
    }
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
