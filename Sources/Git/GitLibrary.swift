import CLibgit2

/// The one door to libgit2: its start, its statuses and its handles.
enum GitLibrary {
  /// Whether libgit2 has started, with fsync on; the first look starts it.
  static let isReady: Bool = {
    guard git_libgit2_init() > 0 else { return false }
    return slipbox_git_enable_fsync(1) == 0 && slipbox_git_accept_extensions() == 0
  }()

  /// Starts libgit2 where that has not happened yet.
  static func start() throws(GitError) {
    guard isReady else { throw .library(-1, "start libgit2") }
  }

  /// Throws where a status of libgit2 tells of a failure.
  static func check(_ status: Int32, _ operation: @autoclosure () -> String) throws(GitError) {
    guard status >= 0 else { throw .library(status, operation()) }
  }

  /// Lends a buffer of libgit2 to a call that fills it, and copies what it holds.
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

  /// Takes what a call of libgit2 makes.
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

extension ObjectID {
  init(_ id: git_oid) {
    var copy = id
    self = withUnsafeBytes(of: &copy) { buffer in
      buffer.baseAddress.map(ObjectID.init(loading:)) ?? .zero
    }
  }

  /// The name as libgit2 takes it.
  var oid: git_oid {
    var result = git_oid()
    let bytes = self.bytes
    withUnsafeMutableBytes(of: &result) { $0.copyBytes(from: bytes) }
    return result
  }
}
