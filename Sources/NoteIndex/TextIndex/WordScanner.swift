import Bytes
import Text

/// Receives the words of a text.
protocol WordReceiver {
  mutating func receive(_ word: ScannedWord)

  /// Receives a sign beyond ASCII between words, such as an emoji, in the form of `SignTerm`.
  mutating func receive(sign: ScannedWord)
}

/// Finds the folded words of a text, with the same result as `Folding` followed by `Words`, but faster.
///
/// The search for the end of an ASCII word folds eight letters at a time. Words with an apostrophe or other letters are
/// read letter by letter. Only letters that depend on their neighbours are folded as a run, up to the next character that
/// certainly separates words.
final class WordScanner {
  private let memo = ScalarMemo()
  /// The folded bytes of a word that is assembled letter by letter.
  let scratch: UnsafeMutablePointer<UInt8>
  private var run: [UInt8] = []
  private var folded: [UInt8] = []

  init() { scratch = .allocate(capacity: ScannedWord.longest + 64) }

  deinit { scratch.deallocate() }

  /// Hands the words of a text to a receiver, in order.
  ///
  /// - Complexity: O(n).
  @inline(__always)
  func scan<Receiver: WordReceiver>(_ text: UnsafeRawBufferPointer, _ receiver: inout Receiver) {
    var offset = 0
    let count = text.count
    while offset < count {
      let first = Letters(text, offset)
      if first.wordLength == 0 {
        if first.isSpecial {
          offset = scanRun(text, from: offset, &receiver)
        } else {
          offset &+= first.separatorLength
        }
        continue
      }
      if first.wordLength < 8 {
        let end = offset &+ first.wordLength
        if end < count, !ASCII.partsWords(text[end]) {
          offset = scanRun(text, from: offset, &receiver)
        } else {
          receiver.receive(ScannedWord(low: first.folded, high: 0, count: first.wordLength))
          offset = end &+ 1
        }
        continue
      }
      let second = Letters(text, offset &+ 8)
      let end = offset &+ 8 &+ second.wordLength
      if second.wordLength == 8 || (end < count && !ASCII.partsWords(text[end])) {
        offset = scanRun(text, from: offset, &receiver)
      } else {
        receiver.receive(
          ScannedWord(low: first.folded, high: second.folded, count: 8 &+ second.wordLength))
        offset = end &+ 1
      }
    }
  }

  /// Finds the words up to the next character that certainly separates words, letter by letter; returns its offset.
  @inline(never)
  private func scanRun<Receiver: WordReceiver>(
    _ text: UnsafeRawBufferPointer, from start: Int, _ receiver: inout Receiver
  ) -> Int {
    var word = OpenWord(at: start)
    var offset = start
    while offset < text.count {
      let byte = text[offset]
      if byte < 0x80 {
        if ASCII.isWord(byte) {
          if word.isAlone { finish(&word, &receiver) }
          if !word.isOpen { word = OpenWord(at: offset, isOpen: true) }
          add(ASCII.lowerCased(byte), to: &word)
          word.commit()
        } else if byte == UInt8(ascii: "'") {
          join(&word, memo.apostrophe, &receiver)
        } else {
          break
        }
        offset &+= 1
        continue
      }
      let (value, length) = Self.scalar(text, offset)
      let entry = memo[value]
      switch entry.kind {
      case .word:
        if word.isAlone { finish(&word, &receiver) }
        if !word.isOpen { word = OpenWord(at: offset, isOpen: true) }
        add(entry, to: &word)
      case .ideograph:
        finish(&word, &receiver)
        word = OpenWord(at: offset, isOpen: true, isAlone: true)
        add(entry, to: &word)
      case .separator:
        finish(&word, &receiver)
        receiveSigns(UnsafeBufferPointer(start: memo.form(entry), count: entry.count), &receiver)
      case .mark: if word.isOpen { addMark(entry, to: &word) }
      case .dropped: break
      case .joiner: join(&word, entry, &receiver)
      case .special, .unknown: return scanUncommon(text, from: word.isOpen ? word.start : offset, &receiver)
      }
      offset &+= length
    }
    finish(&word, &receiver)
    return offset
  }

