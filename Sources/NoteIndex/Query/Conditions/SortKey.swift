/// A field by which notes are sorted.
package struct SortKey: Sendable, Equatable {
  /// `title`, `created`, `modified`, `path`, `id`, `kind`, `urgency`, or any field of the front-matter.
  package let field: String
  /// Whether the greatest value comes first; notes without the field are last in either case.
  package let descending: Bool

  /// The key of what a kind's terms of urgency add up to.
  static let urgency = "urgency"

  package init(field: String, descending: Bool) {
    self.field = field
    self.descending = descending
  }

  /// Reads the names of fields with commas between them, a dash before those that descend: `-modified,title`.
  ///
  /// - Throws: `QueryError` with the place of a name that is missing.
  package static func parse(_ text: String) throws(QueryError) -> [SortKey] {
    let letters = text.utf8.enumerated().map {
      QueryLetter(byte: $0.element, isQuoted: false, offset: $0.offset)
    }
    var keys: [SortKey] = []
    for part in QueryValue.alternatives(of: letters[...], isProse: false) {
      do {
        keys.append(try SortKey(part, in: 0..<letters.count))
      } catch {
        throw QueryError(error, in: Array(text.utf8))
      }
    }
    return keys
  }

  /// Reads one key; `whole` is what is at fault where there is nothing to read.
  init(_ letters: ArraySlice<QueryLetter>, in whole: Range<Int>) throws(QueryFault) {
    let descends = letters.first?.isPlain("-") ?? false
    let name = descends ? letters.dropFirst() : letters
    guard !name.isBlank, name.first?.isPlain("-") != true else {
      throw QueryFault(
        "the name of a field to sort by is missing", at: letters.range ?? whole,
        hint: "as in sort:-modified,title")
    }
    self.init(field: name.text, descending: descends)
  }

  /// The key in the form it is read from.
  var described: String {
    let letters = field.utf8.map { QueryLetter(byte: $0, isQuoted: false, offset: 0) }
    return (descending ? "-" : "") + QueryValue.shown(letters[...])
  }
}
