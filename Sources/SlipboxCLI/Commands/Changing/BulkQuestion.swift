import Notes
import Presentation
import SlipboxCore
import Text

/// The question before a change of notes that were not named one by one, such as
/// `close and add tag refactor to 12 notes that match kind:issue`.
struct BulkQuestion {
  /// What is done, in the order of the command line, with the word that leads to the notes: `add tag refactor`, `to`.
  private let steps: [(words: String, link: String)]

  /// - Parameters:
  ///   - verb: an action, or what a command does beside its CHANGEs, such as `replace the text`.
  ///   - link: the word between it and the notes, such as `of`; empty: none.
  ///   - changes: the CHANGEs made with it.
  init(_ verb: String? = nil, link: String = "", changes: [Change] = []) {
    steps = (verb.map { [(Visible.escape($0), link)] } ?? []) + changes.map(Self.step)
  }

  private static func step(of change: Change) -> (String, String) {
    switch change {
    case .set(let field, let value): ("set \(Visible.escape(field)) to \(Visible.escape(value))", "in")
    case .clear(let field): ("clear \(Visible.escape(field))", "in")
    case .addTag(let tag): ("add tag \(Visible.escape(tag))", "to")
    case .removeTag(let tag): ("remove tag \(Visible.escape(tag))", "from")
    case .add(let value, let field): ("add \(Visible.escape(value)) to \(Visible.escape(field))", "in")
    case .remove(let value, let field):
      ("remove \(Visible.escape(value)) from \(Visible.escape(field))", "in")
    }
  }

  /// The question without its mark.
  /// - Parameters:
  ///   - count: how many notes change.
  ///   - query: the terms that the notes match; empty if they were not found by a query.
  ///   - others: what happens besides, such as `rewrite links in 2 notes`; nil: nothing.
  func text(count: Int, query: [String], others: String? = nil) -> String {
    let words = steps.map(\.words)
    let what = words.isEmpty ? "change" : Sentence.list(words)
    let link = steps.last.map(\.link) ?? ""
    let terms = Visible.escape(query.joined(separator: " "))
    let found = query.isEmpty ? "" : " that \(count == 1 ? "matches" : "match") \(terms)"
    return "\(what) \(link.isEmpty ? "" : link + " ")\(Count.notes(count))\(found)"
      + (others.map { " and \($0)" } ?? "")
  }
}
