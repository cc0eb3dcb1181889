import Platform

/// The permissions that `core.sharedRepository` gives to the files and folders of a git folder.
///
/// Source: git-config(1), and `calc_shared_perm` in git's `path.c`.
struct SharedMode: Equatable, Sendable {
  /// The bits of a file that its owner may write; none if the umask alone decides.
  private let bits: UInt32
  /// Whether the bits replace those that the umask left, instead of being added to them.
  private let isExact: Bool

  private init(bits: UInt32, isExact: Bool = false) {
    self.bits = bits
    self.isExact = isExact
  }

  /// The umask alone decides.
  static let umask = SharedMode(bits: 0)
  static let group = SharedMode(bits: 0o660)
  static let everybody = SharedMode(bits: 0o664)

  /// Reads a value of the setting as git does; nil if git would refuse it.
  ///
  /// - Parameter isTrue: The value as a truth value, which counts if it is no other word and no number.
  init?(_ value: String, isTrue: Bool) {
    switch value {
    case "umask": self = .umask
    case "group": self = .group
    case "all", "world", "everybody": self = .everybody
    default:
      guard let number = UInt32(value, radix: 8) else {
        self = isTrue ? .group : .umask
        return
      }
      switch number {
      case 0: self = .umask
      case 1: self = .group
      case 2: self = .everybody
      case let number where number & 0o600 == 0o600: self.init(bits: number & 0o666, isExact: true)
      default: return nil
      }
    }
  }

  /// The mode of a file or folder that was made with a mode.
  func mode(_ mode: UInt32, isFolder: Bool) -> UInt32 {
    guard bits != 0 else { return mode }
    var added = bits
    if mode & 0o200 == 0 { added &= ~0o222 }
    if mode & 0o100 != 0 { added |= (added & 0o444) >> 2 }
    let shared = isExact ? mode & ~0o777 | added : mode | added
    guard isFolder else { return shared }
    // New files in a folder get its group only if the folder has the setgid bit.
    return shared | (shared & 0o444) >> 2 | (shared & 0o060 == 0 ? 0 : 0o2000)
  }

  /// Gives a file or folder its permissions, if this user may change them.
  func apply(to path: [UInt8]) {
    guard bits != 0, let status = RawFile.status(path), status.kind == .file || status.kind == .directory
    else { return }
    let new = mode(status.mode & 0o7777, isFolder: status.kind == .directory)
    // The owner of an older file may be another user, whose git does it.
    if new != status.mode & 0o7777 { try? Files.setMode(path, new) }
  }
}
