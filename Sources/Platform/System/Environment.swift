internal import CArguments
#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// The value of an environment variable, or nil if it is not set; invalid UTF-8 becomes U+FFFD.
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

  /// The clock by whose ticks the file systems of this machine set times, in nanoseconds since 1970.
  static func nowOfFiles() -> Int64 {
    var time = timespec()
    clock_gettime(LinuxCalls.Flag.clockOfFiles, &time)
    return FileTime(time).sinceEpoch
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

/// The process itself.
package enum CurrentProcess {
  /// Wraps getpid(2).
  package static var id: Int32 { getpid() }

  /// The process that started this one, or that took it over. Wraps getppid(2).
  package static var parentID: Int32 { getppid() }

  /// The effective user. Wraps geteuid(2).
  package static var userID: UInt32 { UInt32(geteuid()) }

  /// The name of this machine; nil if the system gives none. Wraps gethostname(2).
  package static var hostName: String? {
    var buffer = [CChar](repeating: 0, count: 256)
    guard gethostname(&buffer, buffer.count - 1) == 0 else { return nil }
    return String(decoding: buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  /// Ends the process after the handlers of exit(3).
  package static func exit(_ code: Int32) -> Never { endAfterHandlers(code) }

  /// Ends the process without the handlers of exit(3). Wraps _exit(2).
  package static func exitAtOnce(_ code: Int32) -> Never { _exit(code) }

  /// Lets the process open more files, until the returned function is called. Wraps setrlimit(2).
  static func allowOpenFiles(_ count: Int) -> () -> Void {
    #if canImport(Glibc)
      let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
    #else
      let resource = RLIMIT_NOFILE
    #endif
    var before = rlimit()
    guard getrlimit(resource, &before) == 0 else { return {} }
    var raised = before
    raised.rlim_cur = min(before.rlim_max, max(before.rlim_cur, rlim_t(count)))
    setrlimit(resource, &raised)
    return { setrlimit(resource, &before) }
  }
}

/// Wraps exit(3), whose name `CurrentProcess.exit` hides.
private func endAfterHandlers(_ code: Int32) -> Never { exit(code) }

/// The descriptors that a process starts with.
package enum StandardStream {
  package static let input: Int32 = 0
  package static let output: Int32 = 1
  package static let errors: Int32 = 2

  /// Whether a descriptor is a terminal. Wraps isatty(3).
  static func isTerminal(_ descriptor: Int32) -> Bool { isatty(descriptor) == 1 }
}

/// The memory of the process.
package enum Memory {
  /// Gives freed memory back to the system, which the allocator would keep for later.
  ///
  /// - Complexity: some milliseconds for some hundred megabytes.
  package static func giveBack() { LinuxCalls.giveFreedMemoryBack() }
}
