import Notes
import Platform
import Text

/// Templates of new notes: files `.slipbox/templates/NAME.md`.
extension BoxSnapshot {
  static let templatesFolder = Array(".slipbox/templates".utf8)

  /// The template of a name.
  ///
  /// - Throws: `.notFound` where there is none of that name, with those there are; `.configuration` with file and line
  ///   where it can't be used.
  package func template(named name: String) throws(SlipboxError) -> Draft.Start {
    if let template = try knownTemplate(name) { return template }
    let names = templateNames()
    let near = Spelling.nearest(to: name, among: names).map { "did you mean: \(Visible.escape($0))" }
    let known = names.isEmpty ? nil : "there are: \(names.map { Visible.escape($0) }.joined(separator: ", "))"
    throw SlipboxError(
      .notFound, "there is no template \(Visible.escape(name))",
      hints: [near ?? known, "templates are files .slipbox/templates/NAME.md"].compactMap { $0 })
  }

  /// The template that every new note of a kind begins with, where the box has one of the kind's name.
  ///
  /// - Throws: as `template(named:)`, but `.notFound`.
  package func template(ofKind kind: String) throws(SlipboxError) -> Draft.Start {
    do throws(SlipboxError) {
      return try knownTemplate(kind) ?? .nothing
    } catch {
      throw SlipboxError(
        error.kind, error.message, hints: error.hints + ["add --no-template to create the note without it"])
    }
  }

  /// The names of the templates, in alphabetical order; none where their folder can't be read.
  package func templateNames() -> [String] {
    let names = (try? names(in: Self.templatesFolder)) ?? []
    return names.filter(FileName.isNote).filter { $0.suffix(3).elementsEqual(".md".utf8) }
      .map { String(decoding: $0.dropLast(3), as: UTF8.self) }.sorted()
  }

  private func knownTemplate(_ name: String) throws(SlipboxError) -> Draft.Start? {
    let path = Self.templatesFolder + Array("/\(name).md".utf8)
    guard !name.isEmpty, FileName.problem(in: path) == nil, let bytes = try bytes(at: path) else {
      return nil
    }
    let file = Visible.escape(path)
    do throws(Problem) {
      return .template(try NoteTemplate(bytes), name: file)
    } catch {
      throw Self.refusal(error, of: file)
    }
  }

  private static func refusal(_ problem: Problem, of file: String) -> SlipboxError {
    SlipboxError(
      .configuration, "\(file):\(problem.line): \(problem.message)",
      hints: problem.message.contains("placeholder {{") ? [formsHint] : [])
  }

  private static let formsHint =
    "there are {{title}}, {{date}}, {{time}}, {{id}}, {{field:NAME}}, {{selection}}; \\{{ is {{: slip help templates"
}

extension BoxSnapshot {
  /// The text of a new note made by a template.
  ///
  /// The fields come first: where the template asks for values of them, the note is made twice, first without those.
  func text(
    of draft: Draft, by template: NoteTemplate, _ file: String, _ id: NoteID, _ isUnfinished: Bool
  ) throws(SlipboxError) -> NoteText {
    var values = TemplateValues(
      title: draft.title, id: id, day: draft.day ?? clock.today, now: clock.now, selection: draft.body)
    do throws(SlipboxError) {
      if template.asksFields {
        let first = try record(of: draft, on: try Self.head(of: template, values, file), id, true)
        values.note = Note(path: [], text: first)
      }
      let head = try record(of: draft, on: try Self.head(of: template, values, file), id, isUnfinished)
      let note = Note(path: [], text: head)
      values.note = note
      if values.title.isEmpty, note.hasOwnTitle { values.title = note.title }
      let text = head.replacingBody(NoteText(head.bytes).withOwnLineEnds(template.body(values)))
      return template.holdsSelection || draft.body.isEmpty ? text : text.appending(draft.body)
    } catch {
      guard error.kind == .badData else { throw error }
      throw SlipboxError(
        error.kind, error.message, hints: error.hints + ["the note is made by the template \(file)"])
    }
  }

  private static func head(
    of template: NoteTemplate, _ values: TemplateValues, _ file: String
  ) throws(SlipboxError) -> NoteText {
    do throws(Problem) { return try template.head(values) } catch { throw refusal(error, of: file) }
  }
}
