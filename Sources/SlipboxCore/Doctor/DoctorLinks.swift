import Bytes
import Git
import NoteIndex
import Notes
import Platform
import Text

/// Finds the present paths of files that broken links led to before another program moved the files.
///
/// Git's history has the former paths and contents. A moved note has the same id, or no id and the same bytes; another
/// file has the same bytes. If several files match, none is used.
struct MovedFiles {
  /// A file that moved.
  struct Move {
    let old: [UInt8]
    let new: [UInt8]
  }

  private let snapshot: BoxSnapshot
  private let web: NoteWeb
  /// The index of history and the last commit.
  private let index: HistoryIndex
  /// The last contents of deleted paths with a name that a link has.
  private var former: [[UInt8]: ObjectID] = [:]
  private let present: PresentFiles
  /// The notes of the last commit that are gone, to find the former paths of notes.
  private let movedByHand: MovedByHand
  /// Former folders by the paths of notes.
  private var folders: [[UInt8]: [[UInt8]]] = [:]

  /// Returns nil before the first commit.
  /// - Complexity: linear in the index of history.
  init?(of links: [BodyScan.Link], _ web: NoteWeb) throws(SlipboxError) {
    var names: Set<[UInt8]> = []
    for link in links {
      guard case .name(let name) = LinkAddress(link) else { continue }
      for reading in name.readings { names.insert(BytePath.name(of: reading)) }
    }
    try self.init(ofNames: names, web)
  }

  /// - Parameter paths: the paths that canvases show.
  init?(ofPaths paths: [[UInt8]], _ web: NoteWeb) throws(SlipboxError) {
    try self.init(ofNames: Set(paths.map { BytePath.name(of: $0) }), web)
  }

  private init?(ofNames names: Set<[UInt8]>, _ web: NoteWeb) throws(SlipboxError) {
    let box = web.snapshot.box
    guard let tip = try box.tip() else { return nil }
    snapshot = web.snapshot
    self.web = web
    index = try box.historyIndex(at: tip, snapshot.reporter)
    let gone = try OutsideChanges(in: snapshot).notes().filter { $0.difference == .deleted }.map(\.path)
    movedByHand = try MovedByHand(box, at: tip, gonePaths: gone, without: [])
    present = try PresentFiles(snapshot)
    let (prefix, index) = (box.prefix.count, index)
    let versions = try box.git { _ throws(GitError) in
      try index.versions { path in
        names.contains(BytePath.name(of: path)) || names.contains(Array(FileName.stem(of: path)))
      }
    }
    for version in versions where version.path.starts(with: box.prefix) {
      let path = Array(version.path.dropFirst(prefix))
      if !box.isThere(path) { former[path] = version.blob }
    }
  }

  /// Returns the move that broke a link in the note with a path; nil if none is certain.
  mutating func move(of link: BodyScan.Link, from source: [UInt8]) throws(SlipboxError) -> Move? {
    guard case .name(let name) = LinkAddress(link) else { return nil }
    let isWiki = link.form == .wiki || link.form == .embed
    let here = BytePath.folder(of: source)
    let formerFolders = isWiki || name.base == .box ? [] : try self.formerFolders(of: source)
    for reading in name.readings {
      let written =
        FileName.isNote(reading) || link.form == .path ? [reading] : [reading, reading + Self.ending]
      for path in written {
        // The note with the link moved away from its file.
        for folder in formerFolders {
          guard let old = BytePath.normalised(BytePath.join(folder, path)) else { continue }
          if try isThere(old) { return Move(old: old, new: old) }
          if let new = try place(of: old) { return Move(old: old, new: new) }
        }
        for case let old? in [BytePath.normalised(BytePath.join(here, path)), BytePath.normalised(path)] {
          if let new = try place(of: old) { return Move(old: old, new: new) }
        }
      }
      if isWiki, !reading.contains(UInt8(ascii: "/")) {
        var moves: [Move] = []
        for old in former.keys.sorted(by: ByteOrder.precedes) where written.contains(BytePath.name(of: old)) {
          if let new = try place(of: old) { moves.append(Move(old: old, new: new)) }
        }
        if let first = moves.first, moves.allSatisfy({ $0.new == first.new }) { return first }
      }
    }
    return nil
  }

