import Glibc
import Platform
import SlipboxTesting
import Testing

@Suite struct TerminalTests {
  /// A pseudo terminal: its two ends.
  private func pseudoTerminal() throws -> (master: Int32, slave: Int32) {
    let master = open("/dev/ptmx", O_RDWR | O_NOCTTY)
    var lock: Int32 = 0
    var number: UInt32 = 0
    let (unlocking, numbering): (UInt, UInt) = (0x4004_5431, 0x8004_5430)  // TIOCSPTLCK, TIOCGPTN
    try #require(
      master >= 0 && ioctl(master, unlocking, &lock) == 0 && ioctl(master, numbering, &number) == 0)
    return (master, open("/dev/pts/\(number)", O_RDWR | O_NOCTTY))
  }

  @Test func knowsTerminalsAndTheirWidth() throws {
    let (master, slave) = try pseudoTerminal()
    defer { [master, slave].forEach { close($0) } }
    #expect(Terminal.isTerminal(slave))
    var size = winsize(ws_row: 24, ws_col: 133, ws_xpixel: 0, ws_ypixel: 0)
    #expect(ioctl(master, UInt(TIOCSWINSZ), &size) == 0)
    #expect(Terminal.columns(slave) == 133)
  }

  @Test func knowsWhatIsNone() throws {
    let null = open("/dev/null", O_RDWR)
    defer { close(null) }
    #expect(!Terminal.isTerminal(null))
    if environment("COLUMNS") == nil { #expect(Terminal.columns(null) == nil) }
  }
}

@Suite struct EnvironmentTests {
  @Test func readsVariables() {
    #expect(environment("PATH")?.isEmpty == false)
    #expect(environment("SLIP_NO_SUCH_VARIABLE") == nil)
  }

  @Test func knowsTheClock() {
    let now = LocalClock.now()
    #expect(abs(now.seconds - Int64(time(nil))) <= 1)
    #expect((0..<1_000_000_000).contains(now.nanoseconds))
  }

  @Test func knowsOffsetsOfAllInstants() throws {
    for seconds in [0, 1_700_000_000, -4_000_000_000, 7_000_000_000, Int64.max, Int64.min] {
      let offset = LocalClock.offset(at: seconds)
      #expect((-86_400...86_400).contains(offset))
    }
  }
}
