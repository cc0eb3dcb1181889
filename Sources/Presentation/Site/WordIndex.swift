import Bytes
import NoteIndex
import Notes
import Text

/// The words of all notes, for a search that runs in the browser: which notes have each of them.
///
/// Notes are numbered from the oldest one, so that a new note leaves the numbers of the others.
///
/// Words are parted by how they begin into files that the page loads when such a word is typed.
struct WordIndex {
  /// Longer words are left out, in bytes.
  private static let longest = 40

  /// The numbers of the notes of a word.
  fileprivate struct Posting: Sendable {
    private var last = 0
    /// Differences in `NumberCode`.
    private var packed: [UInt8] = []

    mutating func add(_ number: Int) {
      NumberCode.append(UInt64(number - last), to: &packed)
      last = number
    }

    /// The numbers counted from the oldest of some notes, ascending.
    func numbers(fromOldestOf count: Int) -> [Int] {
      packed.withUnsafeBytes { bytes in
        var unpacker = ByteUnpacker(bytes)
        var (numbers, last) = ([Int](), 0)
        while let step = unpacker.number() {
          last += step
          numbers.append(count - 1 - last)
        }
        return numbers.reversed()
      }
    }
  }

  fileprivate var postings: [[UInt8]: Posting] = [:]

  /// The folded words of a note's text and of fields, as pages show them.
  static func words(of fields: [FrontMatterField], _ text: NoteText) -> Set<[UInt8]> {
    var words: Set<[UInt8]> = []
    var position = text.body.lowerBound
    for hole in ShownText.holes(in: text) {
      if hole.lowerBound > position { add(text.bytes[position..<hole.lowerBound], to: &words) }
      position = max(position, hole.upperBound)
    }
    if position < text.body.upperBound { add(text.bytes[position..<text.body.upperBound], to: &words) }
    for field in fields { add(ShownText.value(NoteColumns.text(field.value))[...], to: &words) }
    return words
  }

  private static func add(_ text: ArraySlice<UInt8>, to words: inout Set<[UInt8]>) {
    Words.forEach(in: text) { range in
      guard range.count <= longest else { return }
      let word = Folding.fold(text[range])
      // A single letter of a script that parts words says nothing.
      if word.count > 1, word.count <= longest { words.insert(word) }
    }
  }

  /// Adds the words of a note; numbers come in ascending order.
  mutating func add(_ words: Set<[UInt8]>, of number: Int) {
    for word in words { postings[word, default: Posting()].add(number) }
  }

  /// The name of the file for words that begin as one does: two letters, or a part of a script of which a letter is a word.
  static func file(of word: [UInt8]) -> String {
    let scalars = String(decoding: word, as: UTF8.self).unicodeScalars.prefix(2).map(\.value)
    guard scalars.count == 2 else { return "c" + String((scalars.first ?? 0) >> 5, radix: 16) }
    let isPlain = scalars.allSatisfy { (0x61...0x7A).contains($0) || (0x30...0x39).contains($0) }
    if isPlain { return String(String.UnicodeScalarView(scalars.compactMap { Unicode.Scalar($0) })) }
    return "u" + scalars.map { String($0, radix: 16) }.joined(separator: "-")
  }
}

/// The files of the search by words.
struct WordFiles: Sendable {
  /// The names of the files in order.
  let names: [String]
  private let postings: [[UInt8]: WordIndex.Posting]
  private let count: Int
  /// The words of each file.
  private let words: [[[UInt8]]]
  /// The bytes of the files of a later export, and whether they stay as they were.
  private let given: [(bytes: [UInt8], isSame: Bool)]

  /// Takes the words out of an index. The files are written on request.
  ///
  /// - Parameter count: the number of the notes.
  init(_ index: inout WordIndex, count: Int) {
    self.count = count
    postings = index.postings
    index.postings = [:]
    let grouped = Dictionary(grouping: postings.keys) { WordIndex.file(of: $0) }.sorted { $0.key < $1.key }
    names = grouped.map(\.key)
    words = grouped.map(\.value)
    given = []
  }

  /// Takes the files with the changes of some notes.
  init(_ files: [(name: String, bytes: [UInt8], isSame: Bool)]) {
    names = files.map(\.name)
    given = files.map { ($0.bytes, $0.isSame) }
    (postings, count, words) = ([:], 0, [])
  }

  /// Takes files that all stay as the last export made them.
  init(unchanged names: [String]) { self.init(names.map { ($0, [], true) }) }

  /// Whether the file of a number is as the last export made it.
  func isSame(_ number: Int) -> Bool { !given.isEmpty && given[number].isSame }

  private static let folder = Array("search/".utf8)

  /// The path of a file in the site.
  static func path(_ name: String) -> [UInt8] { folder + Array("\(name).js".utf8) }

  /// The name of the file at a path of a site; nil if it holds no words.
  static func name(ofFile path: [UInt8]) -> String? {
    guard path.starts(with: folder), path.suffix(3).elementsEqual(".js".utf8) else { return nil }
    let name = String(decoding: path[folder.count...].dropLast(3), as: UTF8.self)
    return name == "notes" || name.hasPrefix("preview-") ? nil : name
  }

