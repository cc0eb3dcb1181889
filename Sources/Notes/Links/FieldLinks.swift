/// The links in the values of front-matter, such as `up: "[[Home]]"`, and the paths of attachments, such as
/// `cover: covers/dune.jpg`.
package enum FieldLinks {
  /// Returns the links of all fields in their order, also of those in lists and nested maps.
  ///
  /// If a link is not in the file as it was decoded, its range is that of the whole field.
  static func links(in frontMatter: FrontMatter, of text: NoteText) -> [BodyScan.Link] {
    var links: [BodyScan.Link] = []
    for field in frontMatter.fields {
      var start = field.span.lowerBound
      forEachText(in: field.value) { value in
        for (link, raw) in found(in: value, of: field) {
          let place = range(of: raw, in: text.bytes, from: start, to: field.span.upperBound)
          if let place { start = place.upperBound }
          let range = place ?? field.span
          links.append(BodyScan.Link(form: link.form, target: link.target, range: range, line: field.line))
        }
      }
    }
    let isSorted = zip(links, links.dropFirst()).allSatisfy { $0.range.lowerBound <= $1.range.lowerBound }
    return isSorted ? BodyScan.numbered(links, in: text.bytes) : links
  }

  /// How many links the value of a field holds.
  static func count(in field: FrontMatterField) -> Int {
    var count = 0
    forEachText(in: field.value) { count += found(in: $0, of: field).count }
    return count
  }

  /// The value of a field with other targets of some of its links.
  ///
  /// - Parameter targets: by the number of the link among those of the field.
  static func replacing(_ targets: [Int: [UInt8]], in field: FrontMatterField) -> FieldValue {
    var number = 0
    return replacing(targets, in: field.value, of: field, &number)
  }

  private static func replacing(
    _ targets: [Int: [UInt8]], in value: FieldValue, of field: FrontMatterField, _ number: inout Int
  ) -> FieldValue {
    switch value {
    case .empty: return value
    case .text(let text): return .text(replacing(targets, in: text, of: field, &number))
    case .list(let elements):
      var result: [FieldValue] = []
      for element in elements { result.append(replacing(targets, in: element, of: field, &number)) }
      return .list(result)
    case .map(let entries):
      var result: [MapEntry] = []
      for entry in entries {
        result.append(
          MapEntry(key: entry.key, value: replacing(targets, in: entry.value, of: field, &number)))
      }
      return .map(result)
    }
  }

  private static func replacing(
    _ targets: [Int: [UInt8]], in text: String, of field: FrontMatterField, _ number: inout Int
  ) -> String {
    let bytes = Array(text.utf8)
    var changes: [(range: Range<Int>, target: [UInt8])] = []
    for (link, _) in found(in: text, of: field) {
      if let target = targets[number], let place = LinkPlace(link, in: bytes) {
        changes.append((place.target, target))
      }
      number += 1
    }
    var (result, position) = ([UInt8](), 0)
    for (range, target) in changes.sorted(by: { $0.range.lowerBound < $1.range.lowerBound }) {
      result += bytes[position..<range.lowerBound] + target
      position = range.upperBound
    }
    return String(decoding: result + bytes[position...], as: UTF8.self)
  }

  private static func forEachText(in value: FieldValue, _ body: (String) -> Void) {
    switch value {
    case .text(let text): body(text)
    case .list(let elements): for element in elements { forEachText(in: element, body) }
    case .map(let entries): for entry in entries { forEachText(in: entry.value, body) }
    case .empty: break
    }
  }

  /// The links in a value of a field, with their places in it.
  package static func links(in text: String) -> [BodyScan.Link] {
    guard text.utf8.contains(where: { "[<".utf8.contains($0) }) else { return [] }
    let bytes = Array(text.utf8)
    return bytes.withUnsafeBufferPointer { bytes in
      var inline = BodyInline(bytes)
      inline.scan(0, bytes.count)
      return inline.found.linksInOrder
    }
  }

  /// The links of one text, each with its bytes.
  private static func found(
    in text: String, of field: FrontMatterField
  ) -> [(link: BodyScan.Link, raw: ArraySlice<UInt8>)] {
    guard text.utf8.contains(where: { ".[</".utf8.contains($0) }) else { return [] }
    let bytes = Array(text.utf8)
    let links = links(in: text)
    let isAttachment = Attachment.isOne(bytes) || files.contains(where: field.name.isSameName)
    if links.isEmpty, isAttachment, isPath(bytes), !names.contains(where: field.name.isSameName) {
      return [(BodyScan.Link(form: .path, target: text, range: 0..<bytes.count, line: 0), bytes[...])]
    }
    return links.map { ($0, bytes[$0.range]) }
  }

  /// The fields whose values name a note: no path is meant there.
  private static let names = ["title", "aliases", "alias"]

  /// The fields whose values name a file, whatever its ending is. A value that names none is not a broken link.
  private static let files = [
    "cover", "banner", "image", "thumbnail", "picture", "photo", "attachment", "file",
  ]

  /// Whether a text may be a path.
  private static func isPath(_ bytes: [UInt8]) -> Bool {
    bytes.allSatisfy { $0 >= 0x20 && $0 != 0x7F } && bytes.first != 0x20
      && !zip(bytes, bytes.dropFirst()).contains { $0 == (UInt8(ascii: "/"), UInt8(ascii: "/")) }
  }

  private static func range(
    of raw: ArraySlice<UInt8>, in bytes: [UInt8], from start: Int, to end: Int
  ) -> Range<Int>? {
    guard let first = raw.first, start < end, end <= bytes.count else { return nil }
    var position = start
    while position + raw.count <= end, let next = bytes[position..<end].firstIndex(of: first) {
      if bytes[next..<end].starts(with: raw) { return next..<next + raw.count }
      position = next + 1
    }
    return nil
  }
}

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
