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
  private let failure = Mutex<SlipboxError?>(nil)

  /// - Parameters:
  ///   - isAtCommit: whether only the indexed content will do; else a file that was changed since is read anew.
  ///   - unsaved: the texts that stand in the place of files, by path.
  init(_ box: Box, isAtCommit: Bool, unsaved: [[UInt8]: [UInt8]]) {
    self.box = box
    self.isAtCommit = isAtCommit
    self.unsaved = unsaved
  }

  /// The text of a note.
  /// - Parameter stamp: the stamp of the file when its content was indexed; nil where it is not known.
  func bytes(_ path: [UInt8], _ content: ContentID, _ stamp: FileStamp?) -> [UInt8] {
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
      do throws(SlipboxError) { return try box.blobBesideOthers(id) } catch { problem = problem ?? error }
    }
    let error =
      problem ?? SlipboxError(.inputOutput, "\(Visible.escape(path)) changed while it was read")
    failure.withLock { known in
      known = known ?? SlipboxError(error.kind, error.message, hints: error.hints + ["try again"])
    }
    return []
  }

  /// - Throws: the first failure so far.
  func refuseFailures() throws(SlipboxError) {
    if let error = failure.withLock({ $0 }) { throw error }
  }
}
