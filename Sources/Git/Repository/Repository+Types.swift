extension Repository {
  package typealias Signature = Git.Signature
  package typealias Commit = Git.Commit
  package typealias TreeEntry = Git.TreeEntry
  package typealias TreeEdit = Git.TreeEdit
  package typealias IndexEntry = Git.IndexEntry
  package typealias IndexStatus = Git.IndexStatus
}
