import Glibc

/// A terminal that no window shows: what one end writes the other reads, byte for byte.
package final class Pseudoterminal: Sendable {
  let ownEnd: Descriptor
  let otherEnd: Descriptor

  /// The descriptor of who plays the window.
  package var own: Int32 { ownEnd.number }
  /// The descriptor of the program that runs in it.
  package var other: Int32 { otherEnd.number }

  /// `TIOCSPTLCK`, `TIOCGPTN`. Source: ioctl_tty(2).
  private static let (setLock, getNumber): (UInt, UInt) = (0x4004_5431, 0x8004_5430)

  /// - Throws: where the system gives none.
  package init(columns: Int, rows: Int) throws(SystemError) {
    ownEnd = try Descriptor.open(Array("/dev/ptmx".utf8), O_RDWR | O_NOCTTY | O_CLOEXEC)
    var lock: Int32 = 0
    var number: Int32 = 0
    guard ioctl(ownEnd.number, Self.setLock, &lock) == 0, ioctl(ownEnd.number, Self.getNumber, &number) == 0
    else {
      throw SystemError("open terminal", [])
    }
    otherEnd = try Descriptor.open(Array("/dev/pts/\(number)".utf8), O_RDWR | O_NOCTTY | O_CLOEXEC)
    var settings = termios()
    tcgetattr(otherEnd.number, &settings)
    cfmakeraw(&settings)
    tcsetattr(otherEnd.number, TCSANOW, &settings)
    var size = winsize()
    size.ws_col = UInt16(clamping: columns)
    size.ws_row = UInt16(clamping: rows)
    _ = ioctl(otherEnd.number, UInt(TIOCSWINSZ), &size)
  }
}
