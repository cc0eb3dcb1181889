import Bytes
import Git
import NoteIndex
package import Notes
import Platform
import Text

/// The files that notes link to or embed: they belong to the box and are committed with the notes.
package struct LinkedFiles: Sendable {
  /// Above this many bytes in all, the user is asked before linked files are committed.
  package static let limit: Int64 = 100 << 20

  private let snapshot: BoxSnapshot

  package init(in snapshot: BoxSnapshot) { self.snapshot = snapshot }

  /// The files other than notes that the notes of the box link to, its canvases and the files that these show, in order.
  ///
  /// - Complexity: O(n) in all links; none are read where the box has no other file.
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

  /// The notes and canvases that link to files, by the paths of these.
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

  /// The file other than a note that a link leads to, in the note with a path; nil where it leads to none, or to a note.
  package func file(of link: BodyScan.Link, from note: [UInt8]) -> [UInt8]? {
    // Where the folders can't be read, no link leads to a file in them.
    guard let others = try? snapshot.otherFiles(), !others.isEmpty else { return nil }
    return others.file(of: link, from: note)
  }

  /// Whether a plain file of the box, not a folder and not a note, has a path.
  package func isFile(_ path: [UInt8]) -> Bool {
    (try? snapshot.otherFiles())?.contains(path) ?? false
  }

  /// Those of some files that git does not track and ignores: they never leave the work tree.
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
  /// What links find of folders and of the files that are no notes, where some of these get other paths.
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

  /// Whether a folder of the box has a path.
  func isFolder(_ path: [UInt8]) -> Bool {
    (try? Files.status(snapshot.box.absolutePath(path), followLinks: false))??.kind == .directory
  }

  /// The folder that a link leads to by its path; a wiki link only where it ends with a slash.
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

  /// The folder whose folders are sections of a site: Hugo makes a page for each, also without an `_index.md`.
  static let contentFolder = Array("content/".utf8)
}
