import Bytes
import Platform
import SlipboxCore
import SlipboxHost
import SlipboxPage
import Text

/// The program: connects to the server of a box or becomes it, prints the address, and opens the browser.
enum PageProgram {
  /// The exit code for a command line that can't be read, by sysexits.h.
  private static let usage: Int32 = 64
  private static let unavailable: Int32 = 69

  static func main() {
    Signals.failWritesBeyondLimit()
    Signals.failWritesToClosedPipes()
    EndSignals.hold()
    do {
      let options = try PageOptions(words)
      if options.site.isEmpty { try serve(options) } else { try serveSite(options) }
    } catch let error as PageOptionError {
      end(error.message, [], usage)
    } catch let error as SlipboxError {
      end(error.message.description, error.hints.map(\.description), unavailable)
    } catch {
      end("\(error)", [], unavailable)
    }
  }

  private static func serve(_ options: PageOptions) throws {
    let folder = UserFolder.state.path
    let file = folder.map { ServerRecord.file(ofBox: options.box, isReadOnly: options.isReadOnly, in: $0) }
    let known = file.flatMap { ServerRecord(at: $0) }
    if let known, ServerProbe.answers(known, box: options.box) { return open(known.address, options) }
    let keys = IdempotencyKeys(keptIn: file.map { IdempotencyKeys.file(besideRecord: $0) })
    let box = try PageBox(at: options.box, circumstances(options), idempotencyKeys: keys)
    let token = known?.token ?? ServerRecord.newToken()
    let ports = options.port.map { [$0] } ?? [known?.port, 0].compactMap { $0 }
    let listener = try Listener(ports: ports) { port in
      PageServer(box, RequestGuard(port: port, token: token), assets: assetFolder)
    }
    let record = ServerRecord(port: listener.port, token: token)
    if let file { keep(record, in: file) }
    box.prepare()
    box.watch()
    open(record.address, options)
    try listener.serve()
  }

  /// Shows the files of a site until Ctrl-C, or until the program that started this one has ended.
  private static func serveSite(_ options: PageOptions) throws {
    let folder: BoxFolder
    do throws(SystemError) { folder = try BoxFolder(options.site) } catch { throw SlipboxError(error) }
    let token = ServerRecord.newToken()
    let listener = try Listener(ports: [options.port ?? 0]) { port in
      SiteServer(folder, port: port, token: token)
    }
    let parent = CurrentProcess.parentID
    _ = Threads.detach {
      while CurrentProcess.parentID == parent { Waiting.pause(milliseconds: 200) }
      Signals.send(Signals.terminate, to: CurrentProcess.id)
    }
    open("http://127.0.0.1:\(listener.port)/\(token)/", options)
    try listener.serve()
  }

  private static func circumstances(_ options: PageOptions) -> PageCircumstances {
    let (box, program) = (options.box, Files.ownProgram ?? CommandEnvironment.thisProgram)
    let slip = BytePath.join(BytePath.folder(of: program), Array("slip".utf8))
    return PageCircumstances(isReadOnly: options.isReadOnly) { reporter in
      CommandEnvironment.system.context(in: box, reporter, slip: slip)
    }
  }

  /// The folder of the page's files while one works on them.
  private static var assetFolder: [UInt8]? {
    environment("SLIPBOX_PAGE_ASSETS").flatMap { $0.isEmpty ? nil : Array($0.utf8) }
  }

  private static func keep(_ record: ServerRecord, in file: [UInt8]) {
    do throws(SystemError) {
      try record.write(to: file)
    } catch {
      say("another slip page command can't find this server: \(SlipboxError(error).message)")
    }
  }

  /// Prints the address of the page, and opens it if there is a display.
  private static func open(_ address: String, _ options: PageOptions) {
    write(address, to: StandardStream.output)
    let hasScreen = ["DISPLAY", "WAYLAND_DISPLAY"].contains { environment($0)?.isEmpty == false }
    guard options.opensBrowser, hasScreen else { return }
    // If no browser can be started, the user can open the printed address.
    try? ChildProcess.detach([Array("xdg-open".utf8), Array(address.utf8)])
  }

