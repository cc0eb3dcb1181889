import Bytes

/// A list that slip writes into a note: the lines between `<!-- slip: COMMAND -->` and `<!-- /slip -->`, each on a line of
/// its own, outside of code.
///
/// Tags, boxes and links between them are those of other notes; they do not count as the note's own.
package struct BakedBlock: Sendable, Equatable {
  /// The command between `slip:` and `-->`.
  package let command: String
  /// The bytes of the command.
  package let commandRange: Range<Int>
  /// The number of the first line, from 1 in the bytes.
  package let line: Int
  /// The bytes between the two lines, with the line end of the last.
  package let content: Range<Int>

  private static let opening = Array("<!-- slip:".utf8)
  private static let closing = Array("<!-- /slip -->".utf8)

  /// A begin line that opens no block.
  package struct Fault: Sendable, Equatable {
    /// The number of the line, from 1 in the bytes.
    package let line: Int
    package let problem: String
    /// The bytes below it that may be lines of the block.
    package let content: Range<Int>
  }

  /// The blocks in a range of bytes, in their order. A begin line without an end line before the next one opens no block.
  /// - Complexity: O(n).
  package static func all(in bytes: [UInt8], _ range: Range<Int>) -> [BakedBlock] {
    read(bytes, range).blocks
  }

  /// The blocks of a range of bytes, and the begin lines that open none.
  private static func read(_ bytes: [UInt8], _ range: Range<Int>) -> (blocks: [BakedBlock], faults: [Fault]) {
    guard mayHaveBlock(bytes, range) else { return ([], []) }
    var (blocks, faults): ([BakedBlock], [Fault]) = ([], [])
    var open: (command: ArraySlice<UInt8>, line: Int, start: Int)?
    var inside: (line: Int, start: Int)?
    func refuseOpen(at end: Int) {
      if let open, isForm(open.command) {
        let problem = "the block has no end line <!-- /slip -->"
        faults.append(Fault(line: open.line, problem: problem, content: open.start..<end))
      }
    }
    func refuseInside(at end: Int) {
      if let inside {
        let problem = "a block in a quote or a list is not updated"
        faults.append(Fault(line: inside.line, problem: problem, content: inside.start..<end))
      }
      inside = nil
    }
    var fence: (mark: UInt8, length: Int)?
    var (position, line) = (range.lowerBound, 1 + bytes[..<range.lowerBound].count { $0 == 0x0A })
    while position < range.upperBound {
      let end = bytes[position..<range.upperBound].firstIndex(of: 0x0A) ?? range.upperBound
      let next = min(end + 1, range.upperBound)
      let text = trimmed(bytes[position..<end])
      if let mark = fenceMark(text) {
        if let outer = fence {
          if mark.mark == outer.mark, mark.length >= outer.length, mark.isBare { fence = nil }
        } else {
          fence = (mark.mark, mark.length)
        }
      } else if fence == nil, let command = command(text) {
        refuseOpen(at: position)
        refuseInside(at: position)
        open = (command, line, next)
      } else if fence == nil, text.elementsEqual(closing), let begun = open {
        blocks.append(
          BakedBlock(
            command: String(decoding: begun.command, as: UTF8.self), commandRange: begun.command.indices,
            line: begun.line, content: begun.start..<position))
        open = nil
      } else if fence == nil, isInside(text) {
        refuseInside(at: position)
        inside = (line, next)
      } else if inside != nil, text.drop(while: { " >-*+".utf8.contains($0) }).elementsEqual(closing) {
        refuseInside(at: position)
      }
      (position, line) = (next, line + 1)
    }
    refuseOpen(at: range.upperBound)
    refuseInside(at: range.upperBound)
    return (blocks, faults)
  }

  /// The blocks of a note.
  package static func all(in text: NoteText) -> [BakedBlock] { all(in: text.bytes, text.body) }

  /// Whether a note has a block, or a begin line that opens none.
  package static func isIn(_ text: NoteText) -> Bool {
    let found = read(text.bytes, text.body)
    return !found.blocks.isEmpty || !found.faults.isEmpty
  }

  /// The begin lines of a note that open no block.
  package static func faults(in text: NoteText) -> [Fault] { read(text.bytes, text.body).faults }

  /// Whether a line has a begin mark after the marks of a quote or a list, or after at most three blanks.
  private static func isInside(_ line: ArraySlice<UInt8>) -> Bool {
    let prefix = line.prefix { " >-*+".utf8.contains($0) }
    guard !prefix.isEmpty, prefix.prefix(while: { $0 == 0x20 }).count < 4 else { return false }
    return command(line.dropFirst(prefix.count)).map(isForm) ?? false
  }

  /// Whether a command is that of a block: slip writes comments of its own beside conflicts, too.
  private static func isForm(_ command: ArraySlice<UInt8>) -> Bool {
    let word = String(decoding: command.prefix { $0 != 0x20 }, as: UTF8.self)
    return ["agenda", "list", "table", "todos"].contains(word)
  }

  /// Whether bytes have the beginning of a block.
  private static func mayHaveBlock(_ bytes: [UInt8], _ range: Range<Int>) -> Bool {
    bytes.withUnsafeBufferPointer { bytes in
      var place = range.lowerBound
      while let found = bytes.offset(of: UInt8(ascii: "<"), from: place, to: range.upperBound) {
        if found + opening.count <= range.upperBound,
          opening.indices.allSatisfy({ bytes[found + $0] == opening[$0] })
        {
          return true
        }
        place = found + 1
      }
      return false
    }
  }

  private static func trimmed(_ line: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    line.dropLast(line.reversed().prefix { $0 == 0x20 || $0 == 0x09 || $0 == 0x0D }.count)
  }

  /// The command of a line that begins a block, with its place in the bytes.
  private static func command(_ line: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
    guard line.starts(with: opening), line.count >= opening.count + 3,
      line.suffix(3).elementsEqual("-->".utf8)
    else { return nil }
    let inner = line.dropFirst(opening.count).dropLast(3)
    let start = inner.drop { $0 == 0x20 }
    return start.dropLast(start.reversed().prefix { $0 == 0x20 }.count)
  }

  /// The mark and length of a line that opens or closes a block of code, and whether nothing follows.
  private static func fenceMark(_ line: ArraySlice<UInt8>) -> (mark: UInt8, length: Int, isBare: Bool)? {
    let rest = line.drop { $0 == 0x20 }
    guard line.count - rest.count <= 3, let mark = rest.first, mark == 0x60 || mark == 0x7E else {
      return nil
    }
    let length = rest.prefix { $0 == mark }.count
    return length >= 3 ? (mark, length, rest.count == length) : nil
  }
}

