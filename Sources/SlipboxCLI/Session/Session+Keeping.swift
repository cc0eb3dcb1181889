import NoteIndex
import Notes
import SlipboxCore

/// Text from standard input, which nobody can type again.
extension Session {
  /// Opens the box and runs a body with it. Where either is refused, the text that was piped in is kept; where there is
  /// no box to keep it in, it is given back.
  ///
  /// - Parameters:
  ///   - text: the text from standard input; nil where none was read.
  ///   - name: what the file is called in which it is kept.
  ///   - again: a hint how it is used from that file.
  func withBox<Result>(
    keeping text: [UInt8]?, name: String, again: @escaping (_ file: String) -> String,
    _ body: (BoxSnapshot) throws -> Result
  ) throws -> Result {
    let snapshot: BoxSnapshot
    do throws(SlipboxError) {
      snapshot = try openBox()
    } catch {
      throw SlipboxError(error.kind, error.message, hints: error.hints, unsavedText: text ?? [])
    }
    do {
      return try body(snapshot)
    } catch {
      let refusal = error as? SlipboxError ?? (error as? QueryError).map { SlipboxError($0) }
      guard let text, let refusal else { throw error }
      throw snapshot.box.keeping(text, name: name, at: snapshot.clock.now, refusal, again: again)
    }
  }
}
