import Glibc

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
