/// The files that people attach to notes, by the endings of their names.
package enum Attachment {
  private static let endings: Set<String> = [
    "avif", "bmp", "gif", "heic", "jpeg", "jpg", "png", "svg", "tif", "tiff", "webp", "aac", "flac", "m4a",
    "mp3",
    "ogg", "opus", "wav", "mkv", "mov", "mp4", "webm", "pdf", "epub", "djvu", "doc", "docx", "odp", "ods",
    "odt",
    "ppt", "pptx", "xls", "xlsx", "zip",
  ]

  /// Whether a path ends as that of such a file.
  package static func isOne(_ path: some BidirectionalCollection<UInt8>) -> Bool {
    let name = path[
      (path.lastIndex(of: UInt8(ascii: "/")).map { path.index(after: $0) } ?? path.startIndex)...]
    guard let dot = name.lastIndex(of: UInt8(ascii: ".")), dot > name.startIndex else { return false }
    return endings.contains(String(decoding: name[name.index(after: dot)...], as: UTF8.self).lowercased())
  }
}
