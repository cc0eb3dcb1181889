import Bytes
import Platform

extension Repository {
  /// Whether sparse checkout is on: git writes only files that its patterns select.
  package var isSparse: Bool { configurationIsTrue("core.sparseCheckout") }

  /// The paths that the sparse checkout leaves out of the work tree; none if it is off.
  ///
  /// Git itself decides, on an index of these paths alone and an empty folder in the place of the work tree.
  package func leftOut(of paths: [[UInt8]]) throws(GitError) -> Set<[UInt8]> {
    guard isSparse, !paths.isEmpty else { return [] }
    let scratch = try ScratchFolder(in: gitDirectory)
    defer { scratch.remove() }
    let (index, files) = (scratch.path / "index", scratch.path / "files")
    try GitError.wrapping("make", files) { () throws(SystemError) in try Files.makeDirectory(files) }
    let empty = try writeBlob(asStored: [])
    let line = Array("100644 \(empty.hex)\t".utf8)
    let input = Array(paths.map { line + $0 + [0] }.joined())
    _ = try git(["update-index", "--add", "-z", "--index-info"], index: index, workTree: files, input: input)
    _ = try git(["sparse-checkout", "reapply"], index: index, workTree: files)
    let listing = try git(["ls-files", "-t", "-z"], index: index, workTree: files)
    let out = listing.split(separator: 0).filter { $0.starts(with: "S ".utf8) }
    return Set(out.map { Array($0.dropFirst(2)) })
  }
}
