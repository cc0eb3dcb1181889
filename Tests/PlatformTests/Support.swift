import Glibc
import Platform
import SlipboxTesting

/// The bytes of a text.
func b(_ text: String) -> [UInt8] { Array(text.utf8) }

/// Text from bytes, for comparisons that print well.
func s(_ bytes: [UInt8]?) -> String? { bytes.map { String(decoding: $0, as: UTF8.self) } }

extension TemporaryFolder {
  /// The absolute path of something inside, as bytes.
  func at(_ relative: String) -> [UInt8] { bytes + b("/" + relative) }

  /// The names that a folder inside holds, hidden ones too.
  func names(_ relative: String = ".") -> [String] {
    ((try? Files.list(at(relative))) ?? []).map { String(decoding: $0, as: UTF8.self) }
  }

  func link(_ relative: String, to target: String) { _ = symlink(target, path + "/" + relative) }

  func setMode(_ relative: String, _ mode: mode_t) { chmod(path + "/" + relative, mode) }

  func mode(_ relative: String) -> UInt32? {
    ((try? Files.status(at(relative))) ?? nil).map { $0.mode & 0o7777 }
  }

  func kind(_ relative: String) -> FileStatus.Kind? { ((try? Files.status(at(relative))) ?? nil)?.kind }
}

/// A file system in memory of its own, for full disks and read-only ones.
final class SmallDisk: Sendable {
  let folder: TemporaryFolder

  /// Tests that use it are enabled if `Machine.mayMount`.
  init(options: String) throws {
    folder = try TemporaryFolder()
    guard mount("tmpfs", folder.path, "tmpfs", 0, options) == 0 else { throw MountFailure(code: errno) }
  }

  deinit { umount2(folder.path, 2) }

  func makeReadOnly() throws {
    let options = UInt(MS_REMOUNT) | UInt(MS_RDONLY)
    guard mount("tmpfs", folder.path, "tmpfs", options, nil) == 0 else { throw MountFailure(code: errno) }
  }
}

/// A file system that could not be mounted.
struct MountFailure: Error { let code: Int32 }

/// The error that the body throws, or nil.
func failure<Failure: Error>(_ body: () throws(Failure) -> Void) -> Failure? {
  do throws(Failure) {
    try body()
    return nil
  } catch {
    return error
  }
}
