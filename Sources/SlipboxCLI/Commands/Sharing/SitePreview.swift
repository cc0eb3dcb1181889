import NoteIndex
import Platform
import Presentation
import SlipboxCore
import Synchronization
import Text

/// Shows a site at an address of this machine, and writes its pages again when the box changes, until Ctrl-C.
///
/// The server is the program slip-page, which reads the files of the site's folder.
struct SitePreview {
  private let export: SiteExport

  init(_ export: SiteExport) { self.export = export }

  func run(_ notes: [Match]) throws {
    let server = try ServePage.server()
    let session = export.session
    let output = try export.outputPath()
    let folder = try output ?? Self.temporaryFolder()
    let end = PreviewEnd(removing: output == nil ? folder : nil)
    var export = export
    export.end = end
    Signals.beforeEnding { end.removeFolder() }
    do {
      let (result, count) = try session.showingProgress { try export.write(notes, to: folder) }
      session.say(ExportSummary.line(result, count: count))
    } catch {
      end.removeFolder()
      throw error
    }
    var words = [server, Array("--site".utf8), folder]
    if let port = export.export.site.port { words += ["--port", String(port)].map { Array($0.utf8) } }
    if export.export.site.noOpen { words.append(Array("--no-open".utf8)) }
    try session.givingWarnings {}
    let command = words
    guard Threads.detach({ end.serve(command) }) else {
      end.removeFolder()
      throw SlipboxError(.unavailable, "can't start the server: the system refused a new thread")
    }
    Self.follow(export, folder)
  }

  private static func temporaryFolder() throws(SlipboxError) -> [UInt8] {
    do throws(SystemError) { return try Files.makeTemporaryFolder("slip-site") } catch {
      throw SlipboxError(error)
    }
  }

  private static func follow(_ export: SiteExport, _ folder: [UInt8]) {
    var snapshot = export.snapshot
    var told: [String] = []
    BoxWatch.follow(snapshot.box, output: -1) { (changes) throws(SlipboxError) in
      let session = export.session.renewed()
      do {
        let next =
          changes.isEverythingNew
          ? try session.openBox()
          : try WorkTreeReader(snapshot.box, session.context).snapshot(after: snapshot, changes)
        let notes = try export.export.notes(in: next).notes
        let result = try export.renewed(session, next).write(notes, to: folder).result
        snapshot = next
        told = []
        if result.written + result.removed > 0 {
          session.console.complain("\(result.written) written, \(result.removed) removed")
        }
        return next
      } catch {
        let lines = lines(of: error)
        if lines != told { for line in lines { session.console.complain(line) } }
        told = lines
        throw error as? SlipboxError ?? SlipboxError(.badData, "\(String(describing: error))")
      }
    }
  }

  private static func lines(of error: any Error) -> [String] {
    switch error {
    case let error as SlipboxError: error.lines
    case let error as QueryError: SlipboxError(error).lines
    case let error as SystemError: SlipboxError(error).lines
    default: ["slip: \(error)"]
    }
  }
}

/// The end of a preview: its folder is removed if it is a temporary one. Files that are being written are given up.
final class PreviewEnd: Sendable {
  private let folder: [UInt8]?
  private let busy = Mutex(())
  private let isEnding = Atomic(false)

  init(removing folder: [UInt8]?) { self.folder = folder }

  /// Whether the preview is being ended.
  var hasBegun: Bool { isEnding.load(ordering: .relaxed) }

  /// Writes files, which ends before the folder is removed. Does not return once the preview is being ended.
  func writing(_ body: () throws -> ExportResult) throws -> ExportResult {
    let result = busy.withLock { _ in Result { try body() } }
    while hasBegun { Waiting.pause(milliseconds: 1_000) }
    return try result.get()
  }

  func removeFolder() {
    isEnding.store(true, ordering: .relaxed)
    guard let folder else { return }
    busy.withLock { _ in ExportFolder.remove(folder) }
  }

  /// Runs the server, and ends the process when that has ended.
  func serve(_ command: [[UInt8]]) {
    let exit = try? ChildProcess.run(command)
    removeFolder()
    guard case .code(let code)? = exit else {
      CurrentProcess.exitAtOnce(SlipboxError.Kind.unavailable.exitCode)
    }
    CurrentProcess.exitAtOnce(code)
  }
}
