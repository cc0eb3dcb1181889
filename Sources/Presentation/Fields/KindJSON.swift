package import Notes
package import SlipboxCore
import Text

/// The declarations of kinds as JSON, with all that programs need to offer fields and actions.
package enum KindJSON {
  /// A list of kinds.
  package static func list(_ kinds: [Kind]) -> [UInt8] { JSONDocument.list("kinds", kinds, write) }

  private static func write(_ kind: Kind, to writer: inout JSONWriter) {
    write(kind, to: &writer) { _ in }
  }

  /// A kind as an object.
  ///
  /// - Parameter more: writes further members of it.
  package static func write(
    _ kind: Kind, to writer: inout JSONWriter, more: (inout JSONWriter) -> Void
  ) {
    writer.object { writer in
      defer { more(&writer) }
      for (name, value) in [
        ("name", kind.name), ("comment", kind.comment), ("active", kind.active),
        ("waiting", kind.waiting), ("match", kind.match), ("key", kind.key), ("sort", kind.sort),
      ] {
        writer.member(name, value)
      }
      writer.member("fields", of: kind.fields, write)
      writer.key("actions")
      writer.object { writer in
        for action in kind.actions { writer.member(action.name, of: action.words) { $1.string($0) } }
      }
      guard !kind.urgency.isEmpty else { return }
      writer.member("urgency", of: kind.urgency, write)
    }
  }

  /// A query with its weight.
  static func write(_ term: UrgencyTerm, to writer: inout JSONWriter) {
    writer.object { writer in
      writer.member("query", term.query)
      writer.key("weight")
      write(term.weight, to: &writer)
    }
  }

  /// A number with two decimals at most.
  static func write(_ weight: Weight, to writer: inout JSONWriter) {
    writer.double(Double(weight.hundredths) / 100)
  }

  private static func write(_ field: Field, to writer: inout JSONWriter) {
    writer.object { writer in
      for (name, value) in [
        ("name", field.name), ("type", field.type.rawValue), ("default", field.defaultValue),
        ("target", field.target),
      ] {
        writer.member(name, value)
      }
      if field.isList { writer.member("list", true) }
      if field.isRequired { writer.member("required", true) }
      if field.isBlocking { writer.member("blocking", true) }
      writer.member("minimum", field.minimum)
      writer.member("maximum", field.maximum)
      if !field.values.isEmpty { writer.member("values", of: field.values) { $1.string($0) } }
    }
  }
}

extension KindJSON {
  /// Writes the columns of a kind's row as a member: each a field or a number of referring records, with its signs.
  package static func writeRow(of kind: Kind, to writer: inout JSONWriter) {
    writer.member("row", of: kind.row) { column, writer in
      writer.object { writer in
        switch column.content {
        case .field(let name): writer.member("field", name)
        case .count(let kind): writer.member("countOf", kind)
        }
        if !column.symbols.isEmpty {
          writer.key("as")
          writer.object { writer in
            for symbol in column.symbols { writer.member(symbol.value, symbol.sign) }
          }
        }
        if column.isStars { writer.member("stars", true) }
        if !column.empty.isEmpty { writer.member("empty", column.empty) }
        if !column.label.isEmpty { writer.member("label", of: column.label) { $1.string($0) } }
        if let state = column.state { writer.member("only", "is:\(state.rawValue)") }
      }
    }
  }
}

/// Kinds of records as lines for people.
package enum KindLines {
  /// A line a kind: its name and its description.
  package static func list(_ kinds: [Kind], _ display: Display) -> [String] {
    var table = Table(
      columns: [.init(paint: display.style.bold), .init(isFlexible: true)], style: display.style,
      width: display.width)
    for kind in kinds { table.add([kind.name, kind.comment ?? ""]) }
    return table.lines()
  }

  /// A kind's whole declaration, with its line ends.
  package static func declaration(of kind: Kind) -> String {
    Visible.escape(kind.declaration, keepingLines: true)
  }
}

/// The records that come next after those that were finished, as lines for people.
package enum NextRecordLines {
  /// A line for each that was made: its name, its day and its title; with tabs between them in a pipe.
  package static func lines(_ records: [NextRecord], _ display: Display) -> [String] {
    var table = Table(
      columns: [.init(paint: display.style.bold), .init(), .init(isFlexible: true)], style: display.style,
      width: display.width)
    var rows: [[String]] = []
    for case .made(let note, let day, _) in records {
      rows.append([String(decoding: note.name, as: UTF8.self), day.description, note.title])
    }
    guard display.isTerminal else { return rows.map { NoteColumns.row($0) } }
    for row in rows { table.add(row) }
    return table.lines()
  }

  /// A further remark about a next record; nil if there is none.
  package static func remark(_ record: NextRecord) -> String? {
    switch record {
    case .made(let note, let day, let skipped):
      guard skipped > 0 else { return nil }
      let dates = skipped == 1 ? "1 missed date" : "\(skipped) missed dates"
      return "\(note.mention): skipped \(dates); next due \(day)"
    case .there(let note):
      return "the next one already exists: \(note.shownName)  \(Visible.escape(note.title))"
    case .over(let note): return "\(note.mention) was the last one: the recurrence has ended"
    }
  }
}
