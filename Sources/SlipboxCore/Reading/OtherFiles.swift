import Bytes
import Git
import NoteIndex
package import Notes
import Platform
import Text

/// The files of a box that are not notes, and the symbolic links to files.
struct OtherFiles: Sendable {
  /// The paths of the files, in order.
  let paths: [[UInt8]]
  /// The paths of symbolic links to files, in order.
  let links: [[UInt8]]
  /// Temporary files that an interrupted change has left, in order.
  let leftovers: [Leftover]
  /// Folders of nested repositories; no file in them belongs to the box.
  let repositories: [[UInt8]]
  /// The last of the files with the same name, by that name.
  private let named: [[UInt8]: [UInt8]]
  private let known: Set<[UInt8]>
  /// Whether any of them has the name of a note, which a setting excludes.
  let holdsNotes: Bool
  /// The rule for the target of a link that matches the names of several files.
  let sameNames: SameNameRule
  /// The paths of the files by their folded paths, and by their folded names.
  private let folded = Computed<FoldedPaths, SlipboxError>()

  /// A temporary file of a change that was interrupted.
  struct Leftover: Sendable {
    let path: [UInt8]
    /// Whether git has its content.
    let isKept: Bool
  }

  init(
    _ paths: [[UInt8]], links: [[UInt8]], leftovers: [Leftover], repositories: [[UInt8]] = [],
    sameNames: SameNameRule = .ambiguous
  ) {
    self.sameNames = sameNames
    self.paths = paths
    self.links = links
    self.leftovers = leftovers
    self.repositories = repositories
    known = Set(paths)
    holdsNotes = paths.contains { FileName.isNote($0) }
    named = Dictionary(paths.map { (BytePath.name(of: $0), $0) }, uniquingKeysWith: { $1 })
  }

  var isEmpty: Bool { paths.isEmpty }

  /// Returns whether there is a file at a path.
  func contains(_ path: [UInt8]) -> Bool { known.contains(path) }

  /// Returns the path of a file whose last parts are those of a path: its name, and the folders if the path has any.
  ///
  /// - Parameter folder: the folder of the note with the link, which counts in an Obsidian vault.
  func path(endingIn path: [UInt8], from folder: [UInt8]) -> [UInt8]? {
    let name = BytePath.name(of: path)
    if sameNames == .obsidian {
      guard let path = BytePath.normalised(path) else { return nil }
      let paths = foldedFiles.names[Folding.fold(name[...])] ?? []
      return SameNames(paths.map { ($0, $0) }, named: path).file(from: folder[...])
    }
    guard name.count < path.count else { return named[path] }
    return foldedFiles.names[Folding.fold(name[...])]?.last { BytePath.ends($0, with: path) }
  }

  /// Returns the path of the one file whose path differs from a path in case and diacritics alone.
  func path(like path: [UInt8]) -> [UInt8]? { Self.only(foldedFiles.paths[Folding.fold(path[...])]) }

  /// Returns the path of the one file whose last parts differ from those of a path in case and diacritics alone.
  func path(endingLike path: [UInt8]) -> [UInt8]? {
    let name = BytePath.name(of: path)
    let paths = foldedFiles.names[Folding.fold(name[...])]
    guard name.count < path.count else { return Self.only(paths) }
    let end = Folding.fold(path[...])
    return Self.only(paths?.filter { BytePath.ends(Folding.fold($0[...]), with: end) })
  }

  private static func only(_ paths: [[UInt8]]?) -> [UInt8]? { paths?.count == 1 ? paths?[0] : nil }

  private var foldedFiles: FoldedPaths {
    let made = { FoldedPaths(paths) }
    return (try? folded.value(made)) ?? made()
  }

  /// Paths by their forms without case and diacritics, whole and by their last parts.
  private struct FoldedPaths {
    let paths: [[UInt8]: [[UInt8]]]
    let names: [[UInt8]: [[UInt8]]]

    init(_ paths: [[UInt8]]) {
      self.paths = Dictionary(grouping: paths) { Folding.fold($0[...]) }
      names = Dictionary(grouping: paths) { Folding.fold(BytePath.name(of: $0)[...]) }
    }
  }
}

// MARK: Reading

