import Bytes
import Git
import Platform

/// The files of the page itself: a table in the program; no path of a request is opened.
struct PageAssets: Sendable {
  /// The folder that the files are read from while one works on the page; nil for those in the program.
  let folder: [UInt8]?

  /// The response to a request for a file; nil where there is none.
  func response(to request: PageRequest, _ target: RequestTarget) -> PageResponse? {
    guard let file = Self.file(at: target.path), request.method == "GET", let bytes = bytes(of: file) else {
      return nil
    }
    let tag = "\"\(ObjectID(ofBlob: bytes).hex)\""
    let headers = [("Cache-Control", "no-cache"), ("ETag", tag)]
    if request.value(of: "if-none-match") == tag { return PageResponse(304, .bytes([]), headers: headers) }
    return PageResponse(200, .bytes(bytes), headers: [("Content-Type", file.type)] + headers)
  }

  private static func file(at path: String) -> AssetFile? {
    let name = path == "/" ? AssetFile.document : path.hasPrefix("/assets/") ? String(path.dropFirst(8)) : ""
    return AssetFile.all.first { $0.name.utf8.elementsEqual(name.utf8) }
  }

  private func bytes(of file: AssetFile) -> [UInt8]? {
    guard let folder else { return file.bytes() }
    return try? Files.read(BytePath.join(folder, Array(file.name.utf8)), limit: 4 << 20)
  }
}
