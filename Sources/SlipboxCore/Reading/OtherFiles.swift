import Bytes
import Git
import NoteIndex
import Notes
import Platform
import Text

/// The files of a box that are no notes, and the symbolic links to files.
struct OtherFiles: Sendable {
  /// The paths of the files, in order.
  let paths: [[UInt8]]
  /// The paths of symbolic links to files, in order.
  let links: [[UInt8]]
  /// Temporary files that an interrupted change has left, in order.
  let leftovers: [Leftover]
  /// Folders that are repositories of their own; no file in them belongs to the box.
  let repositories: [[UInt8]]
  /// Of the files with one name the last, by its name.
  private let named: [[UInt8]: [UInt8]]
  private let known: Set<[UInt8]>
  /// Whether any of them is a note by its name, which a setting excludes.
  let holdsNotes: Bool
  /// Which of them a link means if it fits the names of several.
  let sameNames: SameNameRule
  /// The paths of the files by their folded paths, and by their folded names.
  private let folded = Computed<FoldedPaths>()

  /// A temporary file of a change that was interrupted.
  struct Leftover: Sendable {
    let path: [UInt8]
    /// Whether git has what it holds.
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

  /// Whether there is a file at a path.
  func contains(_ path: [UInt8]) -> Bool { known.contains(path) }

  /// The path of a file whose last parts are those of a path: its name, and the folders if the path has any.
  ///
  /// - Parameter folder: that of the note with the link, which counts in an Obsidian vault.
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

  /// The path of the one file whose path differs from a path in case and diacritics alone.
  func path(like path: [UInt8]) -> [UInt8]? { Self.only(foldedFiles.paths[Folding.fold(path[...])]) }

  /// The path of the one file whose last parts differ from those of a path in case and diacritics alone.
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
  /// Reads those of a snapshot.
  /// - Complexity: one look at each folder and each such file.
  init(of snapshot: BoxSnapshot) throws(SlipboxError) {
    let (box, sameNames) = (snapshot.box, snapshot.settings.sameNames)
    guard case .commit = snapshot.source else {
      let excluded = box.excluded
      let includesNotes = !excluded.isEmpty
      let walk = DirectoryWalk.files(
        under: box.root, include: { includesNotes || !FileName.isNote(Array($0)) })
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

  /// The temporary files that belong to no command which is at work, as they are now.
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
  /// The file that a link leads to, in the note with a path; nil if it leads to none of them.
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
    // On other systems the case of letters and the form of accents do not tell files apart.
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

  /// The folders whose files generators of sites serve from the root of the site.
  ///
  /// Source: Hugo, "Directory structure": the files of `static` are copied to the root of the site; `assets` has files that
  /// templates address from there.
  private static let servedFolders = [Array("static/".utf8), Array("assets/".utf8)]

  /// The names that a link may mean; a wiki link may leave out the ending of an excluded note.
  private func readings(of name: LinkName, _ link: BodyScan.Link) -> [[UInt8]] {
    guard holdsNotes, link.form == .wiki || link.form == .embed else { return name.readings }
    return name.readings + name.readings.map { $0 + Array(".md".utf8) }
  }

  /// A plain file of the box that is no note, not hidden, and named as one may be.
  private func isAttachment(_ path: [UInt8]) -> Bool {
    contains(path) && FileName.problem(in: path) == nil
  }
}
