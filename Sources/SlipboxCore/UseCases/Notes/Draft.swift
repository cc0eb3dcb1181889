import Bytes
package import NoteIndex
package import Notes
import Platform
import Text

/// The input of a new note.
package struct Draft {
  /// The text that a note begins with.
  package enum Start {
    case nothing
    /// A template, and the words for it in a message.
    case template(NoteTemplate, name: String)
    case copy(NoteCopy)
  }

  /// The requested kind; nil for that of the template, else a plain note.
  package var kind: String?
  package var title: String
  package var changes: [Change]
  package var body: [UInt8]
  package var start: Start
  /// The day of the note for its template; nil: today.
  package var day: CivilDate?
  /// The folder of the note's file; nil: that of the layout.
  package var folder: [UInt8]?
  /// Whether a field may be new to the box although it almost is a declared one.
  package var allowsNewFields: Bool

  package init(
    kind: String? = nil, title: String, changes: [Change] = [], body: [UInt8] = [],
    start: Start = .nothing, day: CivilDate? = nil, allowsNewFields: Bool = false
  ) {
    self.kind = kind
    self.title = title
    self.changes = changes
    self.body = body
    self.start = start
    self.day = day
    self.allowsNewFields = allowsNewFields
  }

  /// The kind of the note.
  package var ownKind: String {
    if case .template(let template, _) = start { return kind ?? template.kind ?? "note" }
    return kind ?? "note"
  }
}

/// Templates of new notes: files `.slipbox/templates/NAME.md`.
package struct Templates {
  static let folder = Array(".slipbox/templates".utf8)

  private let snapshot: BoxSnapshot

  package init(in snapshot: BoxSnapshot) { self.snapshot = snapshot }

  /// The template of a name.
  ///
  /// - Throws: `.notFound` if there is none of that name, with the existing names; `.configuration` with file and line
  ///   if it can't be used.
  package func template(named name: String) throws(SlipboxError) -> Draft.Start {
    if let template = try knownTemplate(name) { return template }
    for folder in foreignTemplates {
      let path = folder + Array("/\(name).md".utf8)
      if let template = try template(at: path, isForeign: true) { return template }
    }
    let names = names()
    let near = Spelling.nearest(to: name, among: names).map { "did you mean: \($0)" as Phrase }
    let known: Phrase? =
      names.isEmpty ? nil : "there are: \(names.map { Phrase($0) }.joined(separator: ", "))"
    throw SlipboxError(
      .notFound, "there is no template \(name)",
      hints: [near ?? known, "templates are files .slipbox/templates/NAME.md"].compactMap { $0 })
  }

  /// The template that every new note of a kind begins with, if the box has one of the kind's name.
  ///
  /// - Throws: as `template(named:)`, but `.notFound`.
  package func template(ofKind kind: String) throws(SlipboxError) -> Draft.Start {
    do throws(SlipboxError) {
      return try knownTemplate(kind) ?? .nothing
    } catch {
      throw SlipboxError(
        error.kind, error.message,
        hints: error.hints + ["add \(option: "--no-template") to create the note without it"])
    }
  }

  /// The names of the templates, in alphabetical order; none where their folder can't be read.
  package func names() -> [String] {
    let found = Set(folders.flatMap(files))
    return found.map { String(decoding: $0.dropLast(3), as: UTF8.self) }.sorted()
  }

  /// The paths of the templates, also of those that another one of the same name hides.
  func paths() -> [[UInt8]] {
    folders.flatMap { folder in
      files(in: folder).sorted { $0.lexicographicallyPrecedes($1) }.map { folder + Array("/".utf8) + $0 }
    }
  }

  private var folders: [[UInt8]] { [Self.folder] + foreignTemplates }

  private func files(in folder: [UInt8]) -> [[UInt8]] {
    ((try? snapshot.names(in: folder)) ?? []).filter {
      FileName.isNote($0) && $0.suffix(3).elementsEqual(".md".utf8)
    }
  }

  /// The folder of the templates of the program beside slip; empty if it has none.
  private var foreignTemplates: [[UInt8]] {
    ((try? snapshot.layout())?.templates).map { [Array($0.utf8)] } ?? []
  }

  private func knownTemplate(_ name: String) throws(SlipboxError) -> Draft.Start? {
    try template(at: Self.folder + Array("/\(name).md".utf8), isForeign: false)
  }

  /// The template of another program at a path. What slip can't fill in it stays as it is written.
  ///
  /// - Returns: nothing if there is no such file.
  /// - Throws: `.configuration` with file and line if it can't be used.
  func template(at path: String) throws(SlipboxError) -> Draft.Start {
    if let start = try template(at: Array(path.utf8), isForeign: true) { return start }
    snapshot.reporter.warnOnce("\(path) does not exist: the note has no template (setting daily-template)")
    return .nothing
  }

  private func template(at path: [UInt8], isForeign: Bool) throws(SlipboxError) -> Draft.Start? {
    guard FileName.lastPart(of: path).count > 3, FileName.problem(in: path) == nil,
      let bytes = try snapshot.bytes(at: path)
    else { return nil }
    let file = ByteText.text(of: path)
    do throws(Problem) {
      guard isForeign else { return .template(try NoteTemplate(bytes), name: file) }
      let template = try NoteTemplate(foreign: bytes)
      if !template.commandLines.isEmpty {
        let lines = template.commandLines.map(String.init).joined(separator: ", ")
        snapshot.reporter.warnOnce(
          "\(file): slip does not run Templater; its commands stay in the note (line \(lines))")
      }
      return .template(template, name: file)
    } catch {
      throw Self.refusal(error, of: file)
    }
  }

  static func refusal(_ problem: Problem, of file: String) -> SlipboxError {
    SlipboxError(
      .configuration, "\(file):\(problem.line): \(problem.message)",
      hints: problem.isUnknownPlaceholder ? [formsHint] : [])
  }

  private static let formsHint: Phrase =
    "use {{title}}, {{date}}, {{time}}, {{id}}, {{field:NAME}}, {{selection}}; \\{{ for {{; see \(slip: "help templates")"
}

