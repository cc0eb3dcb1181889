import Text

/// The headings of a note by the names that links call them.
package struct HeadingAnchors: Sendable {
  package let headings: [BodyHeading]
  /// The text of each heading without markup.
  package let texts: [String]
  private let keys: [[UInt8]]
  private let slugs: [[UInt8]]
  /// The ids that headings give themselves, else their slugs.
  private let ids: [[UInt8]]

  /// How a link names headings, and which.
  enum Path: Equatable {
    /// By the anchor that GitHub makes of the heading's text.
    case slug(Int)
    /// By the texts of a heading and of those above it.
    case texts([Int])
  }

  /// The heading in a link after a change.
  package enum Outcome: Equatable {
    /// It is written as it was, or the link names no heading that is known.
    case same
    case changed([UInt8])
    /// No text names the heading.
    case lost
  }

  /// Reads the headings of a note.
  ///
  /// - Complexity: that of a scan of the body.
  package init(_ text: NoteText) {
    headings = BodyHeading.all(in: text)
    texts = headings.map { $0.plain(in: text.bytes) }
    keys = texts.map { Self.key(Array($0.utf8)) }
    let slugs = Self.slugs(texts)
    self.slugs = slugs
    ids = headings.indices.map { [headings] number in
      let id = headings[number].id(in: text.bytes)
      return id.isEmpty ? slugs[number] : id
    }
    let isTitled = !(texts.first?.isEmpty ?? true) && BodyScan.opens(text, with: headings[0])
    titleNumber = isTitled ? 0 : nil
  }

  /// The bytes of the ids that headings give themselves, as `{#id}`.
  package var attributes: [Range<Int>] { headings.map(\.attribute).filter { !$0.isEmpty } }

  /// The number of the heading that opens the body and may be the title; nil if none does.
  package let titleNumber: Int?

  /// The headings whose texts are like a name, by their numbers; else the one whose anchor the name is. `ABOVE#HEADING`
  /// matches the headings of that text below one of the other.
  package func numbers(named name: String) -> [Int] {
    let same = texts.indices.filter { texts[$0].hasSameBytes(as: name) }
    if !same.isEmpty { return same }
    let parts = name.utf8.split(separator: UInt8(ascii: "#")).map { Self.key(Array($0)) }
    guard let last = parts.last, !last.isEmpty else { return [] }
    let all = keys.indices.filter { keys[$0] == last }
    guard parts.count > 1 else {
      if !all.isEmpty { return all }
      return ids.firstIndex { $0.elementsEqual(name.utf8) }.map { [$0] } ?? []
    }
    return ends(of: parts)
  }

  /// The headings that the suffix of a link's target leads to; nil for none, and for a block.
  func path(_ suffix: [UInt8], _ spelling: LinkSpelling) -> Path? {
    guard let mark = suffix.firstIndex(of: UInt8(ascii: "#")) else { return nil }
    let name = spelling.decodedHeading(suffix[(mark + 1)...])
    if !spelling.isWiki, let number = ids.firstIndex(of: name) ?? slugs.firstIndex(of: name) {
      return .slug(number)
    }
    let parts = name.split(separator: UInt8(ascii: "#"), omittingEmptySubsequences: false)
    guard let last = parts.last, last.first != UInt8(ascii: "^") else { return nil }
    if let chain = chain(parts.map { Self.key(Array($0)) }) { return .texts(chain) }
    // A heading may have a `#` of its own, and an id of its own.
    let number = texts.firstIndex { $0.utf8.elementsEqual(name) } ?? ids.firstIndex(of: name)
    return number.map { .texts([$0]) }
  }

  /// The heading of each name, the next below the one before: of several chains the one with the first headings.
  private func chain(_ names: [[UInt8]]) -> [Int]? {
    guard names.count <= 6, !names.contains([]) else { return nil }
    return chain(names[...], in: headings.indices)
  }

  private func chain(_ names: ArraySlice<[UInt8]>, in range: Range<Int>) -> [Int]? {
    guard let name = names.first else { return [] }
    for number in range where keys[number] == name {
      if let rest = chain(names.dropFirst(), in: (number + 1)..<section(of: number).upperBound) {
        return [number] + rest
      }
    }
    return nil
  }

  /// The headings of the last name that are below one of the name before it, and so on.
  private func ends(of names: [[UInt8]]) -> [Int] {
    var (found, sections) = ([Int](), [headings.indices])
    for name in names {
      found = keys.indices.filter { number in
        keys[number] == name && sections.contains { $0.contains(number) }
      }
      sections = found.map { ($0 + 1)..<section(of: $0).upperBound }
    }
    return found
  }

  /// A heading and those below it.
  package func section(of number: Int) -> Range<Int> {
    let level = headings[number].level
    let next = headings[(number + 1)...].firstIndex { $0.level <= level }
    return number..<(next ?? headings.endIndex)
  }

  /// How a link that led to a heading of these leads to it among other ones.
  ///
  /// - Parameter places: the number of a heading there; nil if it is not among them.
  package func outcome(
    of suffix: [UInt8], _ spelling: LinkSpelling, among new: HeadingAnchors, places: (Int) -> Int?
  ) -> Outcome {
    guard let path = path(suffix, spelling), let mark = suffix.firstIndex(of: UInt8(ascii: "#")) else {
      return .same
    }
    let query = Array(suffix[..<mark])
    // A line that is not a heading at its new place is lost.
    func place(of number: Int) -> Int? {
      places(number).flatMap { new.texts.indices.contains($0) ? $0 : nil }
    }
    let written: [UInt8]
    let wanted: Path
    switch path {
    case .slug(let number):
      guard let place = place(of: number) else { return .lost }
      (written, wanted) = (spelling.heading(new.ids[place]), .slug(place))
    case .texts(let numbers):
      var targets: [Int] = []
      for number in numbers {
        guard let place = place(of: number) else { return .lost }
        targets.append(place)
      }
      let name = suffix[(mark + 1)...]
      let parts = numbers.count == 1 ? [name] : name.split(separator: UInt8(ascii: "#"))
      var names: [[UInt8]] = []
      for (index, part) in parts.enumerated() where index < numbers.count {
        let isSame = texts[numbers[index]].hasSameBytes(as: new.texts[targets[index]])
        names.append(isSame ? Array(part) : spelling.heading(Self.linkText(new.texts[targets[index]])))
      }
      (written, wanted) = (Array(names.joined(separator: [UInt8(ascii: "#")])), .texts(targets))
    }
    let result = query + [UInt8(ascii: "#")] + written
    if new.path(suffix, spelling) == wanted, result == suffix { return .same }
    return new.path(result, spelling) == wanted ? .changed(result) : .lost
  }
}