extension OtherFiles {
  /// Reads the other files of a snapshot.
  /// - Complexity: one status read of each folder and each such file.
  init(of snapshot: BoxSnapshot) throws(SlipboxError) {
    let (box, sameNames) = (snapshot.box, snapshot.settings.sameNames)
    guard case .commit = snapshot.source else {
      let excluded = box.excluded
      let includesNotes = !excluded.isEmpty
      let walk = DirectoryWalk.files(
        under: box.root, include: { includesNotes || !FileName.isNote($0) })
      let paths = walk.files.map(\.path).filter { !FileName.isNote($0) || excluded.covers($0) }
      self.init(
        paths, links: walk.links.map(\.path), leftovers: Self.leftovers(walk.temporaries, in: box),
        repositories: walk.nestedRepositories, sameNames: sameNames)
      return
    }
    var (paths, links): ([[UInt8]], [[UInt8]]) = ([], [])
    for file in try snapshot.committedFiles().files() where !box.isNoteFile(file.path) {
      let path = Array(file.path.dropFirst(box.prefix.count))
      guard !path.split(separator: UInt8(ascii: "/")).contains(where: { $0.first == UInt8(ascii: ".") })
      else {
        continue
      }
      if file.mode == TreeEntry.symbolicLink { links.append(path) } else { paths.append(path) }
    }
    self.init(paths, links: links, leftovers: [], sameNames: sameNames)
  }

  /// Returns the temporary files that belong to no running command, in their present state.
  private static func leftovers(_ temporaries: [[UInt8]], in box: Box) -> [Leftover] {
    guard !temporaries.isEmpty else { return [] }
    let found = box.whileNobodyWrites { temporaries.compactMap { leftover($0, in: box) } }
    return found ?? []
  }

  private static func leftover(_ path: [UInt8], in box: Box) -> Leftover? {
    do throws(SlipboxError) {
      let bytes: [UInt8]
      switch try box.workTreeFile(at: path).state {
      case .file(let content, _): bytes = content
      case .link(let target): bytes = target
      case .absent, .leftOut: return nil
      }
      return Leftover(path: path, isKept: box.holdsBlob(of: bytes))
    } catch {
      return Leftover(path: path, isKept: false)
    }
  }
}

// MARK: Links

extension OtherFiles {
  /// Returns the file that a link leads to, in the note with a path; nil if it leads to none of them.
  func file(of link: BodyScan.Link, from note: [UInt8]) -> [UInt8]? {
    guard case .name(let name) = LinkAddress(link) else { return nil }
    let readings = readings(of: name, link)
    let folder = BytePath.folder(of: note)
    // Obsidian finds the file of a wiki link by its name alone.
    let isByName = sameNames == .obsidian && name.base == .box
    let isFromRoot = name.base == .box && link.form != .wiki && link.form != .embed
    for target in readings {
      let here = BytePath.join(folder, target)
      let places = isFromRoot ? Self.servedFolders.map { $0 + target } + [here, target] : [here, target]
      let paths = isByName ? [] : places.map { BytePath.normalised($0) }
      for case let path? in paths + [self.path(endingIn: target, from: folder)] where isAttachment(path) {
        return path
      }
    }
    // Other systems don't distinguish files by case or Unicode normalization.
    for target in readings {
      let here = BytePath.join(BytePath.folder(of: note), target)
      let paths = [BytePath.normalised(here), BytePath.normalised(target)].map {
        $0.flatMap(path(like:))
      }
      for case let path? in paths + [self.path(endingLike: target)] where isAttachment(path) {
        return path
      }
    }
    return nil
  }

  /// The folders whose files site generators serve from the root of the site.
  ///
  /// Source: Hugo, "Directory structure": the files of `static` are copied to the root of the site; `assets` has files
  /// that templates address from there.
  private static let servedFolders = [Array("static/".utf8), Array("assets/".utf8)]

  /// Returns the names that a link may mean; a wiki link may omit the extension of an excluded note.
  private func readings(of name: LinkName, _ link: BodyScan.Link) -> [[UInt8]] {
    guard holdsNotes, link.form == .wiki || link.form == .embed else { return name.readings }
    return name.readings + name.readings.map { $0 + Array(".md".utf8) }
  }

  /// Returns whether a path is that of a plain file of the box that is not a note, not hidden, and has a valid name.
  private func isAttachment(_ path: [UInt8]) -> Bool {
    contains(path) && FileName.problem(in: path) == nil
  }
}

