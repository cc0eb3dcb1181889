import NoteIndex
import Notes
import Presentation
import SlipboxCore
import Text

/// Prints a list of notes as its options say.
struct ListOutput {
  let options: ListOptions
  let session: Session
  let snapshot: BoxSnapshot
  /// Whether scores and snippets belong to the list.
  let isSearch: Bool
  /// The number of rows that can be seen; nil where all are written.
  var most: Int?
  /// The box in whose lists `@1` names a note; nil for that of the list.
  var remembering: BoxSnapshot?
  /// The deletion of a note, in a list of deleted ones.
  var deletion: (@Sendable (Entry) -> PastDeletion?)?

  /// Prints a list, and returns how many of its notes were left out.
  @discardableResult
  func write(_ matches: [Match], kind: String? = nil) throws -> Int {
    let ordered = options.reverse ? matches.reversed() : matches
    let form = options.form
    let shown = form.isWhole ? ordered : Array(ordered.prefix(most ?? .max))
    let presenter = NotePresenter(snapshot, json: options.schema.schema)
    if case .template(let template) = form {
      if NoteColumns.hasOpenBrace(template) {
        throw SlipboxError(
          .usage, "--format: unmatched { in \(Visible.escape(template))",
          hints: ["a column is {title}; a brace itself is \\{"])
      }
      try Self.refuseUnknown(NoteColumns.names(in: template), presenter)
    }
    let kind = kind.flatMap { presenter.schema.kind(named: $0) }
    let list = NoteList(
      presenter, form, parts: options.parts, lineEnd: options.lineEnd, isSearch: isSearch,
      display: session.display, deletion: deletion)
    if form == .rows, session.display.isTerminal {
      (remembering ?? snapshot).rememberList(shown.map(\.entry))
      try session.page(try list.table(shown, kind: kind))
    } else {
      try list.write(shown, kind: kind) { session.console.write($0) }
    }
    try session.console.flush()
    return ordered.count - shown.count
  }

  /// Refuses names in a template that no note and no kind has.
  private static func refuseUnknown(_ names: [String], _ presenter: NotePresenter) throws {
    let known =
      NoteColumn.allCases.map(\.rawValue) + [NoteColumns.nameColumn, NoteColumns.bodyColumn]
      + (try presenter.fieldNames())
    guard let unknown = names.first(where: { !known.contains($0) }) else { return }
    let near =
      Spelling.nearest(to: unknown, among: known).map { ["did you mean: {\(Visible.escape($0))}"] } ?? []
    throw SlipboxError(
      .usage,
      "there is no column \(unknown.isEmpty ? "name between these braces: {}" : "{\(Visible.escape(unknown))}")",
      hints: near + ["there are: \(Set(known).sorted().map { Visible.escape($0) }.joined(separator: ", "))"])
  }
}
