// Edits any note: what is refused changes nothing; what is done changes the lines of one field, libyaml sees
// all others as they were, and the inverse edit gives the same bytes back.
@testable import Notes

@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ data: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  guard count > 4 else { return 0 }
  let bytes = Array(UnsafeBufferPointer(start: data, count: count))
  let fields = bytes[1...].split(separator: 0xFF, maxSplits: 1, omittingEmptySubsequences: false)
  guard fields.count == 2, let value = fields.first, let block = fields.last else { return 0 }
  let isWhole = block.starts(with: "---".utf8) || block.starts(with: Fences.byteOrderMark)
  let text = NoteText(isWhole ? Array(block) : Array("---\n".utf8) + block + Array("\n---\nBody\n".utf8))
  checkEdits(of: text, choice: Int(bytes[0]), value: String(decoding: value, as: UTF8.self))
  return 0
}

private func checkEdits(of text: NoteText, choice: Int, value: String) {
  let fields = FrontMatter(text).fields
  let names = fields.map(\.name) + ["tags", "new"]
  let name = names[(choice >> 2) % names.count]
  switch choice & 3 {
  case 0: checkSetting(.text(value), name, in: text)
  case 1:
    let parts = value.split(separator: ",", omittingEmptySubsequences: false).map {
      FieldValue.text(String($0))
    }
    checkSetting(.list(parts), name, in: text)
  case 2: checkAdding(value, name, in: text)
  default: checkRemoving(name, in: text)
  }
}

private func checkSetting(_ value: FieldValue, _ name: String, in text: NoteText) {
  guard let changed = try? text.setting(name, to: value) else { return }
  checkOthers(text, changed, except: name)
  require(FrontMatter(changed)[name] == value, "another value is read than was set")
  let old = FrontMatter(text)[name]
  guard let old else {
    let back = try? changed.clearing(name)
    require(text.block == nil || back == text, "clearing a new field leaves something")
    return
  }
  guard let again = try? changed.setting(name, to: old) else { return }
  require(FrontMatter(again)[name] == old, "the old value does not come back")
  checkOthers(text, again, except: name)
  guard case .text(let next) = value, let before = scalar(text, name), let after = scalar(changed, name),
    before.style == after.style, before.isCanonical(in: text, after: next), !next.isEmpty
  else { return }
  require(again == text, "setting the old value again gives other bytes")
}

private func checkAdding(_ element: String, _ name: String, in text: NoteText) {
  guard let changed = try? text.adding(element, to: name) else { return }
  checkOthers(text, changed, except: name)
  guard changed != text else { return }
  guard let again = try? changed.adding(element, to: name) else {
    fail("adding twice is refused")
  }
  require(again == changed, "adding twice changes something")
  guard let back = try? changed.removing(element, from: name) else {
    fail("what was added can't be removed")
  }
  checkOthers(text, back, except: name)
  switch FrontMatter(text)[name] {
  case .list(let old) where old.contains { $0 != .empty }: require(back == text, "add and remove differ")
  case .none where text.block != nil: require(back == text, "add and remove differ")
  case .text(let old)
  where scalar(text, name)?.style == scalar(changed, name)?.style && scalar(changed, name) != nil:
    require(
      scalar(text, name)?.isCanonical(in: text, after: "") != true || back == text,
      "'\(old)': add and remove differ")
  default: break
  }
}

private func checkRemoving(_ name: String, in text: NoteText) {
  if let cleared = try? text.clearing(name) {
    checkOthers(text, cleared, except: name)
    require(FrontMatter(cleared)[name] == nil, "a cleared field is still there")
  }
  for element in FrontMatter(text)[name]?.strings ?? [] {
    guard let changed = try? text.removing(element, from: name) else { continue }
    checkOthers(text, changed, except: name)
    // A scalar of several tags is not itself one of them.
    if ElementKind(fieldName: name) == .tags, element.utf8.contains(UInt8(ascii: ",")) { continue }
    require(FrontMatter(changed)[name]?.strings.contains(element) != true, "a removed element is still there")
  }
}

/// A scalar of a field with its place.
private struct Scalar {
  let range: Range<Int>
  let style: ScalarStyle
  let value: String

  /// Whether the editor writes this very text for the value where another text stands.
  func isCanonical(in text: NoteText, after next: String) -> Bool {
    Array(text.bytes[range]) == YAMLScalar.write(value, in: .value, like: style, previous: next)
  }
}

private func scalar(_ text: NoteText, _ name: String) -> Scalar? {
  let reading = FrontMatterReading(libyaml: text)
  guard let index = reading.fields.firstIndex(where: { $0.name.hasSameBytes(as: name) }),
    reading.shapes.count > index, case .scalar(let range, let style) = reading.shapes[index].form,
    let value = reading.fields[index].value.text
  else { return nil }
  return Scalar(range: range, style: style, value: value)
}

/// Holds all that an edit must not touch against what was there before.
private func checkOthers(_ old: NoteText, _ new: NoteText, except name: String) {
  let before = FrontMatterReading(libyaml: old)
  let after = FrontMatterReading(libyaml: new)
  require(after.problems.isEmpty, "an edit makes front-matter that is not valid: \(after.problems)")
  let others = before.fields.filter { !$0.name.hasSameBytes(as: name) }
  let kept = after.fields.filter { !$0.name.hasSameBytes(as: name) }
  require(others.count == kept.count, "another field came or went")
  for (first, second) in zip(others, kept) {
    require(first.name.hasSameBytes(as: second.name) && first.value == second.value, "another field changed")
    require(old.bytes[first.span] == new.bytes[second.span], "the bytes of another field changed")
  }
  require(old.bytes[old.body] == new.bytes[new.body], "the body changed")
  guard let field = before.fields.first(where: { $0.name.hasSameBytes(as: name) }) else { return }
  require(new.bytes.starts(with: old.bytes[..<field.span.lowerBound]), "bytes before the field changed")
  require(
    new.bytes.reversed().starts(with: old.bytes[field.span.upperBound...].reversed()),
    "bytes after the field changed")
}

/// Ends the run with a message where a law is broken; release builds drop those of `precondition`.
private func require(_ isTrue: Bool, _ message: @autoclosure () -> String) {
  if !isTrue { fail(message()) }
}

private func fail(_ message: String) -> Never { fatalError(message) }