/// The files that notes link to or embed: they belong to the box and are committed with the notes.
package struct LinkedFiles: Sendable {
  /// The total size in bytes above which linked files are committed only after a confirmation.
  package static let limit: Int64 = 100 << 20

  private let snapshot: BoxSnapshot

  package init(in snapshot: BoxSnapshot) { self.snapshot = snapshot }

  /// Returns the files other than notes that the notes of the box link to, its canvases and the files that these show, in
  /// order.
  ///
  /// - Complexity: O(n) in all links; none are read if the box has no other file.
  package func all() throws(SlipboxError) -> [[UInt8]] {
    let (others, entries) = (try snapshot.otherFiles(), try snapshot.catalogue().entries)
    guard !others.isEmpty else { return [] }
    let chunks = stride(from: 0, to: entries.count, by: 256).map { $0..<min($0 + 256, entries.count) }
    let found = concurrentMap(chunks) { chunk in
      var files: Set<[UInt8]> = []
      for place in chunk where entries.mayLink(at: place) {
        let path = entries.path(at: place)
        for link in entries.links(at: place) {
          if let file = others.file(of: link, from: path) { files.insert(file) }
        }
      }
      return files
    }
    var files = found.reduce(into: Set<[UInt8]>()) { $0.formUnion($1) }
    for (path, canvas) in try Canvases(in: snapshot).all(linked: files) {
      files.insert(path)
      for place in canvas.places where others.contains(place.path) { files.insert(place.path) }
    }
    return files.sorted { $0.lexicographicallyPrecedes($1) }
  }

  /// Returns the notes and canvases that link to files, by the paths of these.
  ///
  /// - Complexity: O(n) in all links.
  func sources(ofLinksTo files: Set<[UInt8]>) throws(SlipboxError) -> [[UInt8]: [[UInt8]]] {
    let (others, entries) = (try snapshot.otherFiles(), try snapshot.catalogue().entries)
    var sources: [[UInt8]: [[UInt8]]] = [:]
    for place in entries.indices where entries.mayLink(at: place) {
      let path = entries.path(at: place)
      for link in entries.links(at: place) {
        guard let file = others.file(of: link, from: path), files.contains(file) else { continue }
        sources[file, default: []].append(path)
      }
    }
    for (path, canvas) in try Canvases(in: snapshot).all(linked: Set(all())) {
      for place in canvas.places where files.contains(place.path) {
        sources[place.path, default: []].append(path)
      }
    }
    return sources
  }

  /// Returns the file other than a note that a link leads to, in the note with a path; nil if it leads to none, or to a
  /// note.
  package func file(of link: BodyScan.Link, from note: [UInt8]) -> [UInt8]? {
    // If the folders can't be read, no link leads to a file in them.
    guard let others = try? snapshot.otherFiles(), !others.isEmpty else { return nil }
    return others.file(of: link, from: note)
  }

  /// Returns whether a plain file of the box, not a folder and not a note, has a path.
  package func isFile(_ path: [UInt8]) -> Bool {
    (try? snapshot.otherFiles())?.contains(path) ?? false
  }

  /// Returns the files among some that git does not track and ignores: they never leave the work tree.
  package func ignored(among paths: [[UInt8]]) throws(SlipboxError) -> Set<[UInt8]> {
    guard snapshot.source == .workTree, !paths.isEmpty else { return [] }
    let committed = try snapshot.committedFiles()
    var ignored: Set<[UInt8]> = []
    for path in paths {
      if try committed.isTracked(path) { continue }
      if try snapshot.box.isIgnored(path) { ignored.insert(path) }
    }
    return ignored
  }
}

// MARK: Folders

extension LinkedFiles {
  /// Returns a finder of the folders and non-note files that links lead to, if some of these files get other paths.
  func finder(moves: [[UInt8]: [UInt8]]) throws(SlipboxError) -> LinkedFileFinder {
    let before: LinkedFileFinder.Finder = { link, note in
      file(of: link, from: note) ?? Self.folder(of: link, from: note, isThere: isFolder)
    }
    if moves.isEmpty { return LinkedFileFinder(before) }
    let others = try snapshot.otherFiles()
    let moved = OtherFiles(
      others.paths.map { moves[$0] ?? $0 }, links: others.links, leftovers: [], sameNames: others.sameNames)
    let new = Set(moves.values)
    return LinkedFileFinder(moves: moves, before: before) { link, note in
      moved.file(of: link, from: note)
        ?? Self.folder(of: link, from: note) { new.contains($0) || moves[$0] == nil && isFolder($0) }
    }
  }

  /// Returns whether a folder of the box has a path.
  func isFolder(_ path: [UInt8]) -> Bool {
    (try? Files.status(snapshot.box.absolutePath(path), followLinks: false))??.kind == .directory
  }

  /// Returns the folder that a link leads to by its path; for a wiki link, only if it ends with a slash.
  static func folder(
    of link: BodyScan.Link, from note: [UInt8], isThere: ([UInt8]) -> Bool
  ) -> [UInt8]? {
    guard case .name(let name) = LinkAddress(link) else { return nil }
    for target in name.readings {
      let hasSlash = target.last == UInt8(ascii: "/")
      guard hasSlash || link.form != .wiki && link.form != .embed else { continue }
      let bare = hasSlash ? Array(target.dropLast()) : target
      let here = BytePath.join(BytePath.folder(of: note), bare)
      let places = [here, bare] + (link.isPageReference ? [contentFolder + bare] : [])
      for case let path? in places.map({ BytePath.normalised($0) })
      where !path.isEmpty && isThere(path) {
        return path
      }
    }
    return nil
  }

  /// The folder whose folders are sections of a site: Hugo creates a page for each, even without an `_index.md`.
  static let contentFolder = Array("content/".utf8)
}
