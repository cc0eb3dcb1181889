import Glibc
import Synchronization

/// The folders that were made for files, until somebody says that these stay or go.
final class MadeFolders: Sendable {
  private let paths = Mutex<[[[UInt8]]]>([])

  /// - Parameter parts: those of the folder's path.
  func add(_ parts: [[UInt8]]) { paths.withLock { $0.append(parts) } }

  /// Takes all out, in the order in which they were made.
  func takeAll() -> [[[UInt8]]] {
    paths.withLock { paths in
      defer { paths = [] }
      return paths
    }
  }
}

extension BoxFolder {
  /// Runs a body that writes files; where it fails, the folders that it made are removed again, as far as they are empty.
  package func takingFoldersBack<Result, Failure>(
    _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    _ = made.takeAll()
    do throws(Failure) {
      let result = try body()
      _ = made.takeAll()
      return result
    } catch {
      for parts in made.takeAll().reversed() {
        guard let name = parts.last, let path = try? terminated(name, "remove folder"),
          let folder = try? openFolder(parts.dropLast(), name, for: .writing)
        else { continue }
        if unlinkat(folder.number, path, Int32(AT_REMOVEDIR)) == 0 { try? folder.sync(name) }
      }
      throw error
    }
  }
}
