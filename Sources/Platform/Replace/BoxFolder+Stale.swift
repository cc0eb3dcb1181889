import Glibc

extension BoxFolder {
  /// Removes temporary files that an interrupted replacement has left.
  ///
  /// Such a file may hold the only copy of what another program saved just before the interruption, so it
  /// goes only where its bytes are known. Files with other names are left alone.
  ///
  /// - Parameter paths: The files, as `DirectoryWalk.Result.temporaries` has them.
  /// - Parameter olderThanSeconds: The age below which a file may belong to a replacement under way.
  /// - Parameter isKnown: Whether bytes are also kept elsewhere.
  /// - Returns: The old ones that were kept.
  package func removeStaleTemporaries(
    _ paths: [[UInt8]], olderThanSeconds: Int64, isKnown: ([UInt8]) -> Bool
  ) -> [[UInt8]] {
    let now = LocalClock.now().seconds
    return paths.filter { path in
      guard TemporaryFile.isTemporary(Files.split(path).name),
        let place = try? place(of: path, for: .reading, followingLast: false),
        let found = try? place.read(), now - found.status.changed.seconds > olderThanSeconds
      else { return false }
      // A program that still has it open may write more.
      guard isKnown(found.bytes), let file = try? quietFile(place.name, in: place.folder) else { return true }
      defer { withExtendedLifetime(file) {} }
      TemporaryFile.remove(place.name, in: place.folder)
      return false
    }
  }
}
