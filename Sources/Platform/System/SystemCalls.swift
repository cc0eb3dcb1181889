#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// A system call that failed, or a refusal of this module's own.
package struct SystemError: Error, Sendable, Equatable {
  /// The attempted operation as a verb: "open", "rename".
  package let operation: String
  /// The path as it was given, in bytes; empty if there is none.
  package let path: [UInt8]
  /// The `errno` of the call, or one of the negative codes below.
  package let code: Int32

  package init(operation: String, path: [UInt8], code: Int32) {
    self.operation = operation
    self.path = path
    self.code = code
  }

  /// The code for an entry that is not of the requested type: a FIFO, a device, a folder.
  package static let notRegular: Int32 = -1
  /// The code of a path that leaves its box, or that passes through a symbolic link.
  package static let leavesBox: Int32 = -2

  /// The reason in words, as strerror(3) gives it.
  package var reason: String {
    switch code {
    case Self.notRegular: return "Not a regular file"
    case Self.leavesBox: return "The path passes through a symbolic link"
    default: return Self.words(for: code)
    }
  }

  /// Whether the file, or a folder above it, does not exist.
  package var isMissing: Bool { code == ENOENT || code == ENOTDIR }

  /// Whether the path is a folder instead of a file.
  package var isFolder: Bool { code == EISDIR }

  /// Whether something has the name already.
  package var isOccupied: Bool { code == EEXIST }

  /// Whether the file exceeds the limit of the read.
  package var isTooLarge: Bool { code == EFBIG }

  /// Whether permissions or a read-only file system forbid it.
  package var isPermission: Bool { code == EACCES || code == EPERM || code == EROFS }

  /// The words for a code of `errno`. Wraps strerror_r(3).
  package static func words(for code: Int32) -> String {
    var buffer = [CChar](repeating: 0, count: 256)
    guard strerror_r(code, &buffer, buffer.count) == 0 else { return "Error \(code)" }
    let text = buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
    return String(decoding: text, as: UTF8.self)
  }
}

extension SystemError {
  /// The codes of `errno` that callers distinguish, by the names of errno(3).
  package enum Code {
    /// `EACCES`
    package static let noAccess = EACCES
    /// `EAGAIN`
    package static let wouldBlock = EAGAIN
    /// `EEXIST`
    package static let exists = EEXIST
    /// `EFBIG`
    package static let tooLarge = EFBIG
    /// `EINTR`
    package static let interrupted = EINTR
    /// `EINVAL`
    package static let invalid = EINVAL
    /// `ELOOP`
    package static let tooManyLinksFollowed = ELOOP
    /// `EMLINK`
    package static let tooManyNames = EMLINK
    /// `ENOENT`
    package static let missing = ENOENT
    /// `ENOEXEC`
    package static let notExecutable = ENOEXEC
    /// `ENOLCK`
    package static let noLocks = ENOLCK
    /// `ENOMEM`
    package static let noMemory = ENOMEM
    /// `ENOSPC`
    package static let noSpace = ENOSPC
    /// `ENOSYS`
    package static let noSuchCall = ENOSYS
    /// `ENOTDIR`
    package static let notFolder = ENOTDIR
    /// `EOPNOTSUPP`
    package static let unsupported = EOPNOTSUPP
    /// `EPERM`
    package static let notPermitted = EPERM
    /// `EXDEV`
    package static let otherFileSystem = EXDEV
  }

  /// The failure of the call that has just set `errno`.
  init(_ operation: String, _ path: [UInt8]) {
    self.init(operation: operation, path: path, code: errno)
  }
}

/// The bytes of a path with a closing NUL, for C.
/// - Throws: `EINVAL` if the path is empty or holds a NUL, which would silently name another file.
func terminated(_ path: some Collection<UInt8>, _ operation: String) throws(SystemError) -> [CChar] {
  guard !path.isEmpty, !path.contains(0) else {
    throw SystemError(operation: operation, path: Array(path), code: path.isEmpty ? ENOENT : EINVAL)
  }
  var bytes: [CChar] = []
  bytes.reserveCapacity(path.count + 1)
  for byte in path { bytes.append(CChar(bitPattern: byte)) }
  bytes.append(0)
  return bytes
}

extension SystemError {
  /// Throws unless a call returned 0.
  static func check(_ code: Int32, _ operation: String, _ path: [UInt8]) throws(SystemError) {
    guard code == 0 else { throw SystemError(operation: operation, path: path, code: code) }
  }
}

/// Repeats a call that a signal interrupted.
func retrying<Result: SignedInteger>(_ call: () -> Result) -> Result {
  while true {
    let result = call()
    if result != -1 || errno != EINTR { return result }
  }
}

/// Waiting for something that another process holds.
package enum Waiting {
  /// Repeats an attempt that answers false until it answers true or the time is over, with pauses that grow and differ by
  /// chance, so that two waiters do not stay in step.
  ///
  /// - Returns: whether an attempt answered true.
  package static func retrying<Failure>(
    milliseconds: Int, _ attempt: () throws(Failure) -> Bool
  ) throws(Failure) -> Bool {
    let deadline = now() + Int64(milliseconds)
    var pause: Int64 = 5
    while try !attempt() {
      let left = deadline - now()
      guard left > 0 else { return false }
      usleep(UInt32(1_000 * min(left, Int64.random(in: (pause / 2)...pause))))
      pause = min(200, pause * 2)
    }
    return true
  }

  /// Does nothing for a while.
  package static func pause(milliseconds: Int) { pause(microseconds: 1_000 * milliseconds) }

  /// Does nothing for a while. Wraps usleep(3).
  static func pause(microseconds: Int) { usleep(UInt32(microseconds)) }

  /// Milliseconds of the monotonic clock.
  package static func now() -> Int64 {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Int64(time.tv_sec) * 1_000 + Int64(time.tv_nsec) / 1_000_000
  }
}
