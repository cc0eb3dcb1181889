import ArgumentParser
import Bytes
import Platform
import SlipboxCore

/// A program of the user's own that is run as a command: `slip NAME` runs `slip-NAME` from the PATH.
struct OwnProgram {
  private let path: [UInt8]
  private let words: [String]
  private let globals: [String]

  /// The program that words name; nil where the first is a command of slip's, or there is no such program.
  ///
  /// Folders of the PATH that are not absolute are left out, for they may be in a box: nothing of a box is run.
  init?(_ typed: [String]) {
    let (globals, rest) = Arguments.splittingGlobals(typed)
    guard let name = rest.first, Self.isName(name), !SlipboxCommand.names.contains(name) else { return nil }
    let file = Array("slip-\(name)".utf8)
    let folders = (environment("PATH") ?? "").split(separator: ":").filter { $0.hasPrefix("/") }
    let paths = folders.map { BytePath.join(Array($0.utf8), file) }
    guard let path = paths.first(where: { Files.isAccessible($0, for: .running) && !Files.isFolder($0) })
    else {
      return nil
    }
    self.path = path
    words = Array(rest.dropFirst())
    self.globals = globals
  }

  /// Letters, digits and dashes, and no dash before them.
  private static func isName(_ word: String) -> Bool {
    let isPlain = { (byte: UInt8) in
      (byte | 0x20) &- UInt8(ascii: "a") < 26 || ASCII.isDigit(byte) || byte == UInt8(ascii: "-")
    }
    return !word.isEmpty && !word.hasPrefix("-") && word.utf8.allSatisfy(isPlain)
  }

  /// Runs the program on this terminal, with the box in `SLIPBOX` where there is one.
  ///
  /// - Returns: its exit code, or 128 and the signal that ended it.
  /// - Throws: where a box was named that is none, or the program is in the box.
  func run(_ makeSession: (GlobalOptions) -> Session) throws -> Int32 {
    let options = try GlobalOptions.parse(globals)
    let session = makeSession(options)
    var box: [UInt8]?
    do {
      box = try session.openBox().box.root
    } catch {
      if options.box != nil { throw error }
    }
    if let box, (Files.realPath(path) ?? path).starts(with: box + [UInt8(ascii: "/")]) {
      throw SlipboxError(
        .notPermitted,
        "\(String(decoding: path, as: UTF8.self)) is in the box: slip runs no programs from a box",
        hints: ["move it to a folder of your PATH outside the box"])
    }
    let variable = box.map { [Array("env".utf8), Array("SLIPBOX=".utf8) + $0] } ?? []
    do throws(SystemError) {
      switch try ChildProcess.run(variable + [path] + words.map { ByteText.bytes(of: $0) }) {
      case .code(let code): return code
      case .signal(let number): return 128 + number
      }
    } catch {
      throw SlipboxError(error)
    }
  }
}
