import Bytes
package import Notes
import Text

extension Change {
  /// Refuses to write a field whose name is a term of queries: no query could match that field.
  /// - Throws: `.usage` with the command that takes such a term.
  package static func refuseQueryTerms(_ changes: [Change]) throws(SlipboxError) {
    for case .set(let field, let value) in changes {
      guard let hints = hints(forTerm: field.lowercased(), value) else { continue }
      throw SlipboxError(
        .usage, "\(Visible.escape("\(field):\(value)")) is a query term, not a change", hints: hints)
    }
  }

  private static func hints(forTerm name: String, _ value: String) -> [String]? {
    let list = "run: slip list \(Visible.escape(ShellWord.quoted("\(name):\(value)")))"
    let shown = Visible.escape(ShellWord.quoted(value))
    switch name {
    case "is": return ["actions change the state of a record: slip do ACTION REF", list]
    case "has": return ["to set the field: \(Visible.escape(ShellWord.quoted("\(value):VALUE")))", list]
    case "sort": return ["run: slip list --sort \(shown)"]
    case "limit": return ["run: slip list -n \(shown)"]
    default: return nil
    }
  }
}
