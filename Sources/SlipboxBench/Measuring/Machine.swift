import Glibc

/// The machine and the programs that the figures come from.
enum Machine {
  /// Names and values: date, machine, versions.
  static func setting(_ programs: Programs) -> [(name: String, value: String)] {
    func version(_ program: String?) -> String {
      guard let program else { return "not installed" }
      let text = (try? Command([program, "--version"], in: "/").checked()) ?? "unknown"
      return String(text.prefix { $0 != "\n" })
    }
    return [
      ("date", date()), ("processor", "\(processor()), \(sysconf(Int32(_SC_NPROCESSORS_ONLN))) cores"),
      ("memory", "\(memoryBytes() / 1_000_000_000) GB"), ("kernel", kernel()),
      ("load", load()),
      ("slip", version(programs.slip)), ("git", version(programs.git)), ("rg", version(programs.ripgrep)),
      ("sqlite", String(version(programs.sqlite).prefix(17))),
    ]
  }

  /// The meaning of the column of memory: wait4(2) reports at least the peak of the parent for a child.
  static func memoryNote() -> (name: String, value: String) {
    var usage = rusage()
    getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
    let own = usage.ru_maxrss * 1_024 / 1_000_000
    return ("MB", "resident memory of slip at its peak; under \(own) MB can't be told apart")
  }

  /// How many programs wanted a processor during the last minute.
  private static func load() -> String {
    var averages = [0.0]
    guard getloadavg(&averages, 1) == 1 else { return "unknown" }
    let isBusy = averages[0] > Double(sysconf(Int32(_SC_NPROCESSORS_ONLN))) / 2
    return Figures.fixed(averages[0], 1)
      + (isBusy ? ": other programs were at work, so only the ratios mean something" : "")
  }

  private static func date() -> String {
    var now = time(nil)
    var parts = tm()
    gmtime_r(&now, &parts)
    var buffer = [CChar](repeating: 0, count: 40)
    strftime(&buffer, buffer.count, "%Y-%m-%dT%H:%M:%SZ", &parts)
    return text(of: buffer)
  }

  private static func processor() -> String {
    let line = (try? TextFile.read("/proc/cpuinfo"))?.split(separator: "\n").first {
      $0.hasPrefix("model name")
    }
    guard let name = line?.split(separator: ":").last else { return "unknown" }
    return String(name.drop { $0 == " " })
  }

  private static func memoryBytes() -> Int { sysconf(Int32(_SC_PHYS_PAGES)) * sysconf(Int32(_SC_PAGESIZE)) }

  private static func kernel() -> String {
    var names = utsname()
    guard uname(&names) == 0 else { return "unknown" }
    return withUnsafeBytes(of: &names.sysname) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
      + " "
      + withUnsafeBytes(of: &names.release) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
  }

  private static func text(of buffer: [CChar]) -> String {
    String(decoding: buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }
}
