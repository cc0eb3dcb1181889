import Bytes
package import NoteIndex
import Notes
import Platform
import Text

/// The last list shown in a terminal, so that `@1` can name its first note.
extension BoxSnapshot {
  /// The most notes that are remembered.
  private static let listLimit = 1_000

  /// Remembers the notes of a list for this terminal.
  package func rememberList(_ entries: [Entry]) {
    // What a list of the past shows need not be what is there now.
    guard source == .workTree else { return }
    let names = entries.prefix(Self.listLimit).map { $0.note.id?.bytes ?? $0.note.path }
    // Without it `@1` is not known, which is said then. Names of files may hold line ends, never NUL.
    try? box.makeStateFolder()
    try? Files.write(Array(names.joined(separator: [0])), to: listFile, permissions: .ofUser)
  }

  /// The names of the notes of the last list in this terminal, in its order; none where there was no list.
  package func lastList() -> [String] { (rememberedList() ?? []).map { ByteText.text(of: $0) } }

  /// The name of the note that `@1` and its like stand for; nil for any other reference.
  func nameInList(_ reference: String) throws(SlipboxError) -> String? {
    guard let numbers = ListedNumbers(reference), !numbers.isRange else { return nil }
    let names = try rememberedNames(reaching: numbers.last, for: reference)
    return ByteText.text(of: names[numbers.last - 1])
  }

  /// The references to single notes of the last list that `@1-3` stands for; nil for any other reference.
  func namesInList(_ reference: String) throws(SlipboxError) -> [String]? {
    guard let numbers = ListedNumbers(reference), numbers.isRange else { return nil }
    guard numbers.first <= numbers.last else {
      throw SlipboxError(
        .usage, "\(reference) is a reversed range", hints: ["write @\(numbers.last)-\(numbers.first)"])
    }
    _ = try rememberedNames(reaching: numbers.last, for: reference)
    return (numbers.first...numbers.last).map { "@\($0)" }
  }

  /// The names of the last list.
  /// - Throws: `.notFound` where it has fewer than a number.
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
      hints: ["slip list or slip search shows a list; @1 is its first note"])
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
