import Bytes
package import NoteIndex
import Notes
import Platform
import Text

/// A check box of the last list, as it was shown.
struct ListedBox {
  /// The id or the path of the note.
  let name: [UInt8]
  /// The line number in the file, from 1.
  let line: Int
  let text: [UInt8]

  init(name: [UInt8], line: Int, text: [UInt8]) {
    (self.name, self.line, self.text) = (name, line, text)
  }

  /// The stored form of the box: no text of a box has a line end.
  var bytes: [UInt8] { name + Array("\n\(line)\n".utf8) + text }

  /// Returns nil for a name without a box. Names of files may contain line ends, so the line and the text are searched
  /// for from the end.
  init?(_ bytes: [UInt8]) {
    guard let last = bytes.lastIndex(of: 0x0A), let first = bytes[..<last].lastIndex(of: 0x0A),
      let line = Int(String(decoding: bytes[(first + 1)..<last], as: UTF8.self))
    else { return nil }
    (name, self.line, text) = (Array(bytes[..<first]), line, Array(bytes[(last + 1)...]))
  }
}

/// The numbers in a reference to notes of the last list: `@2`, or `@1-3`, `@1..3` and `@1-@3`.
struct ListedNumbers {
  let first: Int
  let last: Int
  let isRange: Bool

  init?(_ reference: String) {
    guard reference.utf8.first == UInt8(ascii: "@") else { return nil }
    let text = String(reference.dropFirst())
    if let number = Int(text), number > 0, text.utf8.allSatisfy({ $0 != UInt8(ascii: "+") }) {
      (first, last, isRange) = (number, number, false)
      return
    }
    for mark in ["..", "-"] {
      let parts = text.split(separator: mark, maxSplits: 1).map(String.init)
      guard parts.count == 2, let first = Int(parts[0]), first > 0,
        let last = Int(parts[1].utf8.first == UInt8(ascii: "@") ? String(parts[1].dropFirst()) : parts[1]),
        last > 0
      else { continue }
      (self.first, self.last, isRange) = (first, last, true)
      return
    }
    return nil
  }
}

/// The last list shown in a terminal, so that `@1` can name its first note.
package struct LastList {
  /// The maximum number of notes that are stored.
  private static let limit = 1_000

  private let snapshot: BoxSnapshot
  private var box: Box { snapshot.box }

  package init(in snapshot: BoxSnapshot) { self.snapshot = snapshot }

  /// Stores the notes of a list for this terminal.
  package func remember(_ entries: [Entry]) {
    remember(entries) { $0.note.id?.bytes ?? $0.note.path }
  }

  func remember<Row>(_ rows: [Row], name: (Row) -> [UInt8]) {
    // A list of the past may show deleted notes.
    guard snapshot.source == .workTree else { return }
    let names = rows.prefix(Self.limit).map(name)
    // Without the file `@1` is unknown, which is reported when it is used. Names of files may contain line ends, never
    // NUL.
    try? box.makeStateFolder()
    try? Files.write(Array(names.joined(separator: [0])), to: listFile, permissions: .ofUser)
  }

  /// Returns the names of the notes of the last list in this terminal, in its order; empty if there was no list.
  package func names() -> [String] {
    (rememberedList() ?? []).map { ByteText.text(of: Self.withoutBox($0)) }
  }

  private static func withoutBox(_ name: [UInt8]) -> [UInt8] {
    Array(ListedBox(name)?.name ?? name)
  }

  /// Returns the check box that a number such as `@1` names; nil for any other reference, and if the last list was one of
  /// notes.
  func box(_ reference: String) throws(SlipboxError) -> ListedBox? {
    guard let numbers = ListedNumbers(reference), !numbers.isRange else { return nil }
    return ListedBox(try rememberedNames(reaching: numbers.last, for: reference)[numbers.last - 1])
  }

  /// Returns the check box that the last list in this terminal showed on a line of a note; nil if it showed none there.
  func box(of note: Note, line: Int) -> ListedBox? {
    rememberedList()?.lazy.compactMap { ListedBox($0) }.first { box in
      box.line == line && (box.name == note.id?.bytes || box.name == note.path)
    }
  }

  /// Returns the name of the note that a number such as `@1` names; nil for any other reference.
  func name(_ reference: String) throws(SlipboxError) -> String? {
    guard let numbers = ListedNumbers(reference), !numbers.isRange else { return nil }
    let names = try rememberedNames(reaching: numbers.last, for: reference)
    return ByteText.text(of: Self.withoutBox(names[numbers.last - 1]))
  }

  /// Returns the references to single notes of the last list that `@1-3` means; nil for any other reference.
  func names(_ reference: String) throws(SlipboxError) -> [String]? {
    guard let numbers = ListedNumbers(reference), numbers.isRange else { return nil }
    guard numbers.first <= numbers.last else {
      throw SlipboxError(
        .usage, "\(reference) is a reversed range", hints: ["write @\(numbers.last)-\(numbers.first)"])
    }
    _ = try rememberedNames(reaching: numbers.last, for: reference)
    return (numbers.first...numbers.last).map { "@\($0)" }
  }

  /// Returns the names of the last list.
  /// - Throws: `.notFound` if it has fewer names than a number.
  private func rememberedNames(
    reaching number: Int, for reference: String
  ) throws(SlipboxError) -> [[UInt8]] {
    let names = rememberedList()
    if let names, number <= names.count { return names }
    let what =
      switch names?.count {
      case nil: "no list has been shown in this terminal"
      case 0?: "the last list in this terminal was empty"
      case 1?: "the last list in this terminal had 1 note"
      case let count?: "the last list in this terminal had \(count) notes"
      }
    throw SlipboxError(
      .notFound, "\(reference): \(what)",
      hints: ["\(slip: "list") or \(slip: "search") shows a list; @1 is its first note"])
  }

  private func rememberedList() -> [[UInt8]]? {
    // Without the file no list was shown.
    guard let bytes = try? Files.read(listFile, limit: 1 << 20) else { return nil }
    return bytes.split(separator: 0).map(Array.init)
  }

  private var listFile: [UInt8] {
    BytePath.join(box.privateFolder, Array("lists/\(Terminal.sessionID ?? "none")".utf8))
  }
}