  private static let ending = Array(".md".utf8)

  private func isThere(_ path: [UInt8]) throws(SlipboxError) -> Bool {
    try snapshot.catalogue().place(path: path) != nil || LinkedFiles(in: snapshot).isFile(path)
  }

  /// Returns the present path of the last file that a path had.
  func place(of old: [UInt8]) throws(SlipboxError) -> [UInt8]? {
    guard let blob = former[old] else { return nil }
    let bytes = try snapshot.box.content(of: blob, at: old)
    if FileName.isNote(old), let id = Note(path: old, text: NoteText(bytes)).id {
      let entries = try snapshot.catalogue().entries
      let places = entries.indices.filter { entries.key(at: $0).id == id }
      return places.count == 1 ? entries.path(at: places[0]) : nil
    }
    // Many files are empty.
    guard !bytes.isEmpty else { return nil }
    let isNote = FileName.isNote(old)
    let places = try present.paths(of: blob, bytes).filter { FileName.isNote($0) == isNote }
    return places.count == 1 ? places[0] : nil
  }

  /// Returns the former folders of a note, without its present one.
  private mutating func formerFolders(of path: [UInt8]) throws(SlipboxError) -> [[UInt8]] {
    if let known = folders[path] { return known }
    let box = snapshot.box
    var paths: [[UInt8]] = []
    let bytes = try box.bytes(at: path) ?? []
    let blob = try box.contentID(of: bytes, at: path)
    var name = box.repositoryPath(path)
    if let origin = movedByHand.origin(of: path, bytes, blob: blob) {
      name = origin.path
      paths.append(Array(origin.path.dropFirst(box.prefix.count)))
    }
    let id = Note(path: path, text: NoteText(bytes)).id
    let index = index
    let trail = try box.git { repository throws(GitError) in
      try NoteTrail(of: name, id: id, in: repository, index, below: box.prefix)
    }
    paths += trail.eras.map { Array($0.path.dropFirst(box.prefix.count)) }
    let here = BytePath.folder(of: path)
    var found: [[UInt8]] = []
    for folder in paths.map({ BytePath.folder(of: $0) }) where folder != here && !found.contains(folder) {
      found.append(folder)
    }
    folders[path] = found
    return found
  }
}

extension MovedFiles {
  /// Returns the name with which a link leads to a file, in the form in which the link is written; nil if no form leads
  /// there.
  func name(of file: [UInt8], for link: BodyScan.Link, in source: [UInt8]) throws(SlipboxError) -> Repair? {
    for reading in [1, 0] {
      let spelling = LinkSpelling(link, reading: reading)
      for name in Self.names(of: file, spelling, from: source) {
        let changed = link.with(target: spelling.target(name, isBracketed: false))
        if try leads(changed, to: file, from: source) {
          return .relink(form: link.form, target: link.target, name: name, reading: reading)
        }
      }
    }
    return nil
  }

  private static func names(of file: [UInt8], _ spelling: LinkSpelling, from source: [UInt8]) -> [[UInt8]] {
    let bare = Array(file.dropLast(FileName.ending(of: file).count))
    let forms = FileName.isNote(spelling.name) || !FileName.isNote(file) ? [file, bare] : [bare, file]
    let slash = UInt8(ascii: "/")
    if spelling.isWiki {
      let isName = !spelling.name.contains(slash)
      return (isName ? forms.map { BytePath.name(of: $0) } : []) + forms
    }
    return forms.flatMap { form in
      let relative = LinkPath.relative(form, from: LinkPath.folder(of: source))
      let rooted = [slash] + form
      return spelling.name.first == slash ? [rooted] : [relative, Array("./".utf8) + relative, form, rooted]
    }
  }