  @inline(__always)
  private func add(_ byte: UInt8, to word: inout OpenWord) {
    if word.count < ScannedWord.longest { scratch[word.count] = byte }
    word.count &+= 1
  }

  @inline(__always)
  private func add(_ entry: ScalarMemo.Form, to word: inout OpenWord) {
    addForm(entry, to: &word)
    word.commit()
  }

  @inline(__always)
  private func addForm(_ entry: ScalarMemo.Form, to word: inout OpenWord) {
    let form = memo.form(entry)
    for index in 0..<entry.count { add(form[index], to: &word) }
  }

  /// Takes a mark, which after an apostrophe belongs to the word only if a letter follows.
  private func addMark(_ entry: ScalarMemo.Form, to word: inout OpenWord) {
    let isJoined = word.isJoined
    addForm(entry, to: &word)
    if !isJoined { word.commit() }
  }

  /// Takes an apostrophe, which belongs to the word if a letter follows.
  private func join<Receiver: WordReceiver>(
    _ word: inout OpenWord, _ entry: ScalarMemo.Form, _ receiver: inout Receiver
  ) {
    if word.isOpen && !word.isAlone && !word.isJoined {
      addForm(entry, to: &word)
    } else {
      finish(&word, &receiver)
    }
  }

  @inline(__always)
  private func finish<Receiver: WordReceiver>(_ word: inout OpenWord, _ receiver: inout Receiver) {
    guard word.isOpen else { return }
    receiver.receive(ScannedWord(scratch, count: word.committed))
    word = OpenWord(at: word.start)
  }

  /// Reads a scalar beyond ASCII; invalid bytes count as one special scalar.
  @inline(__always)
  private static func scalar(_ text: UnsafeRawBufferPointer, _ offset: Int) -> (UInt32, Int) {
    let lead = text[offset]
    if lead >= 0xC2, lead < 0xE0, offset &+ 1 < text.count {
      let second = text[offset &+ 1]
      if second & 0xC0 == 0x80 { return (UInt32(lead & 0x1F) << 6 | UInt32(second & 0x3F), 2) }
    } else if lead >= 0xE0, offset &+ 2 < text.count {
      return longScalar(text, offset)
    }
    return (.max, 1)
  }

  @inline(__always)
  private static func longScalar(_ text: UnsafeRawBufferPointer, _ offset: Int) -> (UInt32, Int) {
    let (lead, second, third) = (text[offset], text[offset &+ 1], text[offset &+ 2])
    let rest = UInt32(second & 0x3F) << 6 | UInt32(third & 0x3F)
    guard second & 0xC0 == 0x80, third & 0xC0 == 0x80 else { return (.max, 1) }
    if lead < 0xF0 {
      let value = UInt32(lead & 0x0F) << 12 | rest
      return value >= 0x800 && value & 0xF800 != 0xD800 ? (value, 3) : (.max, 1)
    }
    guard lead < 0xF5, offset &+ 3 < text.count, text[offset &+ 3] & 0xC0 == 0x80 else { return (.max, 1) }
    let value = UInt32(lead & 0x07) << 18 | rest << 6 | UInt32(text[offset &+ 3] & 0x3F)
    return value >= 0x10000 && value < 0x110000 ? (value, 4) : (.max, 1)
  }

  /// Folds the rest of a run as a whole, and returns its end.
  private func scanUncommon<Receiver: WordReceiver>(
    _ text: UnsafeRawBufferPointer, from start: Int, _ receiver: inout Receiver
  ) -> Int {
    var end = start
    while end < text.count, !ASCII.partsWords(text[end]) { end &+= 1 }
    run.removeAll(keepingCapacity: true)
    folded.removeAll(keepingCapacity: true)
    run.append(contentsOf: UnsafeRawBufferPointer(rebasing: text[start..<end]))
    Folding.append(run[...], to: &folded)
    let bytes = folded
    bytes.withUnsafeBufferPointer { buffer in
      guard let base = buffer.baseAddress else { return }
      var last = 0
      Words.forEach(in: bytes[...]) { range in
        receiveSigns(UnsafeBufferPointer(rebasing: buffer[last..<range.lowerBound]), &receiver)
        receiver.receive(ScannedWord(base + range.lowerBound, count: range.count))
        last = range.upperBound
      }
      receiveSigns(UnsafeBufferPointer(rebasing: buffer[last...]), &receiver)
    }
    return end
  }

