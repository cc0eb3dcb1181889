package import Notes

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
