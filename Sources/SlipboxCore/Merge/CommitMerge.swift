import Git
import Notes

/// Merges two commits over the best base that their history has.
///
/// Several best ancestors, as histories that cross have them, are first merged with each other into a virtual base, in the
/// order of their ids, so that everybody who merges has the same base.
struct CommitMerge<Store: MergeStore> {
  /// Virtual bases inside of each other that are made.
  private static var deepest: Int { 8 }

  private let store: Store
  private let rules: MergeRules

  init(_ store: Store, rules: MergeRules) {
    self.store = store
    self.rules = rules
  }

  func merge(_ one: ObjectID, _ other: ObjectID) throws(SlipboxError) -> TreeMerge<Store> {
    try TreeMerge(store, base: try base(of: one, other, depth: 0), one: one, other: other, rules: rules)
  }

  private func base(of one: ObjectID, _ other: ObjectID, depth: Int) throws(SlipboxError) -> ObjectID? {
    let bases = try store.bases(of: one, and: other).sorted()
    guard var base = bases.first else { return nil }
    guard depth < Self.deepest else { return base }
    for next in bases.dropFirst() {
      let merged = try TreeMerge(
        store, base: try self.base(of: base, next, depth: depth + 1), one: base, other: next, rules: rules)
      base = try store.virtualCommit(base, try merged.edits(of: base), parents: [base, next])
    }
    return base
  }
}
