import Bytes

/// Other names for the blocks and footnotes of a text, for a note that has the same names already.
package struct LabelRenames: Sendable, Equatable {
  /// The new names of blocks, without `^`.
  package private(set) var blocks: [String: String] = [:]
  /// The new labels of footnotes, by the old ones in small letters, without `^`.
  private var footnotes: [String: String] = [:]

  /// - Parameters:
  ///   - text: the note of which a part goes to the other one.
  ///   - range: the bytes of the part.
  ///   - other: the note that the part goes to.
  /// - Complexity: linear.
  package init(in text: NoteText, _ range: Range<Int>, beside other: NoteText) {
    let prose = Prose(of: text)
    let own = Set(Self.blocks(in: text, prose).filter { range.contains($0.range.lowerBound) }.map(\.name))
    let present = Set(Self.blocks(in: other, Prose(of: other)).map(\.name))
    blocks = Self.renames(of: own.intersection(present), apartFrom: own.union(present))
    let labels = [BodyLabels(text.bytes[range]), BodyLabels(other.bytes[other.body])].map(Self.footnotes)
    footnotes = Self.renames(of: labels[0].intersection(labels[1]), apartFrom: labels[0].union(labels[1]))
  }

  private var isEmpty: Bool { blocks.isEmpty && footnotes.isEmpty }

  /// Replaces the names in a part of a note. Code and comments stay as they are.
  ///
  /// - Complexity: linear.
  package func rename(in text: NoteText, _ part: Range<Int>, with splices: inout Splices) {
    guard !isEmpty else { return }
    let prose = Prose(of: text)
    for block in Self.blocks(in: text, prose) where part.contains(block.range.lowerBound) {
      if let name = blocks[block.name] { splices.replace(block.range, with: Array("^\(name)".utf8)) }
    }
    guard !footnotes.isEmpty else { return }
    let definitions = BodyLabels(text.bytes[part]).footnotes
    for definition in definitions {
      if let new = footnotes[definition.label] { splices.replace(definition.range, with: Array(new.utf8)) }
    }
    let defined = Set(definitions.map(\.range.lowerBound))
    for stretch in prose.ranges.map({ $0.clamped(to: part) }) {
      var position = stretch.lowerBound
      while let open = text.bytes[position..<stretch.upperBound].firstIndex(of: UInt8(ascii: "[")) {
        position = open + 1
        guard position < stretch.upperBound, text.bytes[position] == UInt8(ascii: "^"),
          let close = text.bytes[position..<stretch.upperBound].firstIndex(of: UInt8(ascii: "]"))
        else { continue }
        let range = (position + 1)..<close
        let label = String(decoding: text.bytes[range], as: UTF8.self).lowercased()
        if let new = footnotes[label], !defined.contains(range.lowerBound) {
          splices.replace(range, with: Array(new.utf8))
        }
      }
    }
  }

  /// The names of blocks without `^`, outside of code.
  private static func blocks(in text: NoteText, _ prose: Prose) -> [(name: String, range: Range<Int>)] {
    BlockNames.all(in: text).filter { prose.holds($0.range) }.map { (String($0.name.dropFirst()), $0.range) }
  }

  private static func footnotes(_ labels: BodyLabels) -> Set<String> {
    Set(labels.footnotes.map(\.label))
  }

  /// A free name for each: the next number for a number, else the name with the first free number after a hyphen.
  private static func renames(of names: Set<String>, apartFrom taken: Set<String>) -> [String: String] {
    var (renames, taken): ([String: String], Set<String>) = ([:], taken)
    for name in names.sorted() {
      let isNumber = name.utf8.count < 10 && name.utf8.allSatisfy { (0x30...0x39).contains($0) }
      let number = isNumber ? Int(name) : nil
      let candidates = (1...).lazy.map { step in number.map { String($0 + step) } ?? "\(name)-\(step + 1)" }
      guard let free = candidates.first(where: { !taken.contains($0) }) else { continue }
      taken.insert(free)
      renames[name] = free
    }
    return renames
  }
}