  /// Ascending numbers as differences in base 36 with dots between them.
  static func written(_ numbers: [Int]) -> [UInt8] {
    var (written, last) = ([UInt8](), 0)
    for (index, number) in numbers.enumerated() {
      if index > 0 { written.append(UInt8(ascii: ".")) }
      written.append(contentsOf: String(number - last, radix: 36).utf8)
      last = number
    }
    return written
  }

  /// The bytes of a file by its number.
  func bytes(_ number: Int) -> [UInt8] {
    if !given.isEmpty { return given[number].bytes }
    var writer = JSONWriter()
    // Pairs in an array: as the name of a member, a word such as `__proto__` would mean something to the browser.
    writer.beginArray()
    for word in words[number].sorted(by: { ByteOrder.precedes($0, $1) }) {
      writer.string(bytes: word)
      writer.string(bytes: WordFiles.written(postings[word]?.numbers(fromOldestOf: count) ?? []))
    }
    writer.endArray()
    return SiteScript.call("slipWords", names[number], writer.takeBytes())
  }
}

/// The notes as the search shows them, the oldest first: title, address, day, kind, tags, and aliases if there are some; and
/// the files with their words.
struct SearchNotes {
  let contents: SiteContents
  /// By the numbers of the notes.
  let aliases: [Int: [String]]

  func bytes() -> [UInt8] {
    var (tags, kinds) = (NumberedNames(), NumberedNames())
    var writer = JSONWriter()
    writer.object { writer in
      writer.member("notes", of: contents.notes.indices.reversed()) { number, writer in
        let note = contents.notes[number]
        writer.beginArray()
        writer.string(note.title)
        writer.string(SafeAddress.path(contents.map.pages[number]))
        writer.string(note.day)
        writer.integer(kinds.number(of: note.kind))
        writer.array(of: note.tags) { $1.integer(tags.number(of: $0)) }
        if let aliases = aliases[number], !aliases.isEmpty { writer.strings(aliases) }
        writer.endArray()
      }
      writer.key("tags")
      writer.strings(tags.names)
      writer.key("kinds")
      writer.strings(kinds.names)
      writer.key("words")
      writer.strings(contents.words.names)
    }
    return SiteScript.call("slipNotes", "notes", writer.takeBytes())
  }

  /// Names by the numbers in which they first came.
  private struct NumberedNames {
    private(set) var names: [String] = []
    private var numbers: [String: Int] = [:]

    mutating func number(of name: String) -> Int {
      if let number = numbers[name] { return number }
      numbers[name] = names.count
      names.append(name)
      return names.count - 1
    }
  }
}

/// The search of a site: it runs in the browser, without a server, also from a folder on this machine.
///
/// Its data are scripts that call it. Content of notes is inserted into the page as text.
enum SiteScript {
  /// A script that hands data to a function of the page, under a name.
  static func call(_ function: StaticString, _ name: String, _ json: [UInt8]) -> [UInt8] {
    Array("\(function)(\"\(name)\",".utf8) + json + Array(");\n".utf8)
  }

  static let javaScript = String(decoding: PackageResources.search_js, as: UTF8.self)
}

/// The changes of some notes in the files of the search by words.
struct WordIndexChanges: Sendable {
  /// The new numbers of notes by their old ones, -1 for those whose words are taken out; ascending apart from these.
  let numbers: [Int]
  /// The new words in order, with the numbers of the notes that have each, ascending, by the names of the files.
  private let added: [String: [WordFileEdit.Word]]

  /// - Parameters:
  ///   - numbers: the new numbers by the old ones, counted from the oldest note.
  ///   - words: the words of the notes that were read again, by their new numbers, ascending.
  init(_ numbers: [Int], words: [(number: Int, words: Set<[UInt8]>)]) {
    self.numbers = numbers
    var added: [[UInt8]: [Int]] = [:]
    for (number, words) in words {
      for word in words { added[word, default: []].append(number) }
    }
    let sorted = added.sorted { $0.key.lexicographicallyPrecedes($1.key) }
    self.added = Dictionary(grouping: sorted.map { WordFileEdit.Word(bytes: $0.key, numbers: $0.value) }) {
      WordIndex.file(of: $0.bytes)
    }
  }

  /// The names of the files that new words belong to.
  var names: [String] { Array(added.keys) }

  /// The bytes of a file with the changes; none if it has no words left, nil if the old bytes can't be read.
  ///
  /// - Parameter old: none if the file is new.
  func bytes(of name: String, _ old: [UInt8]) -> [UInt8]? {
    let words = added[name] ?? []
    let file = old.isEmpty ? SiteScript.call("slipWords", name, Array("[]".utf8)) : old
    return file.withUnsafeBufferPointer { file in
      let head = Array("slipWords(\"\(name)\",[".utf8)
      guard var edit = WordFileEdit(file, head: head, numbers) else { return nil }
      return edit.result(adding: words)
    }
  }
}
