import Glibc
package import Notes
import Platform

/// Clock, chance and device name: what makes two runs of the same command differ.
package struct World: Sendable {
  /// Reads the clock.
  package let clock: @Sendable () -> ClockReading
  /// Where new ids come from.
  package let random: any RandomNumberGenerator & Sendable
  /// The name of this device.
  package let device: @Sendable () -> String
  /// How long a command works in silence before it shows how far it is.
  package let patienceMilliseconds: Int64

  package init(
    clock: @escaping @Sendable () -> ClockReading, random: any RandomNumberGenerator & Sendable,
    device: @escaping @Sendable () -> String, patienceMilliseconds: Int64 = 500
  ) {
    self.clock = clock
    self.random = random
    self.device = device
    self.patienceMilliseconds = patienceMilliseconds
  }

  /// The world as it is.
  package static let real = World(
    clock: {
      let time = LocalClock.now()
      let now = Timestamp(seconds: time.seconds, offsetSeconds: LocalClock.offset(at: time.seconds))
      return ClockReading(now: now, offset: { LocalClock.offset(at: $0) })
    },
    random: SystemRandomNumberGenerator(), device: hostName)

  /// The world of the running command.
  @TaskLocal static var current = World.real

  private static func hostName() -> String {
    var buffer = [CChar](repeating: 0, count: 256)
    guard gethostname(&buffer, buffer.count - 1) == 0 else { return "unknown" }
    return String(decoding: buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }
}
