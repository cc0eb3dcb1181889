import NoteIndex
import Notes
import Platform

/// The notes of a snapshot, with the ids of their contents.
enum NoteContents: Sendable {
  case workTree(WorkTreeNotes)
  case commit(CommitNotes)

  /// The notes.
  var catalogue: Catalogue {
    switch self {
    case .workTree(let notes): notes.catalogue
    case .commit(let notes): notes.catalogue
    }
  }

  /// Notes by their names that could not be read, by path.
  var unreadable: [UnreadableNote] {
    switch self {
    case .workTree(let notes): notes.unreadable
    case .commit(let notes): notes.unreadable
    }
  }

  /// The notes of the work tree; nil for those of a commit.
  var workTree: WorkTreeNotes? { if case .workTree(let notes) = self { notes } else { nil } }

  /// The kept catalogue whose documents stand behind the stored entries; nil where there is none.
  var kept: KeptCatalogue? {
    switch self {
    case .workTree(let notes): notes.kept
    case .commit(let notes): notes.kept
    }
  }
}