  private static var words: [[UInt8]] {
    Array(ProcessArguments.bytes.dropFirst())
  }

  /// The command that started the server, for messages.
  private static var command: String {
    words.contains(Array("--site".utf8)) ? "slip export" : "slip page"
  }

  private static func say(_ line: String) {
    write("\(command): \(Visible.escape(line))", to: StandardStream.errors)
  }

  private static func write(_ line: String, to descriptor: Int32) {
    let output = Output(descriptor: descriptor)
    output.write(line + "\n")
    // If the reader has gone, the error has no recipient either.
    try? output.flush()
  }

  private static func end(_ message: String, _ hints: [String], _ code: Int32) -> Never {
    say(message)
    for hint in hints { write("  \(Visible.escape(hint))", to: StandardStream.errors) }
    CurrentProcess.exit(code)
  }
}

/// The words that slip-page is started with, by `slip page` or `slip export html --serve`.
struct PageOptions {
  private(set) var box: [UInt8] = []
  /// The folder of a site; empty if a box is served.
  private(set) var site: [UInt8] = []
  private(set) var port: Int?
  private(set) var isReadOnly = false
  private(set) var opensBrowser = true

  /// - Throws: if a word is not an option or a value is invalid.
  init(_ words: [[UInt8]]) throws(PageOptionError) {
    var words = words[...]
    while let word = words.popFirst() {
      switch String(decoding: word, as: UTF8.self) {
      case "--site": site = try Self.value(of: word, &words)
      case "--box": box = try Self.value(of: word, &words)
      case "--port":
        let text = String(decoding: try Self.value(of: word, &words), as: UTF8.self)
        guard let number = Int(text), (0...65_535).contains(number) else {
          throw PageOptionError(message: "--port takes a number up to 65535")
        }
        port = number
      case "--read-only": isReadOnly = true
      case "--no-open": opensBrowser = false
      case let other:
        throw PageOptionError(message: "slip-page is started by slip page; unknown option \(other)")
      }
    }
    guard !box.isEmpty || !site.isEmpty else {
      throw PageOptionError(message: "slip-page is started by slip page")
    }
  }

  private static func value(
    of option: [UInt8], _ words: inout ArraySlice<[UInt8]>
  ) throws(PageOptionError) -> [UInt8] {
    guard let value = words.popFirst() else {
      throw PageOptionError(message: "\(String(decoding: option, as: UTF8.self)) takes a value")
    }
    return value
  }
}

/// A command line that can't be read.
struct PageOptionError: Error { let message: String }

/// Asks whether a server that was started before still answers.
enum ServerProbe {
  /// The longest wait, in seconds.
  private static let patience = 2

  /// Whether a server answers at the port of a record with its token, and serves the box.
  static func answers(_ record: ServerRecord, box: [UInt8]) -> Bool {
    guard let connection = LocalConnection(port: record.port, patienceSeconds: patience),
      connection.send(question(to: record))
    else { return false }
    let answer = String(decoding: received(from: connection), as: UTF8.self)
    return answer.hasPrefix("HTTP/1.1 200") && answer.contains("\r\nSlip-State: ")
  }

  private static func question(to record: ServerRecord) -> [UInt8] {
    Array(
      ("GET /api/state HTTP/1.1\r\nHost: 127.0.0.1:\(record.port)\r\nSlip-Token: \(record.token)\r\n"
        + "Connection: close\r\n\r\n").utf8)
  }

  /// The bytes received until the other side closes the connection or the timeout ends.
  private static func received(from connection: LocalConnection) -> [UInt8] {
    var all: [UInt8] = []
    while all.count < 1 << 16 {
      let part = connection.receive(atMost: 4_096)
      if part.isEmpty { break }
      all += part
    }
    return all
  }
}
