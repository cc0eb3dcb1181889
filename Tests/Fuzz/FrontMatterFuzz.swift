// Reads any bytes as a note: nothing traps, the ranges partition the bytes, and what the quick reader takes
// libyaml reads alike.
@testable import Notes

@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ data: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  let bytes = Array(UnsafeBufferPointer(start: data, count: count))
  check(bytes)
  check(Array("---\n".utf8) + bytes + Array("\n---\nBody\n".utf8))
  return 0
}

/// Holds one file against all that must be true of it.
private func check(_ bytes: [UInt8]) {
  let text = NoteText(bytes)
  let front = FrontMatter(text)
  checkRanges(text)
  for problem in front.problems {
    require(problem.line >= 1 && problem.column >= 1 && !problem.message.isEmpty, "a problem without a place")
  }
  for field in front.fields {
    require(field.span.lowerBound >= 0 && field.span.upperBound <= bytes.count, "a field outside the file")
  }
  guard let range = text.frontMatter, text.format == .yaml, range.count <= FrontMatterReading.longestBlock,
    FrontMatterBytes.firstUnreadable(bytes) == nil, FrontMatterBytes.areSimple(bytes, in: range),
    let quick = SpanReader.read(bytes, in: range, keepsShapes: true)
  else { return }
  guard case .success(let slow) = YAMLReader.read(bytes, in: range) else {
    fail("the quick reader takes what libyaml refuses")
  }
  require(quick.fields == slow.fields, "fields differ: \(quick.fields) and \(slow.fields)")
  require(quick.shapes == slow.shapes, "shapes differ: \(quick.shapes) and \(slow.shapes)")
}

private func checkRanges(_ text: NoteText) {
  let bytes = text.bytes
  let mark = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
  require(text.body.upperBound == bytes.count, "the body ends before the file")
  guard let block = text.block, let inner = text.frontMatter else {
    require(text.body.lowerBound == mark && text.block == nil && text.frontMatter == nil, "a gap")
    return
  }
  require(block.lowerBound == mark && block.upperBound == text.body.lowerBound, "a gap")
  require(block.lowerBound < inner.lowerBound && inner.upperBound < block.upperBound, "no fences")
  require(bytes[inner.lowerBound - 1] == 0x0A, "the first line is not whole")
  require(inner.isEmpty || bytes[inner.upperBound - 1] == 0x0A, "the last line is not whole")
}

/// Ends the run with a message where a law is broken; release builds drop those of `precondition`.
private func require(_ isTrue: Bool, _ message: @autoclosure () -> String) {
  if !isTrue { fail(message()) }
}

private func fail(_ message: String) -> Never { fatalError(message) }
