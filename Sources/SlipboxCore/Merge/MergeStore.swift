import Git
import Notes

/// Where a merge reads commits and files, and keeps what it makes of them: a repository, or a model of one.
protocol MergeStore {
  /// The folder of the box with a slash at its end, from the root of the repository.
  var prefix: [UInt8] { get }
  /// A commit with its parents and who made it when.
  func commit(_ id: ObjectID) throws(SlipboxError) -> MergeCommit
  /// The files that differ between two commits, by path; a first commit that is nil has no files.
  func differences(from old: ObjectID?, to new: ObjectID) throws(SlipboxError) -> [FileDifference]
  func file(_ path: [UInt8], at commit: ObjectID) throws(SlipboxError) -> TreeEntry?
  func bytes(of blob: ObjectID) throws(SlipboxError) -> [UInt8]
  func store(_ bytes: [UInt8]) throws(SlipboxError) -> ObjectID
  /// The best common ancestors of two commits, in any order; none where they have none.
  func bases(of one: ObjectID, and other: ObjectID) throws(SlipboxError) -> [ObjectID]
  /// Makes a commit that no branch leads to: the files of another with edits.
  func virtualCommit(
    _ base: ObjectID, _ edits: [TreeEdit], parents: [ObjectID]
  ) throws(SlipboxError) -> ObjectID
}

/// What a merge has to know of a commit.
struct MergeCommit: Sendable {
  let parents: [ObjectID]
  let stamp: MergeStamp
  /// Whether slip made the commit from its parents, and nobody changed it since.
  let isMergeOfSlip: Bool
}
