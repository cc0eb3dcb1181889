import Notes
import Platform

extension BoxSnapshot {
  /// The canvases of the box, by their paths: those that git tracks, that notes link to or that name notes.
  ///
  /// - Parameter linked: the files that notes link to.
  func canvases(linked: Set<[UInt8]>) throws(SlipboxError) -> [(path: [UInt8], canvas: CanvasFile)] {
    try allCanvases { (path, canvas) throws(SlipboxError) in
      if linked.contains(path) { return true }
      if try committedFiles().isTracked(path) { return true }
      return try isCanvasOfNotes(path, canvas)
    }
  }

  /// The canvases that git tracks, by their paths.
  func trackedCanvases() throws(SlipboxError) -> [(path: [UInt8], canvas: CanvasFile)] {
    try allCanvases { (path, _) throws(SlipboxError) in try committedFiles().isTracked(path) }
  }

  /// The canvases of the work tree that git does not track, by their paths.
  func untrackedCanvases() throws(SlipboxError) -> [(path: [UInt8], canvas: CanvasFile)] {
    try allCanvases { (path, _) throws(SlipboxError) in try !committedFiles().isTracked(path) }
  }

  /// Whether a file is a canvas that names notes and that git does not ignore.
  func isCanvasOfNotes(_ path: [UInt8], _ canvas: CanvasFile? = nil) throws(SlipboxError) -> Bool {
    guard CanvasFile.isOne(path), let canvas = canvas ?? readCanvas(path),
      canvas.namesNotes({ FileName.isNote($0) && box.isThere($0) })
    else { return false }
    return try !box.isIgnored(path)
  }

  private func readCanvas(_ path: [UInt8]) -> CanvasFile? {
    // A file that can't be read is no canvas.
    (try? box.folder.read(path, limit: CanvasFile.sizeLimit)).map { CanvasFile($0.bytes) }
  }

  private func allCanvases(
    where isWanted: ([UInt8], CanvasFile) throws(SlipboxError) -> Bool
  ) throws(SlipboxError) -> [(path: [UInt8], canvas: CanvasFile)] {
    guard source == .workTree else { return [] }
    var found: [(path: [UInt8], canvas: CanvasFile)] = []
    for path in try otherFiles().paths where CanvasFile.isOne(path) {
      guard let canvas = readCanvas(path), try isWanted(path, canvas) else { continue }
      found.append((path, canvas))
    }
    return found
  }
}
