extension BoxFolder {
  /// What came of reading a file.
  package typealias Reading = Result<(bytes: [UInt8], status: FileStatus), SystemError>

  /// Reads many files on several threads, and makes of each what the function makes of it, on the thread that
  /// has read it.
  ///
  /// Each file is read as `read` does it.
  ///
  /// - Parameter transform: Called with the index of the path and the file, or the reason why it can't be read.
  /// - Returns: The values in the order of the paths.
  package func readAll<Value: Sendable>(
    _ paths: [[UInt8]], limit: Int? = nil, _ transform: @escaping @Sendable (Int, Reading) -> Value
  ) -> [Value] {
    concurrentMap(Array(paths.indices), threads: Self.readingThreads) { index in
      do throws(SystemError) {
        return transform(index, .success(try read(paths[index], limit: limit)))
      } catch {
        return transform(index, .failure(error))
      }
    }
  }

  /// So many that a disk is kept busy; what is in memory is read as fast by many as by few.
  private static let readingThreads = 16
}
