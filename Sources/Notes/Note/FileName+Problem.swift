extension FileName {
  /// Says why a path can't name a file of a box; nil where it can.
  ///
  /// Refused are absolute paths, `..` and `.`, empty parts, git's own folder in every spelling that some file system
  /// takes for it, control characters, and parts over 255 bytes.
  package static func problem(in path: [UInt8]) -> String? {
    if path.isEmpty { return "the path is empty" }
    if path.first == UInt8(ascii: "/") { return "the path is absolute" }
    if path.contains(0) { return "the path has a NUL byte" }
    if path.count > 4095 { return "the path is over 4095 bytes long" }
    for part in path.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false) {
      if let problem = problem(inPart: part) { return problem }
    }
    return nil
  }

  private static func problem(inPart part: ArraySlice<UInt8>) -> String? {
    if part.isEmpty { return "a part of the path is empty" }
    if part.elementsEqual("..".utf8) { return "the path has '..'" }
    if part.elementsEqual(".".utf8) { return "the path has '.'" }
    if part.count > 255 { return "a part of the path is over 255 bytes long" }
    if part.contains(where: { $0 < 0x20 || $0 == 0x7F }) { return "the path has a control character" }
    if isGitFolder(part) { return "the path leads into git's own folder" }
    return nil
  }

  /// Whether some file system opens `.git` by this name.
  ///
  /// Windows drops blanks and dots at the end and knows `git~1` and streams (`.git::$INDEX_ALLOCATION`); macOS drops
  /// characters that can't be seen.
  private static func isGitFolder(_ part: ArraySlice<UInt8>) -> Bool {
    let text = String(decoding: part, as: UTF8.self)
    var name: [UInt8] = []
    for scalar in text.unicodeScalars where !isIgnored(scalar) {
      guard scalar.isASCII else { return false }
      if scalar == ":" { break }
      name.append(scalar >= "A" && scalar <= "Z" ? UInt8(scalar.value) | 0x20 : UInt8(scalar.value))
    }
    while let last = name.last, last == UInt8(ascii: " ") || last == UInt8(ascii: ".") { name.removeLast() }
    return name.elementsEqual(".git".utf8) || name.elementsEqual("git~1".utf8)
  }

  private static func isIgnored(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x200C...0x200F, 0x202A...0x202E, 0x206A...0x206F, 0xFEFF: true
    default: false
    }
  }
}