  private func leads(_ link: BodyScan.Link, to file: [UInt8], from source: [UInt8]) throws(SlipboxError)
    -> Bool
  {
    guard FileName.isNote(file), !snapshot.box.excluded.covers(file) else {
      return LinkedFiles(in: snapshot).file(of: link, from: source) == file
    }
    let text =
      switch link.form {
      case .wiki, .embed: "[[\(link.target)]]"
      default: "[x](\(link.target))"
      }
    let probe = Note(path: source, text: NoteText(Array(text.utf8)))
    guard case .note(let place)? = try web.links(of: probe).first?.target else { return false }
    return web.entries.path(at: place) == file
  }
}

/// The files of the box by their contents.
private struct PresentFiles {
  private let snapshot: BoxSnapshot
  private let paths: [ContentID: Set<[UInt8]>]
  /// Files that git does not track.
  private let untracked: [[UInt8]]

  init(_ snapshot: BoxSnapshot) throws(SlipboxError) {
    self.snapshot = snapshot
    let box = snapshot.box
    let committed = try snapshot.committedFiles()
    var found: [ContentID: Set<[UInt8]>] = [:]
    for file in try committed.files() where file.isRegular {
      found[ContentID(file.id.bytes), default: []].insert(Array(file.path.dropFirst(box.prefix.count)))
    }
    if let notes = try snapshot.contents().workTree {
      try notes.visitFiles { (file) throws(SlipboxError) in
        found[file.content, default: []].insert(file.path)
      }
    }
    paths = found
    var unknown: [[UInt8]] = []
    for path in try snapshot.otherFiles().paths {
      if try committed.file(path) == nil { unknown.append(path) }
    }
    untracked = unknown
  }

  /// Returns the paths of the files with the given bytes.
  func paths(of blob: ObjectID, _ bytes: [UInt8]) throws(SlipboxError) -> [[UInt8]] {
    let box = snapshot.box
    var found = (paths[ContentID(blob.bytes)] ?? []).filter(box.isThere)
    for path in untracked {
      guard let status = (try? Files.status(box.absolutePath(path), followLinks: false)) ?? nil,
        status.kind == .file, status.size == Int64(bytes.count)
      else { continue }
      if try box.bytes(at: path) == bytes { found.insert(path) }
    }
    return found.sorted(by: ByteOrder.precedes)
  }
}

