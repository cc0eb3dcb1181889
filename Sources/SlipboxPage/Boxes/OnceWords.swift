import Platform
import Synchronization

/// The words of the changes that were carried out: a page that could not hear the answer asks again with the same word,
/// and nothing is changed a second time.
package final class OnceWords: Sendable {
  /// A change that was carried out.
  private struct Change: Sendable {
    let word: String
    /// The notes that were answered, as requests name them; none of those that another server carried out.
    var refs: [String] = []
  }

  /// So many are known, and so many of them after the server was started again.
  private static let most = 500
  private static let mostKept = 200
  private static let longest = 40

  private let file: [UInt8]?
  private let changes: Mutex<[Change]>

  /// - Parameter file: where the words are kept; nil where they are not.
  package init(keptIn file: [UInt8]? = nil) {
    self.file = file
    changes = Mutex(Self.read(file).map { Change(word: $0) })
  }

  /// The file of the words beside the record of a server.
  package static func file(besideRecord record: [UInt8]) -> [UInt8] { record + Array("-once".utf8) }

  /// Whether a word is one of 1 to 40 letters, digits and hyphens.
  static func isWord(_ text: String) -> Bool {
    (1...longest).contains(text.utf8.count)
      && text.utf8.allSatisfy { byte in
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
          || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || byte == UInt8(ascii: "-")
      }
  }

  /// The notes of the answer to a change that was carried out, as far as they are known; nil where it was not.
  func refs(of word: String) -> [String]? {
    changes.withLock { changes in changes.last { $0.word == word }?.refs }
  }

  /// Notes that a change was carried out.
  func add(_ word: String, refs: [String]) {
    let kept = changes.withLock { changes in
      changes.append(Change(word: word, refs: refs))
      if changes.count > Self.most { changes.removeFirst(changes.count - Self.most) }
      return changes.suffix(Self.mostKept).map(\.word)
    }
    guard let file else { return }
    // Where it can't be written, only a server that is started again does not know of it.
    try? Files.writePrivate(Array((kept.joined(separator: "\n") + "\n").utf8), to: file)
  }

  /// The words of a file; none where it is missing, or others could have written it.
  private static func read(_ file: [UInt8]?) -> [String] {
    guard let bytes = file.flatMap({ Files.readPrivate($0) }) else { return [] }
    return bytes.split(separator: 0x0A).map { String(decoding: $0, as: UTF8.self) }.filter(isWord)
  }
}