extension BakedBlock {
  /// Returns bytes with new contents of blocks; nil leaves a block as it is.
  package static func replacing(
    in bytes: [UInt8], _ range: Range<Int>, _ content: (BakedBlock) -> [UInt8]?
  ) -> [UInt8] {
    var (result, place): ([UInt8], Int) = ([], 0)
    for block in all(in: bytes, range) {
      guard let content = content(block) else { continue }
      result += bytes[place..<block.content.lowerBound] + content
      place = block.content.upperBound
    }
    return place == 0 ? bytes : result + bytes[place...]
  }

  /// Returns bytes with other commands of blocks; nil leaves a block as it is, as does a command that is not UTF-8.
  package static func replacingCommands(
    in bytes: [UInt8], _ range: Range<Int>, _ command: (BakedBlock) -> String?
  ) -> [UInt8] {
    var (result, place): ([UInt8], Int) = ([], 0)
    for block in all(in: bytes, range) {
      guard block.command.utf8.elementsEqual(bytes[block.commandRange]), let command = command(block) else {
        continue
      }
      result += bytes[place..<block.commandRange.lowerBound] + Array(command.utf8)
      place = block.commandRange.upperBound
    }
    return place == 0 ? bytes : result + bytes[place...]
  }

  /// Three versions of a body in which blocks that two sides have hold the same: the greater of both contents.
  ///
  /// Blocks with the same command are paired in their order. So derived lines never conflict, and exchanging the sides
  /// changes nothing.
  static func aligned(base: [UInt8], one: [UInt8], other: [UInt8]) -> (
    base: [UInt8], one: [UInt8], other: [UInt8]
  ) {
    let versions = [one, other].map { contents(of: $0, 0..<$0.count) }
    guard !versions[0].isEmpty, !versions[1].isEmpty else { return (base, one, other) }
    var chosen: [Key: [UInt8]] = [:]
    for (key, content) in versions[0] {
      guard let second = versions[1][key] else { continue }
      chosen[key] = content.lexicographicallyPrecedes(second) ? second : content
    }
    let taking = { (bytes: [UInt8]) -> [UInt8] in
      var counts: [String: Int] = [:]
      return replacing(in: bytes, 0..<bytes.count) { chosen[Key($0.command, &counts)] }
    }
    return (taking(base), taking(one), taking(other))
  }

  /// A version of a note whose blocks have the lines that they have in another version.
  ///
  /// Versions that are equal afterwards differ only in derived lines. A block that the other version lacks stays as is.
  /// - Complexity: O(n).
  package static func aligning(_ text: NoteText, to other: NoteText) -> NoteText {
    let contents = contents(of: other.bytes, other.body)
    guard !contents.isEmpty else { return text }
    var counts: [String: Int] = [:]
    return NoteText(replacing(in: text.bytes, text.body) { contents[Key($0.command, &counts)] })
  }

  private struct Key: Hashable {
    let command: String
    let number: Int

    init(_ command: String, _ counts: inout [String: Int]) {
      self.command = command
      number = counts[command, default: 0]
      counts[command] = number + 1
    }
  }

  private static func contents(of bytes: [UInt8], _ range: Range<Int>) -> [Key: [UInt8]] {
    var counts: [String: Int] = [:]
    var contents: [Key: [UInt8]] = [:]
    for block in all(in: bytes, range) {
      contents[Key(block.command, &counts)] = Array(bytes[block.content])
    }
    return contents
  }
}
