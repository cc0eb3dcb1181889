/// Joins two changed versions of a note, field by field and line by line.
package enum NoteMerge {
  /// The name under which a conflict of the bodies is reported.
  package static let body = "body"
  /// The name under which a conflict of whole blocks of front-matter is reported.
  package static let frontMatter = "front-matter"

  /// Merges what `ours` and `theirs` made of `base`, on the bytes of `ours`.
  ///
  /// A field that one side changed takes that side, with its spelling; lists merge element by element; the bodies merge
  /// by lines (`LineMerge`). Of a field that both changed differently ours stays, and theirs is kept in a comment at the
  /// end of the body. Front-matter that can't be read is never merged: where only one side changed its block that one is
  /// taken, else ours stays and theirs is kept in a comment.
  ///
  /// - Returns: the note, and the names of the fields (or `body`, `front-matter`) that are in conflict, in the order
  ///   of the file.
  package static func merge(
    base: NoteText, ours: NoteText, theirs: NoteText
  ) -> (text: NoteText, conflicts: [String]) {
    if ours == theirs || theirs == base { return (ours, []) }
    if ours == base { return (theirs, []) }
    if isAllFrontMatter(ours) || isAllFrontMatter(theirs) { return keepingTheirs(ours, theirs) }
    var header = HeaderMerge(base: base, ours: ours, theirs: theirs)
    header.run()
    let lines = LineMerge.merge(
      base: Array(base.bytes[base.body]), ours: Array(ours.bytes[ours.body]),
      theirs: Array(theirs.bytes[theirs.body]))
    var merged = header.text.replacingBody(lines.bytes)
    for comment in header.comments { merged = merged.appending(comment) }
    return (merged, header.conflicts + (lines.conflicts > 0 ? [body] : []))
  }

  /// Whether front-matter begins that no fence closes: no line of such a note is safe to put a marker in.
  private static func isAllFrontMatter(_ text: NoteText) -> Bool {
    text.block == nil && !FrontMatter(text).isWritable
  }

  private static func keepingTheirs(_ ours: NoteText, _ theirs: NoteText) -> (
    text: NoteText, conflicts: [String]
  ) {
    let comment = MergeComment.text("the note was also saved as", theirs.bytes[...])
    return (ours.appending(comment), [frontMatter])
  }
}
