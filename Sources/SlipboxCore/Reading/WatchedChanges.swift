/// The files of a box that may have changed since it was last read.
package struct WatchedChanges: Sendable, Equatable {
  /// The files that may be other ones, relative to the box.
  package var paths: Set<[UInt8]> = []
  /// The folders that were removed or renamed, with all that was in them.
  package var goneFolders: Set<[UInt8]> = []
  /// Whether other files than notes may have come, changed or gone.
  package var areOthersNew = false
  /// Whether git's index or the commit that the box stands on may be other ones.
  package var isGitNew = false
  /// Whether anything may have changed: settings, ignore rules, or more than the system could tell.
  package var isEverythingNew = false

  package init(everything: Bool = false) { isEverythingNew = everything }

  package var isEmpty: Bool { self == WatchedChanges() }
}
