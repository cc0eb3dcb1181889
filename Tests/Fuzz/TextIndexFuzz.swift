// Two things by the first byte. Texts and a query: the scanner finds the words of the folded text, and the index
// finds what looking at every text finds. Changes to the bytes of an index, with sums that hold again: whatever
// is asked ends, in an answer or in word of the damage.
@testable import NoteIndex
import Bytes
import Text

@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ data: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  let bytes = Array(UnsafeBufferPointer(start: data, count: count))
  guard let first = bytes.first else { return 0 }
  if first & 1 == 0 { checkTexts(bytes.dropFirst()) } else { checkDamage(bytes.dropFirst()) }
  return 0
}

private func require(_ condition: Bool, _ message: @autoclosure () -> String) {
  if !condition { fatalError(message()) }
}

private struct Words16: WordReceiver {
  var words: [[UInt8]] = []

  mutating func receive(_ word: ScannedWord) {
    let sink = ByteSink()
    word.append(to: sink)
    words.append(Array(sink.contents))
  }

  mutating func receive(sign: ScannedWord) {}
}

// The fuzzer has one thread.
nonisolated(unsafe) private let scanner = WordScanner()

private func checkTexts(_ bytes: ArraySlice<UInt8>) {
  // A zero byte parts texts, of which the first is the query.
  let parts = bytes.split(separator: 0, omittingEmptySubsequences: false)
  guard let query = parts.first else { return }
  let texts = parts.dropFirst().map(Array.init)
  for text in texts {
    var found = Words16()
    text.withUnsafeBytes { scanner.scan($0, &found) }
    let folded = Folding.fold(text[...])
    let expected = Words.ranges(in: folded[...]).map { Array(folded[$0].prefix(ScannedWord.longest)) }
    require(found.words == expected, "the scanner finds other words")
  }
  let builders = TextIndexBuilders()
  builders.fill(from: 0) { builder in
    for (number, text) in texts.enumerated() {
      builder.begin(number)
      builder.add(text[...], to: TextField.allCases[number % TextField.allCases.count])
    }
  }
  let index = builders.index(documents: texts.count)
  for pattern in patterns(Array(query)) {
    let expected = texts.indices.filter { pattern.occurs(in: texts[$0][...]) }
    do {
      switch try TextIndex(ByteSlice(copying: index)).find(pattern) {
      case .exact(let hits):
        require(hits.map { Int($0.document) } == expected, "the index finds others")
        for hit in hits {
          let text = texts[Int(hit.document)]
          let field = TextField.allCases[Int(hit.document) % TextField.allCases.count]
          var counts = FieldCounts()
          counts.add(pattern.count(in: text[...]), in: field)
          require(counts == hit.counts, "the index counts otherwise")
        }
      case .candidates(let documents):
        require(Set(expected).isSubset(of: documents.map(Int.init)), "a candidate is missing")
      case .unknown: break
      }
    } catch {
      fatalError("a whole index is damaged")
    }
  }
}

private func patterns(_ query: [UInt8]) -> [TextPattern] {
  let pieces = query.split(separator: UInt8(ascii: "*"), omittingEmptySubsequences: false).map(Array.init)
  return [
    WordPattern(query, isPrefix: false).map(TextPattern.words),
    WordPattern(query, isPrefix: true).map(TextPattern.words),
    TextPattern(plain: query),
    pieces.count > 1 ? WildcardPattern(pieces).map(TextPattern.wildcard) : nil,
  ].compactMap(\.self)
}

/// An index of enough documents for words of several blocks.
private let whole: [UInt8] = {
  let builders = TextIndexBuilders()
  builders.fill(from: 0) { builder in
    for number in 0..<300 {
      builder.begin(number)
      builder.add("a b a word\(number % 40) żółw", to: .body)
      if number % 3 == 0 { builder.add("a title \(number)", to: .title) }
      if number % 7 == 0 { builder.add("日本語 b", to: .tag) }
    }
  }
  return builders.index(documents: 300)
}()

private func checkDamage(_ bytes: ArraySlice<UInt8>) {
  var damaged = whole
  var changes = bytes[...]
  while changes.count >= 3 {
    let part = Array(changes.prefix(3))
    changes = changes.dropFirst(3)
    damaged[(Int(part[0]) << 8 | Int(part[1])) % damaged.count] = part[2]
  }
  let isSummed = damaged.withUnsafeMutableBytes { buffer in
    guard let layout = IndexLayout(unchecked: UnsafeRawBufferPointer(buffer)) else { return false }
    func store(_ range: Range<Int>, _ offset: Int) {
      let sum = Checksum.of(UnsafeRawBufferPointer(rebasing: buffer[range]))
      buffer.storeBytes(of: sum.littleEndian, toByteOffset: offset, as: UInt64.self)
    }
    for page in 0..<layout.pageCount { store(layout.page(page), layout.sums.lowerBound + 8 * page) }
    store(layout.sums, 56)
    store(0..<80, 80)
    return true
  }
  guard isSummed else { return }
  do {
    let index = try TextIndex(ByteSlice(copying: damaged))
    for text in ["a", "a b", "b a word1", "word", "żółw", "日本", "a title"] {
      for pattern in patterns(Array(text.utf8)) { _ = try index.find(pattern) }
    }
    guard index.documentCount <= 1_000 else { return }
    let numbers = (0..<UInt32(index.documentCount)).map { $0 }
    _ = try TextIndex.merged([RenumberedIndex(index, numbers: numbers)], documents: numbers.count)
  } catch {}
}
