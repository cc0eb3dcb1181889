import Bytes

/// The changes of some notes in the files of the search by words.
struct WordPatch: Sendable {
  /// The new numbers of notes by their old ones, -1 for those whose words are taken out; ascending apart from these.
  let numbers: [Int]
  /// The numbers of the notes that have each new word, ascending, by the names of the files.
  private let added: [String: [[UInt8]: [Int]]]

  /// - Parameters:
  ///   - numbers: the new numbers by the old ones, counted from the oldest note.
  ///   - words: the words of the notes that were read again, by their new numbers, ascending.
  init(_ numbers: [Int], words: [(number: Int, words: Set<[UInt8]>)]) {
    self.numbers = numbers
    var added: [String: [[UInt8]: [Int]]] = [:]
    for (number, words) in words {
      for word in words { added[WordIndex.file(of: word), default: [:]][word, default: []].append(number) }
    }
    self.added = added
  }

  /// The names of the files that new words belong to.
  var names: [String] { Array(added.keys) }

  /// The bytes of a file with the changes; none if it has no words left, nil if the old bytes can't be read.
  ///
  /// - Parameter old: none if the file is new.
  func bytes(of name: String, _ old: [UInt8]) -> [UInt8]? {
    var entries: [(word: ArraySlice<UInt8>, numbers: [UInt8])] = []
    var isChanged = false
    let new = added[name] ?? [:]
    var rest = Set(new.keys)
    if !old.isEmpty {
      guard let pairs = Self.pairs(old, name) else { return nil }
      for (word, written) in pairs {
        let key = Array(word)
        let more = new[key] ?? []
        rest.remove(key)
        guard let numbers = changed(written, adding: more) else {
          entries.append((word, Array(written)))
          continue
        }
        isChanged = true
        if !numbers.isEmpty { entries.append((word, numbers)) }
      }
    }
    guard isChanged || !rest.isEmpty else { return old }
    for word in rest { entries.append((word[...], WordFiles.written(new[word] ?? []))) }
    entries.sort { $0.word.lexicographicallyPrecedes($1.word) }
    guard !entries.isEmpty else { return [] }
    var writer = JSONWriter()
    writer.beginArray()
    for entry in entries {
      writer.string(bytes: Array(entry.word))
      writer.string(bytes: entry.numbers)
    }
    writer.endArray()
    return SiteScript.call("slipWords", name, writer.takeBytes())
  }

  /// The numbers of a word after the changes, as they are written; nil if they stay as they are.
  private func changed(_ written: ArraySlice<UInt8>, adding more: [Int]) -> [UInt8]? {
    var isChanged = !more.isEmpty
    if !isChanged {
      Self.forEach(written) { number in isChanged = isChanged || after(number) != number }
      guard isChanged else { return nil }
    }
    var kept = more
    Self.forEach(written) { number in
      let next = after(number)
      if next >= 0 { kept.append(next) }
    }
    return WordFiles.written(kept.sorted())
  }

  /// The new number of a note; -1 if its words are taken out.
  private func after(_ number: Int) -> Int { numbers.indices.contains(number) ? numbers[number] : -1 }

  private static func forEach(_ written: ArraySlice<UInt8>, _ visit: (Int) -> Void) {
    var (number, step) = (0, 0)
    for byte in written {
      switch byte {
      case UInt8(ascii: "."):
        number &+= step
        step = 0
        visit(number)
      case UInt8(ascii: "0")...UInt8(ascii: "9"): step = step &* 36 &+ Int(byte &- UInt8(ascii: "0"))
      default: step = step &* 36 &+ Int(byte &- UInt8(ascii: "a")) &+ 10
      }
    }
    visit(number &+ step)
  }

  /// The words of a file with their numbers; nil if it is not one of this form.
  private static func pairs(
    _ bytes: [UInt8], _ name: String
  ) -> [(word: ArraySlice<UInt8>, numbers: ArraySlice<UInt8>)]? {
    let head = Array("slipWords(\"\(name)\",[".utf8)
    let end = Array("]);\n".utf8)
    guard bytes.starts(with: head), bytes.suffix(end.count).elementsEqual(end),
      !bytes.contains(UInt8(ascii: "\\"))
    else { return nil }
    let inner = bytes[head.count..<(bytes.count - end.count)]
    let strings = inner.split(separator: UInt8(ascii: "\""), omittingEmptySubsequences: false)
    // An even string is a comma between two strings.
    guard strings.count % 4 == 1 else { return nil }
    return stride(from: 1, to: strings.count, by: 4).map { (strings[$0], strings[$0 + 2]) }
  }
}
