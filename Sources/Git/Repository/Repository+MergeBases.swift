import CLibgit2

extension Repository {
  /// The best common ancestors of two commits, in no order; none where they have none.
  ///
  /// Wraps `git_merge_bases`.
  /// - Complexity: linear in the commits that the two do not share.
  package func mergeBases(of one: ObjectID, and other: ObjectID) throws(GitError) -> [ObjectID] {
    var names = (one.oid, other.oid)
    var found = git_oidarray()
    let status = git_merge_bases(&found, try open().repository, &names.0, &names.1)
    if status == GIT_ENOTFOUND.rawValue { return [] }
    try GitLibrary.check(status, "find the common ancestors of two commits")
    defer { git_oidarray_dispose(&found) }
    return (0..<found.count).map { ObjectID(found.ids[$0]) }
  }

  /// Writes a blob of bytes as git stores them: no filter changes them.
  package func writeBlob(asStored bytes: [UInt8]) throws(GitError) -> ObjectID { try store(.blob, bytes) }
}
