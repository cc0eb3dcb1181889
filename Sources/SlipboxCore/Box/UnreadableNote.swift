/// A file that is a note by its name and could not be read.
package struct UnreadableNote: Sendable {
  package let path: [UInt8]
  package let reason: String
  /// Whether the file is over the size limit of notes.
  var isTooLarge = false

  /// What the user can do.
  var remedy: String {
    isTooLarge ? "split or rename it; git add and git commit can commit it" : "check its permissions"
  }
}
