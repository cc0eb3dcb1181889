/// A part of a note that JSON and CSV have only where it is asked for with `--with`.
package enum RequestedPart: String, CaseIterable, Sendable {
  case body, links, backlinks

  /// The names of all parts, as help and messages list them.
  package static var names: String { allCases.map(\.rawValue).joined(separator: ", ") }

  /// Reads names with commas between them; nil where one of them is no part.
  package static func parse(_ names: String) -> Set<RequestedPart>? {
    let parts = names.split(separator: ",", omittingEmptySubsequences: false).map {
      RequestedPart(rawValue: String($0))
    }
    let known = parts.compactMap { $0 }
    return known.count == parts.count ? Set(known) : nil
  }
}
