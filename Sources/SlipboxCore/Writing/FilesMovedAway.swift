import Bytes
import Git
import NoteIndex
import Notes
import Platform

/// Files other than notes that another program moved or deleted, and whose removal belongs to the changes of the notes.
///
/// A removal is committed if the file's content is that of a linked file, if the links to it are gone from the notes
/// that had them, or if the file is a canvas. All other removals are left to git.
struct FilesMovedAway {
  /// The former paths, in order.
  private(set) var paths: [[UInt8]] = []

  /// - Parameters:
  ///   - linked: the files that notes link to, and canvases.
  ///   - new: those that the last commit does not have.
  ///   - changed: those that differ from the last commit.
  /// - Complexity: O(n) in the files of the commit; links are read only if a file is gone.
  init(
    _ snapshot: BoxSnapshot, linked: [[UInt8]], new: [[UInt8]], changed: [[UInt8]]
  ) throws(SlipboxError) {
    guard snapshot.source == .workTree else { return }
    let (box, committed) = (snapshot.box, try snapshot.committedFiles())
    let others = try snapshot.otherFiles()
    let changes = OutsideChanges(in: snapshot)
    var gone: [[UInt8]: TreeEntry] = [:]
    var kept: Set<ObjectID> = []
    let linked = Set(linked)
    for file in try committed.files() where file.isRegular && !FileName.isNote(file.path) {
      let path = Array(file.path.dropFirst(box.prefix.count))
      if others.contains(path) {
        if linked.contains(path) { kept.insert(file.id) }
        continue
      }
      let isHidden = path.split(separator: UInt8(ascii: "/")).contains { $0.first == UInt8(ascii: ".") }
      if isHidden || committed.hidingFlag(path) != nil { continue }
      if try changes.isGone(path) { gone[path] = file }
    }
    guard !gone.isEmpty else { return }
    var found = Set(gone.filter { kept.contains($0.value.id) || CanvasFile.isOne($0.key) }.keys)
    for path in new {
      let file = try box.workTreeFile(at: path)
      for (old, entry) in gone where !found.contains(old) {
        let moved = TreeEntry(path: box.repositoryPath(path), id: entry.id, mode: entry.mode)
        if try box.holds(moved, file, nil) { found.insert(old) }
      }
    }
    let rest = Set(gone.keys).subtracting(found)
    if !rest.isEmpty { found.formUnion(try Self.unlinked(rest, snapshot, others, changed)) }
    paths = found.sorted { $0.lexicographicallyPrecedes($1) }
  }

  /// Those of some files that are gone to which changed notes or canvases linked, and no note or canvas links any more.
  private static func unlinked(
    _ gone: Set<[UInt8]>, _ snapshot: BoxSnapshot, _ others: OtherFiles, _ changed: [[UInt8]]
  ) throws(SlipboxError) -> Set<[UInt8]> {
    let (box, committed) = (snapshot.box, try snapshot.committedFiles())
    let paths = (others.paths + gone).sorted { $0.lexicographicallyPrecedes($1) }
    let before = OtherFiles(paths, links: [], leftovers: [], sameNames: others.sameNames)
    var linked: Set<[UInt8]> = []
    let notes = try OutsideChanges(in: snapshot).notes().filter {
      $0.difference == .changed || $0.difference == .deleted
    }
    for path in notes.map(\.path) + changed.filter({ CanvasFile.isOne($0) }) {
      guard let file = try committed.file(path), file.isRegular else { continue }
      let bytes = try box.content(of: file.id, at: path)
      if CanvasFile.isOne(path) {
        linked.formUnion(CanvasFile(bytes).places.map(\.path))
      } else {
        linked.formUnion(
          LinkRewriting.links(of: NoteText(bytes)).compactMap {
            before.file(of: $0, from: path)
          })
      }
    }
    linked.formIntersection(gone)
    guard !linked.isEmpty else { return [] }
    let entries = try snapshot.catalogue().entries
    for place in entries.indices where entries.mayLink(at: place) {
      let path = entries.path(at: place)
      for link in entries.links(at: place) {
        if let file = before.file(of: link, from: path) { linked.remove(file) }
      }
    }
    for (_, canvas) in try Canvases(in: snapshot).all(linked: []) {
      linked.subtract(canvas.places.map(\.path))
    }
    return linked
  }
}