/// Finds broken and ambiguous links.
package struct LinksCheck {
  private let snapshot: BoxSnapshot
  private var box: Box { snapshot.box }

  package init(in snapshot: BoxSnapshot) { self.snapshot = snapshot }

  /// Returns the number of links that are broken because another program moved a note or a file, and that can be
  /// repaired.
  ///
  /// - Complexity: O(n) in all links.
  package func countOfLinksBrokenByMoves() throws(SlipboxError) -> Int {
    try findings(try snapshot.catalogue().entries).count { $0.repair != nil }
  }

  /// Returns the links to names and paths that no note and no file of the box has, and those to names that several notes
  /// have.
  ///
  /// References of records are checked as references, not as links.
  /// - Complexity: O(n) in all links; only the texts of notes with such a link are read.
  func findings(_ entries: Entries) throws(SlipboxError) -> [Finding] {
    let web = try NoteWeb(snapshot)
    let broken = try web.unresolvedLinks()
    let written = broken.map { place, links in
      let own = entries[place].note.links
      return links.map { link in own.first { $0.range == link.range && $0.form == link.form } }
    }
    let lost = zip(broken, written).flatMap { note, own in
      zip(note.links, own).compactMap { $0.isLost ? $1 : nil }
    }
    var moved = lost.isEmpty || snapshot.source != .workTree ? nil : try MovedFiles(of: lost, web)
    var findings: [Finding] = []
    for ((place, links), own) in zip(broken, written) {
      let note = entries[place].note
      let positions = try note.text.positions(of: links.map(\.range.lowerBound))
      for ((link, position), own) in zip(zip(links, positions), own) {
        if link.isLost, let own, let move = try moved?.move(of: own, from: note.path),
          let repair = try moved?.name(of: move.new, for: own, in: note.path)
        {
          let place = Phrase(move.new)
          let what = move.old == move.new ? "this note moved, and the file is" : "the file moved to"
          findings.append(
            Finding(
              .links, note.path, line: position.line, column: position.column,
              "\(Self.shown(link)) is a broken link: \(what) \(place)", way: .automatic,
              remedy: Self.relinking(to: move.new), repair: repair))
        } else if case .ambiguous(let places) = link.target {
          findings.append(
            Finding(
              .links, note.path, line: position.line, column: position.column,
              "\(Self.shown(link)) is ambiguous: it may be any of \(web.candidates(places))",
              remedy: "\(slip: "edit", .note(note))"))
        } else {
          findings.append(Self.finding(link, at: position, in: note))
        }
      }
    }
    return try findings + canvasFindings(web)
  }

  /// Returns the description of the repair of a link whose file moved.
  static func relinking(to path: [UInt8]) -> Phrase { "changes it to \(path)" }

  /// Returns findings for the missing files that canvases show.
  private func canvasFindings(_ web: NoteWeb) throws(SlipboxError) -> [Finding] {
    let canvases = try Canvases(in: snapshot).all(linked: [])
    guard !canvases.isEmpty else { return [] }
    let committed = try snapshot.committedFiles()
    var findings: [Finding] = []
    let lost = canvases.flatMap(\.canvas.places).map(\.path).filter { path in
      BytePath.normalised(path).map { !box.isThere($0) } ?? false
    }
    let moved = lost.isEmpty ? nil : try MovedFiles(ofPaths: lost, web)
    for (path, canvas) in canvases {
      for place in canvas.places {
        if let file = BytePath.normalised(place.path) {
          if box.isThere(file) { continue }
          // A sparse checkout may leave the file out.
          if committed.hidingFlag(file) != nil { continue }
          if let new = try moved?.place(of: file) {
            findings.append(
              Finding(
                .links, path, line: canvas.line(of: place),
                "shows \(place.path), which is gone: the file moved to \(new)",
                way: .automatic, remedy: Self.relinking(to: new),
                repair: .showInCanvas(old: place.path, new: new)))
            continue
          }
        }
        findings.append(
          Finding(
            .links, path, line: canvas.line(of: place),
            "shows \(place.path), which is gone",
            remedy: "choose another file in the canvas, or remove the card"))
      }
      findings += try textFindings(path, canvas, web)
    }
    return findings
  }

  /// Returns findings for the links in the texts of a canvas that lead to files which moved.
  private func textFindings(
    _ path: [UInt8], _ canvas: CanvasFile, _ web: NoteWeb
  ) throws(SlipboxError) -> [Finding] {
    var lost: [(number: Int, link: BodyScan.Link)] = []
    for (number, text) in canvas.texts.enumerated() {
      let links = try web.links(of: Note(path: path, text: NoteText(text)))
      for link in links { if case .broken? = link.target { lost.append((number, link.link)) } }
    }
    guard !lost.isEmpty, var moved = try MovedFiles(of: lost.map(\.link), web) else { return [] }
    var findings: [Finding] = []
    for (number, link) in lost {
      guard let new = try moved.move(of: link, from: path)?.new,
        let repair = try moved.name(of: new, for: link, in: path)
      else { continue }
      findings.append(
        Finding(
          .links, path, line: canvas.line(ofText: number),
          "the link to \(link.target) is a broken link: the file moved to \(new)",
          way: .automatic,
          remedy: Self.relinking(to: new), repair: repair))
    }
    return findings
  }

  private static func shown(_ link: Connection) -> String {
    let target = Phrase(link.text)
    return switch link.form {
    case .wiki: "[[\(target)]]"
    case .embed: "![[\(target)]]"
    default: "the link to \(target)"
    }
  }

  private static func finding(
    _ link: Connection, at position: (line: Int, column: Int), in note: Note
  ) -> Finding {
    let shown = shown(link)
    return Finding(
      .links, note.path, line: position.line, column: position.column,
      link.missing.map {
        "\(shown): there is no \($0.isBlock ? "block" : "heading") \($0.name)"
      }
        ?? "\(shown) is a broken link",
      remedy: "\(slip: "edit", .note(note))")
  }
}

extension Connection {
  /// Whether the target of the link is missing.
  fileprivate var isLost: Bool { if case .broken = target { missing == nil } else { false } }
}