/// The source of a copied note: its fields, tags and text, without those of this note alone.
package struct NoteCopy {
  /// The copied text, with its own title.
  package let text: NoteText
  /// The title if none is given.
  package let title: String
  /// The kind of the note.
  package let kind: String
  /// The note that is copied.
  package let entry: Entry

  /// A copy of a note for a new one.
  ///
  /// Id, creation date and aliases stay behind, as do the values that a merge did not take. So do the fields of its kind
  /// that say how far a record has come: those that an action or a transition sets, and dates that begin as `today`.
  ///
  /// - Throws: `.badData` if the note's text or front-matter can't be read.
  package init(of entry: Entry, in snapshot: BoxSnapshot) throws(SlipboxError) {
    let note = entry.note
    self.entry = entry
    if let problem = try note.text.unreadable {
      throw SlipboxError(
        .badData, "\(note.mention): line \(problem.line), column \(problem.column): \(problem.message)")
    }
    let kind = snapshot.schema().kindOrPlain(named: entry.kind)
    let left = kind.fieldsOfProgress + ["aliases", "alias", "identifier", ConflictEntry.fieldName]
    var text = try note.text
    do throws(EditError) {
      if let problem = note.frontMatter.problems.first(where: { $0.severity == .error }) {
        throw .unreadable(problem)
      }
      for field in note.frontMatter.fields where left.contains(where: { $0.isSameName(as: field.name) }) {
        text = try text.clearing(field.name)
      }
    } catch {
      throw SlipboxError(error, note: note.mention, typed: .note(note))
    }
    (self.text, title) = (text, note.title)
    self.kind = entry.kind
  }
}

extension Kind {
  /// The fields that say how far a record has come.
  fileprivate var fieldsOfProgress: [String] {
    var names = actions.flatMap { action in
      action.changes.compactMap { change -> String? in
        switch change {
        case .set(let field, _), .clear(let field), .add(_, let field), .remove(_, let field): field
        case .addTag, .removeTag: nil
        }
      }
    }
    for transition in transitions {
      names.append(transition.field)
      names += transition.effects.compactMap(\.field)
    }
    return names + fields.filter { $0.isTime && $0.defaultValue == "today" }.map(\.name)
  }
}

extension NoteCopy {
  /// The text with its relative links written from the folder of another path.
  func links(in text: NoteText, at newPath: [UInt8], _ box: Box) -> NoteText {
    Self.keepingRelativeLinks(of: text, from: entry.note.path, to: newPath, box)
  }

  /// A text with its relative links written from the folder of another path, if they lead to a file from the old one.
  ///
  /// Only the links of Markdown begin at the folder of their note. Wiki links and paths from the root stay as they are.
  static func keepingRelativeLinks(
    of text: NoteText, from path: [UInt8], to newPath: [UInt8], _ box: Box
  ) -> NoteText {
    let (old, new) = (BytePath.folder(of: path), BytePath.folder(of: newPath))
    guard old != new else { return text }
    let moved = RelativeLinks(from: old, to: new)
    var bytes = text.bytes
    for link in BodyScan(text).links.reversed() {
      guard let target = moved.file(of: link), isFile(target, box),
        let change = moved.change(of: link, in: text.bytes)
      else { continue }
      bytes.replaceSubrange(change.range, with: change.target)
    }
    return NoteText(bytes)
  }

  /// Whether a path is that of a file of the box, or of a note without its ending.
  private static func isFile(_ path: [UInt8], _ box: Box) -> Bool {
    [path, path + Array(".md".utf8)].contains { ((try? Files.status(box.absolutePath($0))) ?? nil) != nil }
  }
}
