import Presentation
import SlipboxCore
import Text

/// Writes the entries of a history in one of its forms.
final class LogOutput {
  enum Form { case lines, fields, patch, json, csv }

  private let form: Form
  private let session: Session
  private let snapshot: BoxSnapshot
  private let types: ChangeTypes
  private let rows: FieldHistoryRows
  private var lines: [String] = []
  private var table: HistoryTable

  init(form: Form, _ schema: JSONSchema, session: Session, snapshot: BoxSnapshot) {
    types = ChangeTypes(snapshot, schema)
    self.form = form
    self.session = session
    self.snapshot = snapshot
    table = HistoryTable(session.display)
    rows = FieldHistoryRows(session.display) { snapshot.title(of: $0) }
  }

  func begin() throws {
    if form == .csv { session.console.write(CSVWriter.row(FieldHistoryRows.columns)) }
  }

  func add(_ entry: HistoryEntry) throws(SlipboxError) {
    switch form {
    case .lines: table.add(entry)
    case .fields: lines += rows.lines(entry)
    case .json: session.console.write(entry.json(types))
    case .csv: for cells in rows.cells(entry) { session.console.write(CSVWriter.row(cells)) }
    case .patch:
      lines.append(entry.line(session.display))
      lines += try patch(of: entry)
      lines.append("")
    }
  }

  func end() throws {
    switch form {
    case .json, .csv: try session.console.flush()
    case .lines: try session.page(table.lines())
    case .fields, .patch: try session.page(lines)
    }
  }

  /// Writes one entry with its changes.
  func write(details entry: HistoryEntry) throws {
    guard form == .lines else {
      try begin()
      try add(entry)
      return try end()
    }
    lines.append(entry.line(session.display))
    if let reason = entry.operation.reason {
      lines += reason.split(separator: "\n", omittingEmptySubsequences: false).map {
        "    " + Visible.escape(String($0))
      }
    }
    lines += rows.lines(entry)
    try session.page(lines)
  }

  private func patch(of entry: HistoryEntry) throws(SlipboxError) -> [String] {
    let style = session.style
    let bytes = try snapshot.patch(of: entry)
    return bytes.split(separator: 10, omittingEmptySubsequences: false).dropLast().map { line in
      let text = Visible.escape(String(decoding: line, as: UTF8.self))
      switch line.first {
      case UInt8(ascii: "+"): return style.green(text)
      case UInt8(ascii: "-"): return style.red(text)
      default: return text
      }
    }
  }
}
