import Glibc
package import Notes
import Platform

/// Clock, chance and device name: what makes two runs of the same command differ.
package struct CommandEnvironment: Sendable {
  /// Reads the clock.
  package let clock: @Sendable () -> ClockReading
  /// The source of new ids.
  package let random: any RandomNumberGenerator & Sendable
  /// The name of this device, or of its host.
  package let device: @Sendable () -> String
  /// Whether the name is the host's, which may change.
  let isHostName: Bool
  /// The time for which a command works in silence before it shows how far it is.
  package let patienceMilliseconds: Int64

  package init(
    clock: @escaping @Sendable () -> ClockReading, random: any RandomNumberGenerator & Sendable,
    device: @escaping @Sendable () -> String, isHostName: Bool = false,
    patienceMilliseconds: Int64 = 500
  ) {
    self.clock = clock
    self.random = random
    self.device = device
    self.isHostName = isHostName
    self.patienceMilliseconds = patienceMilliseconds
  }

  /// The clock and host name of this machine, and random ids.
  package static let system = CommandEnvironment(
    clock: {
      let time = LocalClock.now()
      let now = Timestamp(seconds: time.seconds, offsetSeconds: LocalClock.offset(at: time.seconds))
      return ClockReading(now: now, offset: { LocalClock.offset(at: $0) })
    },
    random: SystemRandomNumberGenerator(), device: hostName, isHostName: true)

  private static func hostName() -> String {
    var buffer = [CChar](repeating: 0, count: 256)
    guard gethostname(&buffer, buffer.count - 1) == 0 else { return "unknown" }
    return String(decoding: buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }
}
