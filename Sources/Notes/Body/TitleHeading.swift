/// The heading that may give a note its title: the first of the first level, where there is none the first.
package struct TitleHeading: Sendable, Equatable {
  /// Without markup, not empty, at most about 1,000 bytes of it.
  package let text: String
  /// Whether it is of the first level. One below names a part of the note, so the name of the file goes before it.
  package let isTop: Bool
}