extension HeadingAnchors {
  /// The name of a heading in the address of a page: its own id, else as GitHub makes it of the heading's text.
  package func anchor(of number: Int) -> [UInt8] { ids[number] }

  /// The text of a heading as wiki links write it.
  package func linkText(of number: Int) -> String {
    String(decoding: Self.linkText(texts[number]), as: UTF8.self)
  }

  /// The number of the last heading that a link names; nil for none, and for a block.
  package func number(of suffix: [UInt8], _ spelling: LinkSpelling) -> Int? {
    switch path(suffix, spelling) {
    case .slug(let number)?: number
    case .texts(let numbers)?: numbers.last
    case nil: nil
    }
  }

  /// The name of a heading in a link: its text, after those of as many headings above it as make it unique; lost if
  /// none do.
  package func outcome(naming number: Int, like spelling: LinkSpelling) -> Outcome {
    var chain = [number]
    while let first = chain.first {
      let names = chain.map { spelling.heading(Self.linkText(texts[$0])) }
      let mark = UInt8(ascii: "#")
      let suffix = [mark] + Array(names.joined(separator: [mark]))
      if path(suffix, spelling) == .texts(chain) { return .changed(suffix) }
      guard let above = headings[..<first].lastIndex(where: { $0.level < headings[first].level }) else {
        return .lost
      }
      chain.insert(above, at: 0)
    }
    return .lost
  }

  /// A text as wiki links write it: without the marks that mean something in them.
  static func linkText(_ text: String) -> [UInt8] {
    let plain = text.utf8.map { "#|^[]:\\".utf8.contains($0) ? 0x20 : $0 }
    return Array(plain.split(separator: 0x20).joined(separator: [0x20]))
  }

  /// The words of a text, by which names of headings are compared.
  private static func key(_ text: [UInt8]) -> [UInt8] {
    let words = Folding.fold(text[...]).split { byte in
      byte < 0x80 && !(0x30...0x39).contains(byte) && !(0x61...0x7A).contains(byte)
    }
    return Array(words.joined(separator: [0x20]))
  }

  /// The anchors that GitHub makes of headings: of equal ones the second ends in `-1`.
  private static func slugs(_ texts: [String]) -> [[UInt8]] {
    var counts: [[UInt8]: Int] = [:]
    return texts.map { text in
      let slug = slug(text)
      defer { counts[slug, default: 0] += 1 }
      return counts[slug].map { slug + Array("-\($0)".utf8) } ?? slug
    }
  }

  private static func slug(_ text: String) -> [UInt8] {
    var slug = ""
    for scalar in text.lowercased().unicodeScalars {
      if scalar == " " {
        slug.unicodeScalars.append("-")
      } else if scalar == "-" || scalar == "_" || isWord(scalar) {
        slug.unicodeScalars.append(scalar)
      }
    }
    return Array(slug.utf8)
  }

  private static func isWord(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter, .decimalNumber,
      .letterNumber, .otherNumber, .nonspacingMark, .spacingMark, .enclosingMark, .connectorPunctuation:
      true
    default: false
    }
  }
}
