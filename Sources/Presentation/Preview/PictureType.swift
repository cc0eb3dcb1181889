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
}
