import Bytes
import Git
import NoteIndex
import Notes
import Platform
import Text

/// Determines which of the links whose target is not a note are broken.
struct BrokenLinks: Sendable {
  private let others: OtherFiles
  private let folders: Set<[UInt8]>
  private let leftOut: LeftOutFiles?

  /// - Complexity: O(n) in the paths of the box, and in those that a sparse checkout leaves out.
  init(_ snapshot: BoxSnapshot, _ entries: Entries) throws(SlipboxError) {
    others = try snapshot.otherFiles()
    leftOut =
      snapshot.source == .workTree ? try LeftOutFiles(of: snapshot.box, snapshot.settings.sameNames) : nil
    folders = Self.folders(of: entries.indices.map { entries.path(at: $0) } + others.paths)
  }

  /// Returns the target, other than a note, of a link in the note with a path: a file, a place elsewhere, or nothing.
  ///
  /// A folder counts as a file. A path from the root of a web site may exist there, and a path with a template
  /// placeholder is not a name.
  func target(of link: BodyScan.Link, from path: [UInt8]) -> Connection.Target {
    if let file = others.file(of: link, from: path) { return .file(file) }
    if let folder = folder(of: link, from: path) { return .file(folder) }
    if let file = leftOut?.file(of: link, from: path) { return .file(file) }
    return Self.mayLeadElsewhere(link) ? .url(Array(link.target.utf8)) : .broken
  }

  /// Returns whether a path begins at the root of a site or has a template placeholder, or a field only names a file.
  static func mayLeadElsewhere(_ link: BodyScan.Link) -> Bool {
    let target = Array(link.target.utf8)
    if link.form == .path, !target.contains(UInt8(ascii: "/")) || !Attachment.isOne(target) { return true }
    // Hugo and Jekyll refuse a shortcode whose file they don't find.
    if link.isPageReference {
      // Hugo creates the pages of tags itself.
      let parts = target.split(separator: UInt8(ascii: "/"))
      return target.starts(with: "{{".utf8) || parts.first.map(isTaxonomy) ?? false
    }
    if TextConventions.has(.shortcodes), link.form == .html,
      FileName.isNote(LinkSpelling(link, reading: 1).name)
    {
      return false
    }
    let isMarkdown = link.form != .wiki && link.form != .embed
    return (isMarkdown && target.first == UInt8(ascii: "/")) || target.starts(with: "{{".utf8)
  }

  private static func isTaxonomy(_ part: ArraySlice<UInt8>) -> Bool {
    part.elementsEqual("tags".utf8) || part.elementsEqual("categories".utf8)
  }

