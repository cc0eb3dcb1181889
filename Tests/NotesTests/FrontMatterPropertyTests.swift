import Testing

@testable import Notes

/// Laws of reading and editing, on generated notes.
@Suite struct FrontMatterPropertyTests {
  @Test func theReadersAgree() {
    var generator = FrontMatterGenerator(seed: 7)
    var taken = 0
    for _ in 0..<700 {
      let text = generator.note()
      let front = FrontMatter(text)
      #expect(front.problems.isEmpty, "\(text.string)")
      if expectAlike(text) { taken += 1 }
    }
    #expect(taken > 150)
  }

  @Test func settingAndSettingBack() throws {
    var generator = FrontMatterGenerator(seed: 11)
    for _ in 0..<700 {
      let text = generator.note()
      let value = FieldValue.text(generator.text())
      guard let field = generator.pick(FrontMatter(text).fields) else { continue }
      guard let changed = try edit(field, { () throws(EditError) in try text.setting(field.name, to: value) })
      else { continue }
      expectKept(text, changed, except: field.name)
      #expect(FrontMatter(changed)[field.name] == value)
      let back = try changed.setting(field.name, to: field.value)
      expectKept(changed, back, except: field.name)
      #expect(FrontMatter(back)[field.name] == field.value)
      if keepsStyle(field.name, text, changed) { #expect(back == text, "\(text.string)\n\(back.string)") }
    }
  }

  @Test func newFieldsGoWithoutATrace() throws {
    var generator = FrontMatterGenerator(seed: 13)
    for _ in 0..<500 {
      let text = generator.note()
      let value =
        generator.chance(50)
        ? FieldValue.text(generator.text()) : .list([.text(generator.text()), .text(generator.text())])
      let order = generator.chance(50) ? ["id", "title", "new", "tags"] : []
      let lists: ListStyle = generator.chance(50) ? .flow : .block
      let changed = try text.setting("new", to: value, order: order, lists: lists)
      expectKept(text, changed, except: "new")
      #expect(FrontMatter(changed)["new"] == value)
      #expect(try changed.clearing("new") == text)
    }
  }

  @Test func addingAndRemoving() throws {
    var generator = FrontMatterGenerator(seed: 17)
    for _ in 0..<800 {
      let text = generator.note()
      let element = generator.text()
      let name = generator.pick(FrontMatter(text).fields.map(\.name) + ["tags"]) ?? "tags"
      let field = FrontMatter(text).field(name)
      guard
        let changed = try edit(field, { () throws(EditError) in try text.adding(element, to: name) }),
        changed != text
      else { continue }
      expectKept(text, changed, except: name)
      let back = try changed.removing(element, from: name)
      expectKept(changed, back, except: name)
      switch field?.value {
      case .none: #expect(back == text)
      case .list(let old) where !old.isEmpty: #expect(back == text, "\(text.string)\n\(back.string)")
      default: break
      }
    }
  }

  @Test func removingAnyElement() throws {
    var generator = FrontMatterGenerator(seed: 19)
    for _ in 0..<800 {
      let text = generator.note()
      for field in FrontMatter(text).fields {
        let elements =
          field.name == "tags" ? field.value.strings.flatMap { CommaList($0).elements } : field.value.strings
        guard let element = generator.pick(elements) else { continue }
        guard
          let changed = try edit(
            field, { () throws(EditError) in try text.removing(element, from: field.name) })
        else { continue }
        expectKept(text, changed, except: field.name)
        #expect(FrontMatter(changed)[field.name]?.strings.contains { $0.hasSameBytes(as: element) } != true)
      }
    }
  }

  @Test func settingLists() throws {
    var generator = FrontMatterGenerator(seed: 23)
    for _ in 0..<600 {
      let text = generator.note()
      guard let field = generator.pick(FrontMatter(text).fields) else { continue }
      var elements: [FieldValue] = []
      while generator.chance(65) { elements.append(.text(generator.text())) }
      if case .list(let old) = field.value, generator.chance(50) {
        elements = old.filter { _ in generator.chance(60) } + elements
      }
      let value = FieldValue.list(elements)
      guard let changed = try edit(field, { () throws(EditError) in try text.setting(field.name, to: value) })
      else { continue }
      expectKept(text, changed, except: field.name)
      #expect(FrontMatter(changed)[field.name] == value)
    }
  }

  /// Makes an edit; one that is refused as opaque must be of a field that is not simple, or would make a
  /// comment part of the block scalar above it.
  private func edit(
    _ field: FrontMatterField?, _ body: () throws(EditError) -> NoteText
  ) throws -> NoteText? {
    do throws(EditError) {
      return try body()
    } catch {
      guard case .opaque(_, _, let reason) = error else { throw error }
      #expect(field?.isEditable != true || reason.contains("alter"), "\(reason)")
      return nil
    }
  }

  /// Says whether a scalar has the same style before and after, which then can carry both values.
  private func keepsStyle(_ name: String, _ old: NoteText, _ new: NoteText) -> Bool {
    func scalar(_ text: NoteText) -> (bytes: [UInt8], style: ScalarStyle, value: String)? {
      let reading = FrontMatterReading(libyaml: text)
      guard let index = reading.fields.firstIndex(where: { $0.name.hasSameBytes(as: name) }),
        case .scalar(let range, let style) = reading.shapes[index].form,
        let value = reading.fields[index].value.text
      else { return nil }
      return (Array(text.bytes[range]), style, value)
    }
    guard let before = scalar(old), let after = scalar(new), before.style == after.style else { return false }
    return before.bytes
      == YAMLScalar.write(before.value, in: .value, like: before.style, previous: after.value)
  }
}
