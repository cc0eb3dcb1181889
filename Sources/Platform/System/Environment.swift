internal import CArguments
import Glibc

/// The value of an environment variable, or nil where it is not set; invalid UTF-8 becomes U+FFFD.
package func environment(_ name: String) -> String? {
  guard let value = getenv(name) else { return nil }
  return String(cString: value)
}

/// All environment variables as they are now; invalid UTF-8 becomes U+FFFD.
package func environmentVariables() -> [String: String] {
  var variables: [String: String] = [:]
  var next = environ
  while let entry = next.pointee {
    let line = Array(UnsafeRawBufferPointer(start: entry, count: strlen(entry)))
    if let equals = line.firstIndex(of: UInt8(ascii: "=")) {
      let name = String(decoding: line[..<equals], as: UTF8.self)
      variables[name] = String(decoding: line[(equals + 1)...], as: UTF8.self)
    }
    next += 1
  }
  return variables
}

/// The system's clock and the user's time zone.
package enum LocalClock {
  /// The time since 1970 in UTC.
  package static func now() -> (seconds: Int64, nanoseconds: Int32) {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return (Int64(time.tv_sec), Int32(truncatingIfNeeded: time.tv_nsec))
  }

  /// The offset of local time from UTC at an instant, in seconds; east is positive.
  ///
  /// The zone is `$TZ` or the system's; 0 for instants beyond the years that the C library can name.
  /// Wraps localtime_r(3).
  package static func offset(at seconds: Int64) -> Int {
    _ = zoneIsRead
    var instant = time_t(seconds)
    var parts = tm()
    guard localtime_r(&instant, &parts) != nil else { return 0 }
    return Int(parts.tm_gmtoff)
  }

  /// localtime_r(3) need not read the zone itself, unlike localtime(3).
  private static let zoneIsRead: Void = tzset()
}

/// The arguments that the process was started with.
package enum ProcessArguments {
  /// The arguments as bytes, the name of the program first.
  ///
  /// They come from the entry point of the C library. `CommandLine` finds none if a preloaded library has called
  /// `setenv` before the program began.
  package static var bytes: [[UInt8]] {
    guard let arguments = slipbox_arguments() else {
      return bytes(CommandLine.unsafeArgv, count: CommandLine.argc)
    }
    return bytes(arguments, count: slipbox_argument_count())
  }

  private static func bytes(
    _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>, count: Int32
  ) -> [[UInt8]] {
    (0..<Int(count)).compactMap { index in
      arguments[index].map { Array(UnsafeRawBufferPointer(start: $0, count: strlen($0))) }
    }
  }
}