  private func folder(of link: BodyScan.Link, from note: [UInt8]) -> [UInt8]? {
    guard case .name(let name) = LinkAddress(link) else { return nil }
    for reading in name.readings {
      let here = [BytePath.join(BytePath.folder(of: note), reading), reading]
      for path in here + (link.isPageReference ? [LinkedFiles.contentFolder + reading] : []) {
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

/// The files of the box that a sparse checkout leaves out of the work tree. Git has them, so links to them are not
/// broken.
struct LeftOutFiles: Sendable {
  private let others: OtherFiles
  private let notes: Entries
  private let resolver: LinkResolver

  /// Returns nil if the checkout leaves nothing out.
  ///
  /// In a partial clone the notes count by their paths alone: nothing is fetched.
  /// - Complexity: O(n) in the entries of git's index; the notes that are left out are read.
  init?(of box: Box, _ sameNames: SameNameRule) throws(SlipboxError) {
    guard box.withRepository({ $0.sparseCheckout.isOn }) else { return nil }
    let isPartial = box.withRepository { $0.remotes.isPartialClone }
    let entries = try box.git { repository throws(GitError) in try repository.index.entries() }
    var (notes, others): ([Entry], [[UInt8]]) = ([], [])
    for entry in entries where entry.skipWorktree && entry.isFile && entry.path.starts(with: box.prefix) {
      let path = Array(entry.path.dropFirst(box.prefix.count))
      guard !box.isThere(path) else { continue }
      if box.isNoteFile(entry.path) {
        let bytes = isPartial ? [] : try box.content(of: entry.id, at: path)
        notes.append(Entry(undated: Note(path: path, text: NoteText(bytes))))
      } else {
        others.append(path)
      }
    }
    guard !notes.isEmpty || !others.isEmpty else { return nil }
    self.others = OtherFiles(others, links: [], leftovers: [], sameNames: sameNames)
    self.notes = Entries(notes).linked(by: sameNames)
    resolver = LinkResolver(self.notes, executor: Processors.all)
  }

  var noteCount: Int { notes.count }

  /// Returns the file that a link in the note with a path leads to; if several notes have the name, the first.
  func file(of link: BodyScan.Link, from path: [UInt8]) -> [UInt8]? {
    switch resolver.meaning(of: link, from: path) {
    case .note(let place): notes.path(at: place)
    case .ambiguous(let places): places.first.map { notes.path(at: $0) }
    case .dangling: others.file(of: link, from: path)
    case .itself, .url: nil
    }
  }
}

extension LeftOutFiles {
  /// Warns that links and references of notes outside of a sparse checkout stay unchanged.
  static func warnOfNotes(in snapshot: BoxSnapshot) throws(SlipboxError) {
    guard snapshot.source == .workTree,
      let count = try LeftOutFiles(of: snapshot.box, snapshot.settings.sameNames)?.noteCount, count > 0
    else { return }
    snapshot.reporter.warnOnce(
      "\(count == 1 ? "1 note is" : "\(count) notes are") outside the sparse checkout; "
        + "links and references of \(count == 1 ? "it" : "them") were not checked")
  }
}

/// The links that break when notes are deleted or lose parts.
struct LostLinks {
  private let snapshot: BoxSnapshot

  init(in snapshot: BoxSnapshot) { self.snapshot = snapshot }

  /// Returns the links to deleted notes, from remaining notes, without those to a part that its note does not have.
  ///
  /// - Complexity: that of `LinkGraph.linkers`.
  func links(to gone: [Entry]) throws(SlipboxError) -> [LostLink] {
    let entries = try snapshot.catalogue().entries
    let graph = LinkGraph(entries, executor: Processors.all)
    let paths = Set(gone.map(\.note.path))
    var links: [LostLink] = []
    for (entry, linkers) in zip(gone, graph.linkers(of: gone.map { .note($0.note) })) {
      var parts: NoteParts?
      for linker in linkers {
        let path = entries.path(at: linker.place)
        guard !paths.contains(path) else { continue }
        for link in linker.links {
          if let part = LinkedPart(link, reading: graph.resolver().match(of: link, from: path).reading) {
            if parts == nil { parts = NoteParts(try entry.note.text) }
            guard let parts, part.isThere(in: parts) else { continue }
          }
          links.append(LostLink(path: path, line: link.line, target: link.target))
        }
      }
    }
    for (path, canvas) in try Canvases(in: snapshot).all(linked: []) {
      for place in canvas.places where paths.contains(place.path) {
        links.append(
          LostLink(path: path, line: canvas.line(of: place), target: ByteText.text(of: place.path)))
      }
    }
    return links.sorted(by: LostLink.isBefore)
  }

  /// Returns the links to headings, blocks and anchors that a note no longer has, from the remaining text.
  ///
  /// - Parameters:
  ///   - new: the text that the note gets.
  ///   - removed: the bytes of the note that are removed; the links in them are not listed.
  /// - Complexity: a scan of both texts if no heading and no block is removed, otherwise as `LinkGraph.linkers`.
  func links(
    to entry: Entry, becoming new: NoteText, without removed: Range<Int>
  ) throws(SlipboxError) -> [LostLink] {
    let note = entry.note
    let (old, kept) = (NoteParts(try note.text), NoteParts(new))
    guard !Set(old.names).isSubset(of: kept.names) else { return [] }
    let entries = try snapshot.catalogue().entries
    let graph = LinkGraph(entries, executor: Processors.all)
    let places = graph.linkers(of: [.note(note)])[0].map(\.place)
    let sources: [LinkedNote] = [.note(note)] + places.map { .place($0) }
    var links: [LostLink] = []
    for (source, found) in zip(sources, graph.links(of: sources)) {
      let path = if case .place(let place) = source { entries.path(at: place) } else { note.path }
      for link in found {
        let isOfNote =
          switch link.meaning {
          case .note(let place): entries.path(at: place) == note.path
          case .itself: path == note.path
          case .ambiguous, .dangling, .url: false
          }
        guard isOfNote, path != note.path || !removed.contains(link.link.range.lowerBound),
          let part = LinkedPart(link), part.range(in: old) != nil, part.range(in: kept) == nil
        else { continue }
        links.append(LostLink(path: path, line: link.link.line, target: link.link.target))
      }
    }
    return links.sorted(by: LostLink.isBefore)
  }
}

extension NoteParts {
  /// The names of the headings, blocks and anchors, in their order.
  fileprivate var names: [String] { headings.texts + blocks.map { "^\($0.name)" } + anchors.map(\.name) }
}