  /// Hands on the signs in a folded text without words.
  private func receiveSigns<Receiver: WordReceiver>(
    _ text: UnsafeBufferPointer<UInt8>, _ receiver: inout Receiver
  ) {
    var offset = 0
    while offset < text.count {
      if text[offset] < 0x80 {
        offset += 1
        continue
      }
      let (value, length) = Self.scalar(UnsafeRawBufferPointer(text), offset)
      if memo[value].kind == .separator {
        receiver.receive(sign: SignTerm.word(text[offset..<offset + length]))
      }
      offset += length
    }
  }
}

/// A word that is being assembled.
private struct OpenWord {
  /// The start in the text.
  let start: Int
  var isOpen = false
  /// Whether it is a letter that is a word of its own.
  var isAlone = false
  /// The number of its folded bytes, including an apostrophe that may not belong to it.
  var count = 0
  /// The number of bytes that certainly belong to it.
  var committed = 0

  init(at start: Int, isOpen: Bool = false, isAlone: Bool = false) {
    self.start = start
    self.isOpen = isOpen
    self.isAlone = isAlone
  }

  var isJoined: Bool { count > committed }

  mutating func commit() { committed = count }
}

/// Eight bytes of a text, processed together: the part of a word at their beginning, folded.
///
/// A 64-bit number holds eight bytes, the first byte of the text lowest. The highest bit of each byte holds a flag of
/// that byte.
struct Letters {
  private static let highest: UInt64 = 0x8080_8080_8080_8080
  private static let ones: UInt64 = 0x0101_0101_0101_0101

  private let bytes: UInt64
  /// The highest bit of each byte that is an ASCII letter, digit or `_`.
  private let words: UInt64
  private let lowered: UInt64

  /// Looks at the bytes from an offset on; those after the end of the text count as zeros.
  @inline(__always)
  init(_ text: UnsafeRawBufferPointer, _ offset: Int) {
    bytes =
      offset &+ 8 <= text.count
      ? text.loadUnaligned(fromByteOffset: offset, as: UInt64.self).littleEndian
      : Self.tail(text, offset)
    let low = bytes & ~Self.highest
    let small = low | (Self.ones &* 0x20)
    let letters = (small &+ Self.ones &* (0x80 - 0x61)) & ~(small &+ Self.ones &* (0x80 - 0x7B))
    let digits = (low &+ Self.ones &* (0x80 - 0x30)) & ~(low &+ Self.ones &* (0x80 - 0x3A))
    let others = (low ^ (Self.ones &* 0x5F)) &+ Self.ones &* 0x7F
    words = (letters | digits | ~others) & Self.highest & ~bytes
    lowered = bytes | (letters & Self.highest) >> 2
  }

  @inline(never)
  private static func tail(_ text: UnsafeRawBufferPointer, _ offset: Int) -> UInt64 {
    var value: UInt64 = 0
    var index = 0
    while offset &+ index < text.count {
      value |= UInt64(text[offset &+ index]) &<< UInt64(8 &* index)
      index &+= 1
    }
    return value
  }

  /// The number of leading bytes that belong to a word.
  @inline(__always)
  var wordLength: Int { (~words & Self.highest).trailingZeroBitCount &>> 3 }

  /// These bytes in small letters, zeros after them.
  @inline(__always)
  var folded: UInt64 {
    let stop = ~words & Self.highest
    // All bits below the first byte that does not belong to the word.
    return stop == 0 ? lowered : lowered & ((stop & (0 &- stop)) &>> 7 &- 1)
  }

  /// Whether the first byte is beyond ASCII.
  @inline(__always)
  var isSpecial: Bool { bytes & 0x80 != 0 }

  /// The number of leading bytes that are ASCII and begin no word.
  @inline(__always)
  var separatorLength: Int {
    let stop = (words | bytes) & Self.highest
    return stop.trailingZeroBitCount &>> 3
  }
}
