import Glibc

/// The programs that are measured.
struct Programs {
  let slip: String
  let git: String
  /// Nil where it is not installed, as are the next.
  let ripgrep: String?
  let sqlite: String?
  let hugo: String?

  /// - Throws: Where slip or git is missing.
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

  /// The path from the root; where it does not exist, as it is.
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
