package import Notes
import Text

extension Change {
  /// Refuses a field that is given two values: one of them would be lost.
  ///
  /// - Throws: `.usage` with both values.
  package static func refuseRepeated(_ changes: [Change]) throws(SlipboxError) {
    var values: [String: String] = [:]
    for case .set(let field, let value) in changes {
      let known = values.updateValue(value, forKey: field.lowercased())
      guard let first = known, first != value else { continue }
      let name = Visible.escape(field)
      throw SlipboxError(
        .usage, "\(name) is given twice: \(Visible.escape(first)), and \(Visible.escape(value))",
        hints: ["give it once; add elements to a list with field:+x"])
    }
  }
}
