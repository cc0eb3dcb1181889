/// The user's terminal.
package enum Terminal {
  /// Whether a descriptor is a terminal.
  package static func isTerminal(_ descriptor: Int32) -> Bool { StandardStream.isTerminal(descriptor) }

  /// The width of the terminal on a descriptor in cells: its own, else `$COLUMNS`, else nil.
  package static func columns(_ descriptor: Int32) -> Int? {
    if let size = WindowSize(of: descriptor), size.columns > 0 { return size.columns }
    guard let columns = environment("COLUMNS").flatMap({ Int($0) }), columns > 0 else { return nil }
    return columns
  }

  /// The height in lines of the terminal on a descriptor; nil if the descriptor is not a terminal.
  package static func rows(_ descriptor: Int32) -> Int? {
    guard let size = WindowSize(of: descriptor), size.rows > 0 else { return nil }
    return size.rows
  }

  /// Asks on the controlling terminal, whatever the standard streams are, and returns the line without its
  /// end.
  ///
  /// nil if there is no terminal, or at the end of input.
  package static func ask(_ question: String) -> String? {
    guard let terminal = try? openControlling(.both) else { return nil }
    guard (try? terminal.writeAll(Array(question.utf8), [])) != nil else { return nil }
    var line: [UInt8] = []
    while line.count < 1 << 16 {
      guard let byte = Descriptor.readSome(terminal.number, atMost: 1).bytes.first else {
        return line.isEmpty ? nil : String(decoding: line, as: UTF8.self)
      }
      if byte == UInt8(ascii: "\n") { break }
      line.append(byte)
    }
    return String(decoding: line, as: UTF8.self)
  }

  /// Whether there is a terminal to ask on.
  package static var isControlled: Bool { (try? openControlling(.both)) != nil }

  /// Opens the terminal that controls the process.
  static func openControlling(_ mode: Descriptor.Mode) throws(SystemError) -> Descriptor {
    try Descriptor.open(Array("/dev/tty".utf8), mode.union(.withoutTerminal))
  }

  /// A name for the shell session on this terminal, the same for all of its commands; nil without a
  /// controlling terminal.
  ///
  /// Made of the session, the terminal's device and the start time of the session's leader, so that it is not
  /// used again.
  package static var sessionID: String? {
    guard let own = processFields("self"), own.count > 4, own[4] != "0" else { return nil }
    let start = processFields(own[3])?.dropFirst(19).first ?? "0"
    return "\(own[3])-\(own[4])-\(start)"
  }

  /// The fields of `/proc/PID/stat` after the program's name: state, parent, group, session, terminal, ...
  private static func processFields(_ process: String) -> [String]? {
    guard let bytes = try? Files.read(Array("/proc/\(process)/stat".utf8)),
      let end = bytes.lastIndex(of: UInt8(ascii: ")"))
    else { return nil }
    return bytes[(end + 1)...].split(separator: UInt8(ascii: " ")).map { String(decoding: $0, as: UTF8.self) }
  }
}

/// A buffered writer on a descriptor that it does not own, for standard output and standard error.
///
/// Bytes still buffered when the value is destroyed are lost. A command flushes and checks before it ends,
/// since only that reveals a full disk. SIGPIPE keeps its default action, so a reader that went away ends the
/// program quietly (141). Mutations are complete by then, because results are printed after them.
package final class Output {
  private let descriptor: Int32
  private var buffer: [UInt8] = []
  private var failure: SystemError?
  private let capacity = 1 << 16

  package init(descriptor: Int32) {
    self.descriptor = descriptor
    buffer.reserveCapacity(capacity)
  }

  /// Adds bytes; a failure of the system shows in the next `flush`.
  package func write(_ bytes: some Collection<UInt8>) {
    if buffer.count + bytes.count > capacity { drain() }
    buffer.append(contentsOf: bytes)
    if buffer.count >= capacity { drain() }
  }

  /// Adds a text as UTF-8.
  package func write(_ text: String) { write(text.utf8) }

  /// Writes the buffer to the descriptor.
  /// - Throws: the first failure since the last flush, e.g. `ENOSPC`; the bytes not written are dropped.
  package func flush() throws(SystemError) {
    drain()
    guard let failure else { return }
    self.failure = nil
    throw failure
  }

  private func drain() {
    defer { buffer.removeAll(keepingCapacity: true) }
    guard failure == nil else { return }
    let code = buffer.withUnsafeBytes { writeFully($0, to: descriptor) }
    if code != 0 { failure = SystemError(operation: "write", path: [], code: code) }
  }
}
