import Git
import NoteIndex
import Notes
import Platform
import Synchronization
import Text

/// Fetches the texts of notes by the ids of their contents.
///
/// A file that is as it was indexed is read; else git is asked for the content. A text that is nowhere is a failure that
/// the answer has to name, never an empty note.
final class NoteTexts: Sendable {
  private let box: Box
  private let isAtCommit: Bool
  /// The texts that stand in the place of files, by path.
  private let unsaved: [[UInt8]: [UInt8]]
  /// The last failure, when it was, and whether an answer was refused for it.
  private let failure = Mutex<(error: SlipboxError, time: ContinuousClock.Instant, isReported: Bool)?>(nil)
  /// How long a failure that was reported refuses answers that other threads make meanwhile.
  private static let refusalTime = Duration.seconds(10)

  /// - Parameters:
  ///   - isAtCommit: whether only the indexed content will do; else a file that was changed since is read anew.
  ///   - unsaved: the texts that stand in the place of files, by path.
  init(_ box: Box, isAtCommit: Bool, unsaved: [[UInt8]: [UInt8]]) {
    self.box = box
    self.isAtCommit = isAtCommit
    self.unsaved = unsaved
  }

  /// The text of a note; nil if it can't be read, so that the next request tries again.
  /// - Parameter stamp: the stamp of the file when its content was indexed; nil where it is not known.
  func bytes(_ path: [UInt8], _ content: ContentID, _ stamp: FileStamp?) -> [UInt8]? {
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
    let shown = SlipboxError(error.kind, error.message, hints: error.hints + ["try again"])
    failure.withLock { $0 = (shown, ContinuousClock.now, isReported: false) }
    return nil
  }

  /// Refuses an answer that was made while a text could not be read.
  ///
  /// - Throws: the last failure, until it was thrown and some seconds have passed: then the texts are read again.
  func refuseFailures() throws(SlipboxError) {
    let error = failure.withLock { failure -> SlipboxError? in
      guard let known = failure else { return nil }
      if known.isReported, ContinuousClock.now - known.time > Self.refusalTime {
        failure = nil
        return nil
      }
      failure?.isReported = true
      return known.error
    }
    if let error { throw error }
  }
}
