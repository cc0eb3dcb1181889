import Bytes
import Git
import Platform

/// A file beside the caches of a box for the state of one export, which may be removed at any time.
package struct ExportCache: Sendable {
  private static let folder = Array("exports".utf8)
  /// So many exports are remembered, those that were made last.
  private static let most = 8

  private let box: Box
  private let path: [UInt8]

  /// - Parameter target: what the export writes: the absolute path of a folder, or the full name of a branch.
  package init(of target: [UInt8], in box: Box) {
    self.box = box
    let name = Array(ObjectID(ofBlob: target).hex.utf8)
    path = BytePath.join(BytePath.join(box.privateFolder, Self.folder), name)
  }

  /// The state; nil if none is kept.
  package func read() -> [UInt8]? { (try? Files.readIfPresent(path))??.bytes }

  /// Keeps a state, whose bytes come in parts. If that fails, the next export makes all files.
  package func write(_ parts: some Sequence<[UInt8]>) {
    let folder = BytePath.folder(of: path)
    try? box.makePrivateFolder()
    try? Files.makeDirectory(folder)
    try? Files.replaceCache(path, with: parts)
    removeOldest(in: folder)
  }

  /// Forgets the state.
  package func remove() { try? Files.remove(path) }

  private func removeOldest(in folder: [UInt8]) {
    let paths = ((try? Files.list(folder)) ?? []).map { BytePath.join(folder, $0) }
    guard paths.count > Self.most else { return }
    let dated = paths.compactMap { path in
      ((try? Files.status(path)) ?? nil).map { (path: path, time: $0.modified.sinceEpoch) }
    }
    for old in dated.sorted(by: { $0.time > $1.time }).dropFirst(Self.most) { try? Files.remove(old.path) }
  }
}
