import Bytes
import Glibc
import Platform
import SlipboxCore
import SlipboxHost
import SlipboxPage
import Text

/// The program: finds the server of a box or becomes it, says where it is, and opens the browser.
enum PageProgram {
  /// The exit code for a command line that can't be read, by sysexits.h.
  private static let usage: Int32 = 64
  private static let unavailable: Int32 = 69

  static func main() {
    Signals.failWritesBeyondLimit()
    signal(SIGPIPE, SIG_IGN)
    EndSignals.hold()
    do {
      try serve(try PageOptions(words))
    } catch let error as PageOptionError {
      end(error.message, [], usage)
    } catch let error as SlipboxError {
      end(error.message, error.hints, unavailable)
    } catch {
      end("\(error)", [], unavailable)
    }
  }

  private static func serve(_ options: PageOptions) throws {
    let folder = UserFolder.state.path
    let file = folder.map { ServerRecord.file(ofBox: options.box, isReadOnly: options.isReadOnly, in: $0) }
    let known = file.flatMap { ServerRecord(at: $0) }
    if let known, ServerProbe.answers(known, box: options.box) { return open(known, options) }
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
    open(record, options)
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

  /// Prints the address of the page, and opens it where there is a screen.
  private static func open(_ record: ServerRecord, _ options: PageOptions) {
    write(record.address, to: STDOUT_FILENO)
    let hasScreen = ["DISPLAY", "WAYLAND_DISPLAY"].contains { environment($0)?.isEmpty == false }
    guard options.opensBrowser, hasScreen else { return }
    // Where no browser can be started, the address stands there to be opened by hand.
    try? ChildProcess.detach([Array("xdg-open".utf8), Array(record.address.utf8)])
  }

  private static var words: [[UInt8]] {
    Array(ProcessArguments.bytes.dropFirst())
  }

  private static func say(_ line: String) { write("slip page: \(Visible.escape(line))", to: STDERR_FILENO) }

  private static func write(_ line: String, to descriptor: Int32) {
    let output = Output(descriptor: descriptor)
    output.write(line + "\n")
    // Where nobody reads, there is nobody to be told that.
    try? output.flush()
  }

  private static func end(_ message: String, _ hints: [String], _ code: Int32) -> Never {
    say(message)
    for hint in hints { write("  \(Visible.escape(hint))", to: STDERR_FILENO) }
    exit(code)
  }
}
