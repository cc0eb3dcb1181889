import Git
import NoteIndex
package import Notes
import Platform
import Synchronization
import Text

/// Fetches the texts of notes by the ids of their contents.
///
/// A file that is unchanged since it was indexed is read; otherwise git supplies the content. A text that neither has is
/// an error, never an empty note.
final class NoteTexts: Sendable {
  private let box: Box
  private let isAtCommit: Bool
  /// The texts that replace files, by path.
  private let unsaved: [[UInt8]: [UInt8]]
  private let failures: TextFailures

  /// - Parameters:
  ///   - isAtCommit: whether only the indexed content is valid; otherwise a file that was changed since is read again.
  ///   - unsaved: the texts that replace files, by path.
  ///   - failures: receives the failures of the texts that the index reads.
  init(_ box: Box, isAtCommit: Bool, unsaved: [[UInt8]: [UInt8]], failures: TextFailures) {
    self.box = box
    self.isAtCommit = isAtCommit
    self.unsaved = unsaved
    self.failures = failures
  }

  /// Returns a source of a note's text for the index.
  func source(_ path: [UInt8], _ content: ContentID, _ stamp: FileStamp?) -> TextSource {
    TextSource { () throws(UnreadText) in try self.indexed(path, content, stamp) }
  }

  /// Returns the text of a note for the index.
  func indexed(_ path: [UInt8], _ content: ContentID, _ stamp: FileStamp?) throws(UnreadText) -> [UInt8] {
    do throws(SlipboxError) {
      return try bytes(path, content, stamp)
    } catch {
      failures.add(error)
      throw UnreadText(error)
    }
  }

  /// Returns the text of a note. A failure is not cached: the next request retries.
  /// - Parameter stamp: the stamp of the file when its content was indexed; nil if it is not known.
  func bytes(
    _ path: [UInt8], _ content: ContentID, _ stamp: FileStamp?
  ) throws(SlipboxError) -> [UInt8] {
    if let text = unsaved[path] { return text }
    var changed: [UInt8]?
    var problem: SlipboxError?
    do throws(SystemError) {
      let file = try box.folder.read(path, limit: nil)
      if let stamp, stamp == FileStamp(file.status) { return file.bytes }
      if ContentID(ObjectID(ofBlob: file.bytes).bytes) == content { return file.bytes }
      changed = file.bytes
    } catch {
      problem = SlipboxError(error)
    }
    if !isAtCommit, let changed { return changed }
    if let id = ObjectID(bytes: content.bytes) {
      do throws(SlipboxError) { return try box.contentBesideOthers(of: id, at: path) } catch {
        problem = problem ?? error
      }
    }
    let error =
      problem ?? SlipboxError(.inputOutput, "\(path) changed while it was read")
    throw SlipboxError(error.kind, error.message, hints: error.hints, retry: "try again")
  }

  /// Answers a request to the index, whose tests can't throw: they treat a text that can't be read as empty.
  ///
  /// - Throws: the failure to read a text meanwhile.
  func answer<Answer>(_ ask: () throws(SlipboxError) -> Answer) throws(SlipboxError) -> Answer {
    let before = failures.count
    let answer = try ask()
    try failures.refuse(since: before)
    return answer
  }
}

/// The failures to read texts for tests of the index, which can't throw.
final class TextFailures: Sendable {
  private let state = Mutex<(count: Int, last: SlipboxError?)>((0, nil))

  fileprivate var count: Int { state.withLock { $0.count } }

  fileprivate func add(_ error: SlipboxError) { state.withLock { $0 = ($0.count + 1, error) } }

  fileprivate func refuse(since before: Int) throws(SlipboxError) {
    let (count, last) = state.withLock { $0 }
    if let last, count != before { throw last }
  }
}

extension Note {
  /// The whole text. If the note came from a record, the first call reads its file.
  package var text: NoteText {
    get throws(SlipboxError) {
      do throws(UnreadText) { return try readText() } catch { throw SlipboxError(error) }
    }
  }
}

extension Note {
  /// The body as text without line ends around it.
  package var bodyText: String {
    get throws(SlipboxError) {
      let text = try text
      let body = String(decoding: text.bytes[text.body], as: UTF8.self)
      return String(body.drop(while: \.isNewline).reversed().drop(while: \.isNewline).reversed())
    }
  }
}

extension SlipboxError {
  /// Converts the failure to read the text of a note; all readers of the core fail with their own error.
  fileprivate init(_ unread: UnreadText) {
    self = unread.reason as? SlipboxError ?? SlipboxError(.inputOutput, "\("\(unread.reason)")")
  }
}
