import Bytes
import Presentation
import SlipboxCore

/// A file other than a note that some note links to or embeds.
///
/// Only the names that links of notes came to are known here: what a request asks for is held against them, and read below the
/// box, through no symbolic link. A browser shows pictures, and keeps everything else.
enum FileAnswer {
  /// Longer files are not sent.
  private static let mostBytes = 64 << 20

  static func answer(_ call: PageCall) throws -> PageResponse {
    guard let path = call.target.bytes("path"), !path.isEmpty else {
      throw PageError(.badRequest, "path is missing")
    }
    let moment = try call.moment()
    guard try moment.linkedFiles().contains(path), let bytes = try moment.snapshot.bytes(at: path) else {
      throw PageError(.notFound, "no note links to this file")
    }
    guard bytes.count <= mostBytes else {
      throw PageError(.refused, "the file has more than 64 MB", hints: ["open it in the folder of the box"])
    }
    let response = PageResponse(200, .bytes(bytes))
    if let type = PictureType.type(ofPath: path), PictureType.isPicture(bytes) {
      return response.with("Content-Type", type)
    }
    return response.with("Content-Type", "application/octet-stream")
      .with("Content-Disposition", "attachment; filename*=UTF-8''\(name(of: path))")
      .with("Content-Security-Policy", "sandbox; default-src 'none'")
  }

  /// The name of a file as a header holds it.
  ///
  /// Source: RFC 8187.
  private static func name(of path: [UInt8]) -> String {
    let name = PercentEncoding.encoded(BytePath.name(of: path)) {
      PercentEncoding.isUnreserved($0) && $0 != UInt8(ascii: "~")
    }
    return String(decoding: name, as: UTF8.self)
  }
}
