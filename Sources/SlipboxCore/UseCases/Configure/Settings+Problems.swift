import Bytes
import Notes
import Text

/// Values that settings can't have.
extension Settings {
  typealias ValueProblem = (kind: SlipboxError.Kind, message: String)

  /// What is wrong with a value of a setting, in words that follow it; nil where it will do.
  static func problem(in value: String, of name: String) -> ValueProblem? {
    switch name {
    case "path":
      let problem = (SlipboxError.Kind.badData, " must contain {id}, so that paths are unique")
      return patternProblem(value, isApart: value.contains("{id}") ? nil : problem)
    case "daily":
      let isDated = ["{year}", "{month}", "{day}"].allSatisfy(value.contains)
      let problem = (
        SlipboxError.Kind.badData, " must contain {year}, {month} and {day}, so that paths are unique"
      )
      return patternProblem(value, isApart: isDated || value.contains("{slug}") ? nil : problem)
    case "inbox": return inboxProblem(value)
    case "capture": return captureProblem(value)
    case "lsp.commit": return wordProblem(value, of: ["never", "save", "idle"])
    case "lsp.links": return wordProblem(value, of: ["title", "id", "path"])
    default: return nil
    }
  }

  private static func wordProblem(_ value: String, of words: [String]) -> ValueProblem? {
    words.contains(value) ? nil : (.badData, " is none of \(words.joined(separator: ", "))")
  }

  /// Refuses to go by a value that an editor or a clone has put into the settings and that will not do.
  func refuseBad(_ name: String) throws(SlipboxError) {
    let value = value(of: name)
    guard let problem = Self.problem(in: value, of: name) else { return }
    throw SlipboxError(
      .configuration, ".slipbox/config.yaml: \(name): \(Visible.escape(value))\(problem.message)",
      hints: ["slip config \(name) \(Self.isPattern(name) ? "PATTERN" : "VALUE") sets another"])
  }

  private static func isPattern(_ name: String) -> Bool { ["path", "daily"].contains(name) }

  /// A pattern has to tell notes apart, stay in the box, and name files that are notes.
  private static func patternProblem(_ pattern: String, isApart: ValueProblem?) -> ValueProblem? {
    if !pattern.hasSuffix(".md") && !pattern.hasSuffix(".markdown") {
      return (.badData, " must end in .md")
    }
    return isApart ?? pathProblem(pattern)
  }

  private static func pathProblem(_ path: String) -> ValueProblem? {
    if let problem = FileName.problem(in: Array(path.utf8)) { return (.badData, ": \(problem)") }
    if path.split(separator: "/").contains(where: { $0.hasPrefix(".") }) {
      return (.configuration, " is in a hidden folder, which can't contain notes")
    }
    return nil
  }

  private static func inboxProblem(_ value: String) -> ValueProblem? {
    if !value.utf8.contains(where: { $0 > 0x20 }) { return (.badData, " is not a note") }
    return FileName.isNote(Array(value.utf8)) ? pathProblem(value) : nil
  }

  private static func captureProblem(_ value: String) -> ValueProblem? {
    do throws(Problem) {
      let form = try TemplateText(Array(value.utf8))
      if !form.holdsSelection { return (.badData, " must contain {{selection}}, the captured text") }
      if form.asksNote { return (.badData, " may contain only {{selection}}, {{date}} and {{time}}") }
      return nil
    } catch {
      return (.badData, ": \(error.message)")
    }
  }
}
