import Glibc
import Platform

/// A terminal window in which `slip browse` runs.
final class ScreenClient {
  private let process: pid_t
  private let terminal: Pseudoterminal
  /// How many bytes the last frame took.
  private(set) var frameBytes = 0

  private static let frameEnd = Array("\u{1B}[?2026l".utf8)
  private static let longestMilliseconds: Int32 = 20_000

  /// Starts the screen in a folder.
  init(_ slip: String, in folder: String) throws {
    guard chdir(folder) == 0 else { throw BenchError.system(folder) }
    terminal = try Pseudoterminal(columns: 120, rows: 40)
    process = try Command.spawn([slip, "browse"], input: terminal.other, output: terminal.other)
  }

  deinit {
    kill(process, SIGTERM)
    // What it writes at its end has to be read, or it waits.
    var status: Int32 = 0
    while waitpid(process, &status, WNOHANG) == 0 { _ = read(within: 10) }
  }

  /// Waits for a frame that shows a text; any for an empty one.
  func frame(showing text: String = "") throws {
    var bytes: [UInt8] = []
    let wanted = Array(text.utf8)
    while true {
      let chunk = read(within: Self.longestMilliseconds)
      guard !chunk.isEmpty else { throw BenchError("no frame: the screen is silent") }
      bytes += chunk
      frameBytes = bytes.count
      let isWhole = bytes.suffix(Self.frameEnd.count).elementsEqual(Self.frameEnd)
      if isWhole, wanted.isEmpty || bytes.indices.contains(where: { bytes[$0...].starts(with: wanted) }) {
        return
      }
    }
  }

  /// Takes what still comes, until nothing has come for a moment.
  func settle() { while !read(within: 300).isEmpty {} }

  /// Presses a key.
  func press(_ key: String) throws {
    let bytes = Array(key.utf8)
    guard write(terminal.own, bytes, bytes.count) == bytes.count else { throw BenchError.system("write") }
  }

  private func read(within milliseconds: Int32) -> [UInt8] {
    var stream = pollfd(fd: terminal.own, events: Int16(POLLIN), revents: 0)
    guard poll(&stream, 1, milliseconds) > 0 else { return [] }
    var bytes = [UInt8](repeating: 0, count: 1 << 16)
    let count = Glibc.read(terminal.own, &bytes, bytes.count)
    return Array(bytes.prefix(max(0, count)))
  }

  /// The largest resident memory of the screen, in bytes.
  func peakBytes() -> Int { ProcessMemory.peakBytes(of: process) }
}
