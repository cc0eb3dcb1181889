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

/// The programs that are measured.
struct Programs {
  let slip: String
  let git: String
  /// nil if it is not installed, as are the next.
  let ripgrep: String?
  let sqlite: String?
  let hugo: String?

  /// - Throws: if slip or git is missing.
  init(slip: String?) throws {
    self.slip = try Self.absolute(slip ?? Self.besideSelf("slip"))
    guard access(self.slip, X_OK) == 0 else {
      throw BenchError("\(self.slip) is no program; name one with --slip, or build it: make bench")
    }
    guard let git = Self.find("git") else { throw BenchError("git is not installed") }
    self.git = git
    ripgrep = Self.find("rg")
    sqlite = Self.find("sqlite3")
    hugo = Self.find("hugo")
  }

  /// The file of this program.
  static func own() throws -> String {
    guard let path = realpath("/proc/self/exe", nil) else { throw BenchError.system("/proc/self/exe") }
    defer { free(path) }
    return String(cString: path)
  }

  private static func besideSelf(_ name: String) throws -> String {
    let parts = try own().split(separator: "/").dropLast()
    return "/" + parts.joined(separator: "/") + "/" + name
  }

  /// The path from the root; if it does not exist, as it is.
  static func absolute(_ path: String) throws -> String {
    if path.hasPrefix("/") { return path }
    guard let folder = getcwd(nil, 0) else { throw BenchError.system("working directory") }
    defer { free(folder) }
    return String(cString: folder) + "/" + path
  }

  private static func find(_ name: String) -> String? {
    let path = getenv("PATH").map { String(cString: $0) } ?? "/usr/bin:/bin"
    return path.split(separator: ":").map { "\($0)/\(name)" }.first { access($0, X_OK) == 0 }
  }
}

/// The memory of another process.
enum ProcessMemory {
  /// The peak resident memory in bytes; 0 if the system does not report it.
  static func peakBytes(of process: pid_t) -> Int {
    let status = (try? TextFile.read("/proc/\(process)/status")) ?? ""
    let line = status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") }
    return (line.flatMap { Int($0.filter(\.isNumber)) } ?? 0) * 1_024
  }
}

/// The baseline "stat scan": the least work that finds the changed files of a box, on one thread.
///
/// It skips names that begin with a point, such as `.git`.
enum Floor {
  /// Looks at every file and returns how many there are: getdents64(2) of every folder, fstatat(2) of every
  /// file.
  static func walk(_ root: String) throws -> Int {
    var count = 0
    var status = stat()
    try visitFiles(of: root) { folder, name in
      guard fstatat(folder, name, &status, AT_SYMLINK_NOFOLLOW) == 0 else { throw BenchError.system("stat") }
      count += 1
    }
    return count
  }

  /// Reads every file without a look at it, and returns the bytes.
  static func readAll(_ root: String) throws -> Int {
    var bytes = 0
    try withUnsafeTemporaryAllocation(byteCount: 1 << 16, alignment: 16) { buffer in
      try visitFiles(of: root) { folder, name in
        let file = openat(folder, name, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { throw BenchError.system("open") }
        defer { close(file) }
        var count = buffer.count
        while count == buffer.count {
          count = read(file, buffer.baseAddress, buffer.count)
          guard count >= 0 else { throw BenchError.system("read") }
          bytes += count
        }
      }
    }
    return bytes
  }

  /// Makes a file of 1,200 bytes so that it survives a power cut: written, synced, renamed, the folder synced.
  static func writeDurably(in folder: String, name: String) throws {
    let directory = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard directory >= 0 else { throw BenchError.system(folder) }
    defer { close(directory) }
    let temporary = name + ".part"
    let file = openat(directory, temporary, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
    guard file >= 0 else { throw BenchError.system(temporary) }
    defer { close(file) }
    let bytes = [UInt8](repeating: UInt8(ascii: "x"), count: 1_200)
    guard write(file, bytes, bytes.count) == bytes.count, fsync(file) == 0,
      renameat(directory, temporary, directory, name) == 0, fsync(directory) == 0
    else { throw BenchError.system(name) }
  }

  private typealias Visitor = (_ folder: Int32, _ name: UnsafePointer<CChar>) throws -> Void

  private static func visitFiles(of root: String, _ visit: Visitor) throws {
    let folder = open(root, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard folder >= 0 else { throw BenchError.system(root) }
    try visitFiles(in: folder, visit)
  }

  /// Owns the descriptor. Folders below are visited after the files.
  private static func visitFiles(in folder: Int32, _ visit: Visitor) throws {
    guard let stream = fdopendir(folder) else { throw BenchError.system("list") }
    defer { closedir(stream) }
    var folders: [[CChar]] = []
    while let entry = readdir(stream) {
      let name = UnsafeRawPointer(entry).advanced(by: nameOffset).assumingMemoryBound(to: CChar.self)
      if name.pointee == CChar(UInt8(ascii: ".")) { continue }
      if Int(entry.pointee.d_type) == DT_DIR {
        folders.append(Array(UnsafeBufferPointer(start: name, count: strlen(name) + 1)))
      } else {
        try visit(folder, name)
      }
    }
    for name in folders {
      let below = openat(folder, name, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
      guard below >= 0 else { throw BenchError.system("open") }
      try visitFiles(in: below, visit)
    }
  }

  /// The offset of the name in `struct dirent64`.
  private static let nameOffset = 19
}
