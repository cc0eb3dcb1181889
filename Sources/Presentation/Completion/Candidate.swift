import Text

/// Something that may stand in the place of the word being typed.
package struct Candidate: Equatable, Sendable {
  package let text: String
  /// A remark for people; may be empty.
  package let note: String

  /// - Returns: nil for a text that holds what no terminal or shell should be given: control characters, letters that
  ///   are not seen.
  package init?(_ text: String, _ note: String = "") {
    guard !text.isEmpty, !text.utf8.contains(0x09), Visible.escape(text).utf8.elementsEqual(text.utf8) else {
      return nil
    }
    self.text = text
    self.note = Visible.escape(note).split(separator: "\t").joined(separator: " ")
  }
}
