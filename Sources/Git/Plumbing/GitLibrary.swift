import CLibgit2

/// The one door to libgit2: its start, its statuses and its handles.
enum GitLibrary {
  /// Whether libgit2 has started, with its global switches as every thread needs them; the first look starts it.
  ///
  /// They are set here alone and never again: they belong to the process, and another thread may be in the middle of a
  /// call. Objects and refs are synced, hashes of objects are verified, two more extensions are accepted, and the owner of
  /// a repository is not checked by libgit2: `OpenRepository` asks git itself, which knows all forms of
  /// `safe.directory`.
  static let isReady: Bool = {
    guard git_libgit2_init() > 0 else { return false }
    return slipbox_git_enable_fsync(1) == 0 && slipbox_git_verify_hashes(1) == 0
      && slipbox_git_accept_extensions() == 0 && slipbox_git_validate_owner(0) == 0
  }()

  /// Starts libgit2, unless it is running.
  static func start() throws(GitError) {
    guard isReady else { throw .library(-1, "start libgit2") }
  }

  /// Throws if a status of libgit2 is an error.
  static func check(_ status: Int32, _ operation: @autoclosure () -> String) throws(GitError) {
    guard status >= 0 else { throw .library(status, operation()) }
  }

  /// Lends a buffer of libgit2 to a call that fills it, and copies its content.
  static func buffer(_ fill: (UnsafeMutablePointer<git_buf>) -> Int32) -> (status: Int32, bytes: [UInt8]) {
    var buffer = git_buf()
    let status = fill(&buffer)
    defer { git_buf_dispose(&buffer) }
    guard status >= 0, let start = buffer.ptr else { return (status, []) }
    return (status, Array(UnsafeRawBufferPointer(start: start, count: buffer.size)))
  }
}

/// An object of libgit2 that is freed with this value.
struct Handle: ~Copyable {
  let pointer: OpaquePointer
  private let free: @convention(c) (OpaquePointer?) -> Void

  /// Takes ownership of the object that a call of libgit2 creates.
  init(
    _ operation: @autoclosure () -> String, free: @escaping @convention(c) (OpaquePointer?) -> Void,
    _ make: (UnsafeMutablePointer<OpaquePointer?>) -> Int32
  ) throws(GitError) {
    var made: OpaquePointer?
    let status = make(&made)
    guard status >= 0, let made else { throw .library(status, operation()) }
    pointer = made
    self.free = free
  }

  deinit { free(pointer) }
}

/// The version of libgit2 that the program runs with.
package enum LibraryVersion {
  /// Wraps `git_libgit2_version`.
  package static var libgit2: String {
    var (major, minor, revision): (Int32, Int32, Int32) = (0, 0, 0)
    guard git_libgit2_version(&major, &minor, &revision) >= 0 else { return "unknown" }
    return "\(major).\(minor).\(revision)"
  }
}
