import Bytes
import Platform
import SlipboxCore

/// Commits saved notes automatically if the settings say so.
///
/// With `lsp.commit: save` a note is committed when it is saved, with `idle` all saved notes after a quiet
/// interval. A file that another program has written since is left alone: its content is not the saved one.
final class AutomaticCommits: Sendable {
  /// When saved notes are committed.
  private enum Moment: String {
    case never, save, idle
  }

  private let boxes: Boxes
  private let perform: @Sendable (@escaping @Sendable () -> Void) -> Void
  private let say: @Sendable (String) -> Void
  private let saved = Mailbox<OpenDocument>()
  private let isDone = Mailbox<Void>()

  /// - Parameters:
  ///   - quiet: how long it has to be quiet, in milliseconds.
  ///   - perform: does work while nothing else is changed.
  ///   - say: receives why a note was not committed.
  init(
    _ boxes: Boxes, quiet: Int64,
    perform: @escaping @Sendable (@escaping @Sendable () -> Void) -> Void,
    say: @escaping @Sendable (String) -> Void
  ) {
    self.boxes = boxes
    self.perform = perform
    self.say = say
    let work: @Sendable () -> Void = { [self, saved, isDone] in
      while let first = saved.next() {
        var documents = [first]
        while let more = saved.all(within: quiet), !more.isEmpty { documents += more }
        let latest = documents
        commit(latest)
      }
      isDone.close()
    }
    if !Threads.detach(work) { isDone.close() }
  }

  /// Notes that the editor has saved a text.
  func saved(_ document: OpenDocument) {
    switch moment(of: document) {
    case .never: break
    case .save: perform { [self] in commit([document]) }
    case .idle: saved.put(document)
    }
  }

  /// Commits the remaining notes, and waits until that is done.
  func end() {
    saved.close()
    _ = isDone.next()
  }

  private func moment(of document: OpenDocument) -> Moment {
    guard let path = document.path, let box = boxes.box(of: path)?.box,
      let name = try? box.setting("lsp.commit")
    else { return .never }
    return Moment(rawValue: name) ?? .never
  }

  /// Commits texts whose files hold them still.
  private func commit(_ documents: [OpenDocument]) {
    var latest: [[UInt8]: (box: OpenBox, texts: [[UInt8]: [UInt8]])] = [:]
    for document in documents {
      guard let path = document.path, let (box, relative) = boxes.box(of: path) else { continue }
      latest[box.root, default: (box, [:])].texts[relative] = document.bytes
    }
    for (_, saved) in latest.sorted(by: { $0.key.lexicographicallyPrecedes($1.key) }) {
      do throws(SlipboxError) {
        try saved.box.commit(saved.texts)
      } catch {
        say("saved, not committed: \(ResponseError(error).message)")
      }
    }
  }
}
