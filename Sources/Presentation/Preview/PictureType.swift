import Bytes

/// The pictures that a program shows: those in which nothing can run.
package enum PictureType {
  private static let types = [
    "png": "image/png", "jpg": "image/jpeg", "jpeg": "image/jpeg", "gif": "image/gif", "webp": "image/webp",
  ]

  /// The media type of a picture, by the ending of its name; nil for any other file.
  package static func type(ofPath path: [UInt8]) -> String? {
    let name = BytePath.name(of: path)
    guard let dot = name.lastIndex(of: UInt8(ascii: ".")) else { return nil }
    return types[String(decoding: name[(dot + 1)...], as: UTF8.self).lowercased()]
  }

  /// Whether bytes begin as a picture of these types does, whatever their name says.
  package static func isPicture(_ bytes: [UInt8]) -> Bool {
    let isWebP = bytes.starts(with: "RIFF".utf8) && bytes.dropFirst(8).starts(with: "WEBP".utf8)
    return isWebP || bytes.starts(with: [0x89, 0x50, 0x4E, 0x47]) || bytes.starts(with: [0xFF, 0xD8, 0xFF])
      || bytes.starts(with: "GIF8".utf8)
  }
}
