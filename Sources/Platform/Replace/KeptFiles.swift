import Glibc
import Synchronization

/// A replaced file that another program wrote to, or still has open, after its name was given to the new one.
package struct KeptFile: Sendable, Equatable {
  /// The path of the note, relative to the box.
  package let path: [UInt8]
  /// The path of the old file, relative to the box.
  package let temporary: [UInt8]
}

/// The replaced files that could not be let go, until somebody finds a place for them.
package final class KeptFiles: Sendable {
  private let files = Mutex<[KeptFile]>([])

  func add(_ file: KeptFile) { files.withLock { $0.append(file) } }

  /// Takes all files out.
  package func takeAll() -> [KeptFile] {
    files.withLock { files in
      defer { files = [] }
      return files
    }
  }
}

extension BoxFolder {
  /// How long a program is waited for that had the old file open before it was replaced, in milliseconds.
  static let patienceMilliseconds = 1_000

  /// Removes an old file, provided that nobody has written to it or can; else it stays and is kept in mind.
  ///
  /// This is the only way in which a file goes that once had a public name.
  /// - Parameter expecting: The bytes that are also kept elsewhere.
  /// - Returns: Whether it went.
  @discardableResult
  func letGo(_ name: [UInt8], of place: AnchoredPath, expecting: [UInt8]?) -> Bool {
    let deadline = Waiting.now() + Int64(Self.patienceMilliseconds)
    while true {
      guard let status = (try? FileStatus.of(name, in: place.folder.number)) ?? nil else { return true }
      guard status.kind == .file else {
        TemporaryFile.remove(name, in: place.folder)
        return true
      }
      // One that can't be opened is kept after the same wait.
      if let found = try? quietFile(name, in: place.folder) {
        guard let bytes = try? found.read(name), bytes == expecting else { break }
        TemporaryFile.remove(name, in: place.folder)
        withExtendedLifetime(found) {}
        return true
      }
      guard Waiting.now() < deadline else { break }
      usleep(2_000)
    }
    let parts = place.parts.dropLast() + [name]
    kept.add(KeptFile(path: place.path, temporary: Array(parts.joined(separator: [UInt8(ascii: "/")]))))
    return false
  }
}
