import Bytes
import Notes

extension Catalogue {
  /// Finds the note that a typed reference names, without the keys of kinds; see `resolve(_:_:keys:)`.
  package func resolve(_ reference: String, fuzzy: Bool) -> Resolution {
    resolve(reference, .typed(fuzzy: fuzzy))
  }

  /// Finds the note that a name means by a rule.
  ///
  /// - Parameters:
  ///   - keys: the fields whose values are names of records.
  ///   - suggests: whether near notes are looked for where it means none, which goes over all titles.
  /// - Complexity: O(n) for the first few names, O(log n) for more of them where they fit.
  package func resolve(
    _ name: String, _ rule: NameRule, keys: RecordKeys = .none, suggests: Bool = true
  ) -> Resolution {
    var bytes = Array(name.utf8)
    if bytes.starts(with: "./".utf8) { bytes.removeFirst(2) }
    guard !bytes.isEmpty else { return .none(candidates: [], more: 0) }
    let places = names.places(named: bytes, rule, keys)
    switch places.count {
    case 0:
      guard suggests else { return .none(candidates: [], more: 0) }
      let near = names.near(name, rule)
      return .none(candidates: near.places.map { entries[$0] }, more: near.more)
    case 1: return .found(entries[places[0]])
    default: return .ambiguous(places.map { entries[$0] })
    }
  }

  /// The place of the one note that a name means by a rule; nil for none or several. Nothing is looked for beyond that.
  package func place(named name: String, _ rule: NameRule, keys: RecordKeys = .none) -> Int? {
    let places = names.places(named: Array(name.utf8), rule, keys)
    return places.count == 1 ? places[0] : nil
  }
}
