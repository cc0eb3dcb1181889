import SlipboxTesting
import Testing

@testable import Notes

/// Notes of the corpora: every edit changes only the lines it must, and its inverse gives the same bytes back.
@Suite struct FrontMatterCorpusTests {
  @Test func editsTheSmallCorpus() throws { try editsRealNotes("small", 29, 0) }

  @Test(
    .enabled(if: Machine.hasCorpora, "needs ../shared/corpora"),
    arguments: [("eips", 950, 0), ("garden", 780, 0), ("kepano", 90, 0)])
  func editsRealNotes(_ name: String, _ valid: Int, _ invalid: Int) throws {
    let bundle = try #require(corpus(name))
    let folder = try TemporaryFolder()
    try folder.git("clone", "-q", bundle, "box")
    let files = try folder.git("-C", "box", "ls-files", "-z").split(separator: "\0")
    var counts = (valid: 0, invalid: 0, quick: 0)
    for file in files where file.hasSuffix(".md") || file.hasSuffix(".markdown") {
      guard let bytes = folder.read("box/\(file)") else { continue }
      let text = NoteText(bytes)
      let front = FrontMatter(text)
      if front.isWritable {
        if text.block != nil { counts.valid += 1 }
        if expectAlike(text) { counts.quick += 1 }
        try expectEdits(text, front, turn: counts.valid)
      } else {
        counts.invalid += 1
        expectRefusals(text, front)
      }
    }
    #expect(counts.valid >= valid && counts.invalid >= invalid)
    #expect(
      counts.quick * 10 >= counts.valid * 6, "the quick reader takes \(counts.quick) of \(counts.valid)")
  }

  /// Tries the edits; of the fields that are there one is set, another in each note.
  private func expectEdits(_ text: NoteText, _ front: FrontMatter, turn: Int) throws {
    let changed = try text.setting("slipbox", to: .text("a: b"))
    expectKept(text, changed, except: "slipbox")
    if text.block != nil { #expect(try changed.clearing("slipbox") == text) }
    let editable = front.fields.filter(\.isEditable)
    if !editable.isEmpty { try expectSetting(editable[turn % editable.count], of: text) }
    try expectTagging(text, front)
  }

  private func expectSetting(_ field: FrontMatterField, of text: NoteText) throws {
    let value: FieldValue
    switch field.value {
    case .list(let elements): value = .list(elements + [.text("another")])
    default: value = .text("another")
    }
    let changed = try text.setting(field.name, to: value)
    expectKept(text, changed, except: field.name)
    #expect(FrontMatter(changed)[field.name] == value)
    let back = try changed.setting(field.name, to: field.value)
    expectKept(changed, back, except: field.name)
    if isSimple(field, in: text) { #expect(back == text, "\(field.name) of \(text.string.prefix(400))") }
  }

  private func expectTagging(_ text: NoteText, _ front: FrontMatter) throws {
    if let field = front.field("tags"), !field.isEditable { return }
    let changed = try text.adding("slip/box", to: "tags")
    expectKept(text, changed, except: "tags")
    #expect(FrontMatter(changed)["tags"]?.strings.isEmpty == false)
    let back = try changed.removing("slip/box", from: "tags")
    expectKept(changed, back, except: "tags")
    let old = front["tags"]
    if text.block != nil, old != .empty, old != .list([]), old != .text("") { #expect(back == text) }
  }

  /// Says whether the field's own style can carry any value: not a list made from nothing, nor a text that
  /// would be written with quotes where it stands without.
  private func isSimple(_ field: FrontMatterField, in text: NoteText) -> Bool {
    let reading = FrontMatterReading(libyaml: text)
    guard let index = reading.fields.firstIndex(of: field) else { return false }
    switch reading.shapes[index].form {
    case .empty: return true
    case .flow(_, let elements): return !elements.isEmpty
    case .block: return true
    case .scalar(let range, let style):
      guard let value = field.value.text else { return false }
      let canonical = YAMLScalar.write(value, in: .value, like: style, previous: "another")
      return Array(text.bytes[range]) == canonical
    case .whole, .opaque: return false
    }
  }

  private func expectRefusals(_ text: NoteText, _ front: FrontMatter) {
    #expect(front.problems.contains { $0.severity == .error && $0.line >= 1 && $0.column >= 1 })
    #expect(throws: EditError.self) { try text.setting("slipbox", to: .text("x")) }
    #expect(throws: EditError.self) { try text.clearing("title") }
    #expect(throws: EditError.self) { try text.adding("x", to: "tags") }
    #expect(throws: EditError.self) { try text.removing("x", from: "tags") }
  }
}
