internal import Text

/// The front-matter of a template, in which placeholders stand without quotes too: `title: {{title}}`.
///
/// To YAML two braces begin a map. The block is therefore read with a word of letters in the place of each placeholder, and
/// values are filled after they were decoded, so that no value that is put in can be read as YAML.
struct TemplateFields: Sendable {
  /// The template with words for the placeholders in values; those in comments stand as they were written.
  private let text: NoteText
  private let asking: [TemplateField]

  /// - Throws: a problem with its line for front-matter that can't be written, and for a placeholder that is not known, is
  ///   part of a name or stands in a map.
  init(_ template: NoteText) throws(Problem) {
    if let problem = template.unreadable { throw problem }
    guard !template.isUnclosed else { throw template.problem(at: 0, "front-matter that nothing closes") }
    guard let block = template.frontMatter else {
      (text, asking) = (template, [])
      return
    }
    let words = TemplateWords(for: TemplateText.spans(in: template.bytes, block), in: template)
    let read = FrontMatter(NoteText(words.standing(in: template) { _ in true }))
    if let problem = read.firstError { throw problem }
    var used: Set<Int> = []
    var asking: [TemplateField] = []
    for field in read.fields {
      guard let value = try TemplateField(field, words, used: &used) else { continue }
      asking.append(value)
    }
    let asked = used
    text = NoteText(words.standing(in: template) { asked.contains($0) })
    self.asking = asking
  }

  /// Whether a field asks for the value of another one.
  var asksFields: Bool { asking.contains { $0.holds { $0.isField } } }

  var holdsSelection: Bool { asking.contains { $0.holds { $0 == .selection } } }

  /// The template with its fields filled, and its text as it is. A field whose value is empty then is left out.
  ///
  /// - Throws: a problem with its line for a value that can't be written.
  func filled(_ values: TemplateValues) throws(Problem) -> NoteText {
    var text = text
    for field in asking {
      do throws(EditError) {
        if let value = field.filled(values) {
          text = try text.setting(field.name, to: value)
        } else {
          text = try text.clearing(field.name)
        }
      } catch {
        throw field.problem(error)
      }
    }
    return text
  }
}

extension EditError {
  /// Why the edit was refused, without the place.
  var reason: String {
    switch self {
    case .unreadable(let problem): problem.message
    case .opaque(_, _, let reason), .unsettable(_, let reason): reason
    }
  }
}
