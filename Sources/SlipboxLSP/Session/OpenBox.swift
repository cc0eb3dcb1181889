import Bytes
import NoteIndex
import Notes
import Platform
import Presentation
import SlipboxCore
import Synchronization
import Text

/// A box that a file of the editor is in: its snapshot of now, kept up to date by a watch of its folders.
final class OpenBox: Sendable {
  /// The absolute path as the editor writes it.
  let root: [UInt8]
  private let circumstances: Circumstances
  /// Told whenever the box has changed.
  private let onChange: @Sendable (OpenBox) -> Void
  private let state = Mutex(State())
  private let opening = Mutex<Result<Moment, SlipboxError>?>(nil)

  /// The box on disk at one moment.
  private struct Moment: Sendable {
    let snapshot: BoxSnapshot
    let names: NoteNameIndex
    let facts: CompletionFacts

    init(_ snapshot: BoxSnapshot, _ names: NoteNameIndex) {
      self.snapshot = snapshot
      self.names = names
      facts = CompletionFacts(snapshot)
    }
  }

  private struct State {
    var moment: Moment?
    /// The view that was asked for last.
    var view: BoxView?
  }

  init(
    _ root: [UInt8], _ circumstances: Circumstances, onChange: @escaping @Sendable (OpenBox) -> Void
  ) {
    self.root = root
    self.circumstances = circumstances
    self.onChange = onChange
  }

  /// The circumstances of a command in this box, with the clock read now.
  func context() -> CommandContext {
    var context = circumstances.context(in: root)
    context.face = "lsp"
    return context
  }

  /// The box as it is known, with some documents laid over it.
  ///
  /// - Throws: why the box can't be read.
  func view(_ documents: [[UInt8]: OpenDocument]) throws(SlipboxError) -> BoxView {
    let moment = try moment()
    if let known = state.withLock({ $0.view }), known.saved === moment.snapshot,
      known.documents.count == documents.count,
      documents.allSatisfy({ known.documents[$0.key] === $0.value })
    {
      return known
    }
    let view = try BoxView(
      moment.snapshot, moment.names, moment.facts, root: root, documents: documents, context())
    state.withLock { $0.view = view }
    return view
  }

  /// The box as a look at all files finds it now, with some documents laid over it, for a change.
  ///
  /// - Throws: why the box can't be read.
  func viewForChange(_ documents: [[UInt8]: OpenDocument]) throws(SlipboxError) -> BoxView {
    let moment = try moment()
    return try BoxView(
      try lookedAt(), moment.names, moment.facts, root: root, documents: documents, context())
  }

  /// The box as a look at all files finds it now, for a change.
  func lookedAt() throws(SlipboxError) -> BoxSnapshot {
    try WorkTreeReader(try moment().snapshot.box, context()).snapshot()
  }

  /// Whether a setting excludes a file from the notes.
  func excludes(_ path: [UInt8]) -> Bool {
    // If the box can't be read, the request itself says why.
    (try? moment().snapshot.box.excluded.covers(path)) ?? false
  }

  private func moment() throws(SlipboxError) -> Moment {
    if let moment = state.withLock({ $0.moment }) { return moment }
    let opened = opening.withLock { known in
      if case .success? = known { return known }
      let made: Result<Moment, SlipboxError>
      do throws(SlipboxError) { made = .success(try open()) } catch { made = .failure(error) }
      known = made
      return made
    }
    guard let opened else { throw SlipboxError(.bug, "the box was not opened") }
    return try opened.get()
  }

  /// Opens the box and begins to watch it.
  ///
  /// The first answer does not wait for the watch: what changes before it is there is found by a second look.
  private func open() throws(SlipboxError) -> Moment {
    let snapshot = try BoxOpening.snapshot(named: root, context())
    let moment = Moment(snapshot, try NoteNameIndex(of: snapshot))
    state.withLock { $0.moment = moment }
    if !Threads.detach({ [self] in keepUpToDate(from: moment) }) {
      circumstances.say(
        "can't watch \(DocumentURI.uri(root)): changes by other programs are not noticed")
    }
    return moment
  }
}

extension OpenBox {
  /// Makes the next snapshot whenever something has changed, until the client is gone.
  private func keepUpToDate(from first: Moment) {
    var moment = first
    BoxWatch.follow(moment.snapshot.box, output: circumstances.output) { (changes) throws(SlipboxError) in
      let next = try next(after: moment, changes)
      if next.snapshot !== moment.snapshot {
        moment = next
        state.withLock { $0.moment = next }
        onChange(self)
      }
      return next.snapshot
    }
  }

  /// The box after some changes; the same moment where a look at all of it finds it as it was.
  private func next(after moment: Moment, _ changes: WatchedChanges) throws(SlipboxError) -> Moment {
    let reader = WorkTreeReader(moment.snapshot.box, context())
    guard !changes.isEverythingNew else {
      let snapshot = try reader.snapshot()
      let isSameDay = snapshot.clock.today == moment.snapshot.clock.today
      if isSameDay, try SnapshotMarks(of: snapshot).areOfSameNotes(as: moment.snapshot) { return moment }
      return Moment(snapshot, try NoteNameIndex(of: snapshot))
    }
    let snapshot = try reader.snapshot(after: moment.snapshot, changes)
    return Moment(snapshot, try moment.names.updated(by: changes, in: snapshot))
  }
}

extension OpenBox {
  /// A setting of the box, else of the user.
  ///
  /// - Throws: if the box can't be read.
  func setting(_ name: String) throws(SlipboxError) -> String? {
    let own = try view([:]).saved.settings[name]
    return own ?? Settings.user(context())[name]
  }

  /// Commits files as they are on disk, each only if it holds a text.
  ///
  /// - Parameter texts: the texts by their paths.
  func commit(_ texts: [[UInt8]: [UInt8]]) throws(SlipboxError) {
    let snapshot = try lookedAt()
    let isSame = { (path: [UInt8]) throws(SlipboxError) -> Bool in
      guard let bytes = try snapshot.bytes(at: path), let text = texts[path] else { return false }
      // A mark at the beginning belongs to the file, not to the text in the editor.
      return bytes == text
        || bytes.starts(with: [0xEF, 0xBB, 0xBF]) && bytes.dropFirst(3).elementsEqual(text)
    }
    var paths: [[UInt8]] = []
    for path in texts.keys.sorted(by: { $0.lexicographicallyPrecedes($1) }) where try isSame(path) {
      paths.append(path)
    }
    if let reason = try OutsideChanges(in: snapshot).exposed(among: paths).values.first {
      throw SlipboxError(.configuration, reason)
    }
    let files = try UncommittedFiles(paths, in: snapshot.box)
    guard !files.paths.isEmpty else { return }
    _ = try BoxWriter(snapshot.box, context(), after: snapshot).commitAsFound(files.paths) {
      () throws(SlipboxError) in
      for path in files.paths where try !isSame(path) {
        throw SlipboxError(.busy, "another program changed a saved note")
      }
    }
  }
}
