/// The result of resolving a reference to a note.
package enum Resolution: Sendable {
  /// It names one note.
  case found(Entry)
  /// It fits several notes, newest first.
  case ambiguous([Entry])
  /// It fits none; these come near it, nearest first, and so many more do.
  case none(candidates: [Entry], more: Int)
}
