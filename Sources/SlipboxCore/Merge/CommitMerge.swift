import Git
import Notes

/// The scope of a merge of files.
enum MergeScope {
  /// Links follow the notes that a side moved, and no two new notes have one id.
  case box
  /// Each file is merged by itself, as other programs merge.
  case files
}

/// Merges two commits over the best base that their history has.
///
/// If there are several best ancestors, as in criss-cross histories, they are first merged with each other into a virtual
/// base, in the order of their ids. So every device that merges has the same base.
struct CommitMerge<Store: MergeStore> {
  /// The maximum nesting of virtual bases.
  private static var deepest: Int { 8 }

  private let store: Store
  private let rules: MergeRules
  private let scope: MergeScope
  private let removed: Set<[UInt8]>

  /// - Parameter removed: the paths that the user removed after git had stopped (see `TreeMerge`).
  init(_ store: Store, rules: MergeRules, scope: MergeScope = .box, removed: Set<[UInt8]> = []) {
    self.store = store
    self.rules = rules
    self.scope = scope
    self.removed = removed
  }

  func merge(_ one: ObjectID, _ other: ObjectID) throws(SlipboxError) -> TreeMerge<Store> {
    try merge(one, other, depth: 0)
  }

  private func merge(
    _ one: ObjectID, _ other: ObjectID, depth: Int
  ) throws(SlipboxError) -> TreeMerge<Store> {
    let bases = try store.bases(of: one, and: other).sorted()
    var base = bases.first
    for next in bases.dropFirst() where depth < Self.deepest {
      guard let before = base else { break }
      let edits = try merge(before, next, depth: depth + 1).edits(of: before)
      base = try store.virtualCommit(before, edits, parents: [before, next])
    }
    return try TreeMerge(
      store, base: base, bases: bases, one: one, other: other, rules: rules, scope: scope,
      removed: depth == 0 ? removed : [])
  }
}

/// The test whether two commits have anything to merge.
///
/// Devices that exchange the same work through several remotes each create their own merge of the same commits. Such
/// commits have the same files, and differ only in merges. A merge of them would be one more that the other remotes do
/// not have, and so on without an end.
struct MergeNews<Store: MergeStore> {
  /// The maximum number of commits that are read before the answer is that there is news.
  private static var most: Int { 200 }

  private let store: Store

  init(_ store: Store) { self.store = store }

  /// Returns whether one of the commits has files that the other does not have, or comes from a change that the other
  /// does not have.
  func isAny(between one: ObjectID, _ other: ObjectID) throws(SlipboxError) -> Bool {
    guard try store.differences(from: one, to: other).isEmpty else { return true }
    if try hasChange(one, missingIn: other) { return true }
    return try hasChange(other, missingIn: one)
  }

  /// Returns whether a commit that is not a merge is in the history of a tip and not in that of another.
  private func hasChange(_ tip: ObjectID, missingIn other: ObjectID) throws(SlipboxError) -> Bool {
    var open = [tip]
    var seen = Set(open)
    while let commit = open.popLast() {
      if try store.bases(of: commit, and: other) == [commit] { continue }
      let parents = try store.commit(commit).parents
      guard parents.count > 1, seen.count <= Self.most else { return true }
      for parent in parents where seen.insert(parent).inserted { open.append(parent) }
    }
    return false
  }
}

/// A file of the result of a merge.
struct MergedFile {
  let blob: ObjectID
  let mode: UInt32
  /// The blob before the merge rewrote links in it; if two were merged, the greater. Paths beside others are named after
  /// it, so that they don't depend on the links.
  var origin: ObjectID
  /// The id of the note; nil if it has none, and for one of two versions that could not be merged.
  var id: NoteID?
  /// Whether it is one of two versions that could not be merged.
  var isApart = false
  /// The paths of the file on the sides and in the base; nil if it does not exist there.
  var paths: (one: [UInt8]?, other: [UInt8]?, base: [UInt8]?) = (nil, nil, nil)

  init(blob: ObjectID, mode: UInt32, origin: ObjectID, id: NoteID? = nil, isApart: Bool = false) {
    (self.blob, self.mode, self.origin, self.id, self.isApart) = (blob, mode, origin, id, isApart)
  }

  func path(on side: MergeSide) -> [UInt8]? { side == .one ? paths.one : paths.other }

  /// Returns whether the file keeps a path that another file needs too: without an id the path is its identity.
  func precedes(_ file: MergedFile) -> Bool {
    if id != file.id {
      guard let id else { return true }
      return file.id.map { id < $0 } ?? false
    }
    return (origin, blob, mode) < (file.origin, file.blob, file.mode)
  }
}

/// A conflict of a merge, in which both versions are kept.
package struct MergeConflict: Sendable, Equatable {
  /// The path, from the root of the repository.
  package let path: [UInt8]
  package let kind: Kind

  package enum Kind: Sendable, Equatable {
    /// Both values of these fields, or both texts, are in the note.
    case parts([String])
    /// One side deleted the file and the other changed it, so it stays.
    case deleted
    /// Both versions are kept as files; this is the path of the other one.
    case apart([UInt8])
    /// Another file has the path that the file had on a side, which is this.
    case renamed(from: [UInt8])
    /// Both sides created a note without an id there, and it has the lines of both.
    case joined
  }
}
