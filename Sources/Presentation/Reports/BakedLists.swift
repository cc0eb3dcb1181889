package import NoteIndex
import Notes
package import SlipboxCore
import Text

/// The lists of baked blocks, as the notes that they are in may show them.
package final class BakedLists {
  /// A box as lists in some notes may show it, and the notes that they leave out.
  private struct Readable {
    let snapshot: BoxSnapshot
    let presenter: NotePresenter
    let hidden: Set<[UInt8]>
  }

  private let snapshot: BoxSnapshot
  /// By the filters of the notes.
  private var known: [String?: Readable] = [:]

  package init(in snapshot: BoxSnapshot) { self.snapshot = snapshot }

  /// The lines of a view in a note at a path, and the encrypted notes that they leave out.
  /// - Throws: as `ViewAnswer`.
  package func lines(
    of view: View, in path: [UInt8]
  ) throws -> (lines: [String], leftOut: [[UInt8]]) {
    let readable = try readable(at: path)
    let answer = try ViewAnswer(view, in: readable.snapshot)
    var leftOut: [[UInt8]] = []
    if !readable.hidden.isEmpty {
      let all = try ViewAnswer(view, in: snapshot).sources(of: view, in: snapshot)
      leftOut = all.map(\.note.path).filter(readable.hidden.contains)
    }
    return (answer.markdown(readable.presenter, from: path), leftOut)
  }

  /// The notes that the lines of a view in a note at a path come from.
  package func sources(of view: View, in path: [UInt8]) throws -> [Entry] {
    let snapshot = try readable(at: path).snapshot
    return try ViewAnswer(view, in: snapshot).sources(of: view, in: snapshot)
  }

  private func readable(at path: [UInt8]) throws -> Readable {
    let filter = snapshot.box.encryption(of: path)
    if let readable = known[filter] { return readable }
    let hidden = try snapshot.encryptedNotes(apartFrom: path)
    let shown = snapshot.without(hidden)
    let readable = Readable(snapshot: shown, presenter: NotePresenter(shown), hidden: hidden)
    known[filter] = readable
    return readable
  }
}

extension ViewAnswer {
  /// The notes that the answer comes from.
  fileprivate func sources(of view: View, in snapshot: BoxSnapshot) -> [Entry] {
    switch self {
    case .agenda, .todos: entries
    // Counts and sums come from all notes of the query.
    default: (try? ViewNotes(view, in: snapshot).matches.map(\.entry)) ?? []
    }
  }
}
