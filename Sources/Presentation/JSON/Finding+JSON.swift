package import SlipboxCore

extension Finding {
  /// Findings of the doctor as a JSON object with its line end.
  package static func json(_ findings: [Finding]) -> [UInt8] {
    JSONDocument.list("findings", findings) { finding, writer in
      writer.object { writer in
        writer.member("path", bytes: finding.path)
        writer.member("line", finding.line)
        writer.member("column", finding.column)
        writer.member("rule", finding.rule.rawValue)
        writer.member("message", finding.message)
        writer.member("fix", finding.fix)
        writer.member("fixable", finding.way != .byHand)
      }
    }
  }
}
