extension NoteText {
  /// The first thing in the file that is no text, a NUL byte or bytes that are not UTF-8; nil where all is.
  ///
  /// - Complexity: O(n).
  package var unreadable: Problem? {
    guard let offset = FrontMatterBytes.firstUnreadable(bytes) else { return nil }
    return problem(at: offset, bytes[offset] == 0 ? "a NUL byte" : "not UTF-8 text")
  }
}
