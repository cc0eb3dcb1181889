import NoteIndex
import Notes

/// The edit of one file of the search: all that stays is copied in one go.
struct WordFileEdit {
  /// A word with the numbers of the notes that have it.
  struct Word: Sendable {
    let bytes: [UInt8]
    /// Ascending.
    let numbers: [Int]
  }

  private static let quote = UInt8(ascii: "\"")
  private static let comma = UInt8(ascii: ",")
  private static let dot = UInt8(ascii: ".")

  private let old: UnsafeBufferPointer<UInt8>
  private let numbers: [Int]
  private let start: Int
  private let end: Int
  private var new: [UInt8] = []
  /// The old bytes before this offset are in the new ones, or left out.
  private var done = 0
  private var hasWords = false

  /// - Returns: nil if the bytes are no file with the head.
  init?(_ old: UnsafeBufferPointer<UInt8>, head: [UInt8], _ numbers: [Int]) {
    let tail = Array("]);\n".utf8)
    guard old.starts(with: head), old.count >= head.count + tail.count,
      old[(old.count - tail.count)...].elementsEqual(tail)
    else { return nil }
    (self.old, self.numbers) = (old, numbers)
    (start, end) = (head.count, old.count - tail.count)
  }

  /// The bytes of the file with other words; none without words, nil if the file is damaged.
  ///
  /// - Parameter words: in order.
  mutating func result(adding words: [Word]) -> [UInt8]? {
    var (position, next) = (start, 0)
    while position < end {
      let isFirst = position == start
      if !isFirst {
        guard old[position] == Self.comma else { return nil }
      }
      let wordStart = position + (isFirst ? 0 : 1)
      guard let wordEnd = self.end(ofText: wordStart), old[wordEnd] == Self.comma else { return nil }
      let word = old[(wordStart + 1)..<(wordEnd - 1)]
      while next < words.count, words[next].bytes.lexicographicallyPrecedes(word) {
        copy(upTo: position)
        append(words[next])
        next += 1
      }
      var more: ArraySlice<Int> = []
      if next < words.count, words[next].bytes.elementsEqual(word) {
        more = words[next].numbers[...]
        next += 1
      }
      let (length, before, hadWords) = (new.count, done, hasWords)
      if hasWords == isFirst {
        copy(upTo: position)
        if hasWords { new.append(Self.comma) }
        done = wordStart
      }
      guard let (numbersEnd, isLeft) = editNumbers(at: wordEnd + 1, adding: more) else { return nil }
      position = numbersEnd
      if isLeft {
        hasWords = true
      } else {
        // Without numbers the word goes.
        new.removeSubrange(length...)
        (done, hasWords) = (before, hadWords)
        copy(upTo: wordStart - (isFirst ? 0 : 1))
        done = position
      }
    }
    guard position == end else { return nil }
    for word in words[next...] {
      copy(upTo: end)
      append(word)
    }
    guard hasWords else { return [] }
    guard done > 0 else { return Array(old) }
    copy(upTo: old.count)
    return new
  }

  /// Copies old bytes that are not copied yet.
  private mutating func copy(upTo offset: Int) {
    guard offset > done else { return }
    new.append(contentsOf: UnsafeBufferPointer(rebasing: old[done..<offset]))
    done = offset
  }

  private mutating func append(_ word: Word) {
    if hasWords { new.append(Self.comma) }
    var writer = JSONWriter()
    writer.string(bytes: word.bytes)
    new += writer.takeBytes()
    new += [Self.comma, Self.quote] + WordFiles.written(word.numbers) + [Self.quote]
    hasWords = true
  }

  /// The offset behind a text in quotes; nil without one, or if it has escapes.
  private func end(ofText start: Int) -> Int? {
    guard start < end, old[start] == Self.quote else { return nil }
    var position = start + 1
    while position < end {
      if old[position] == Self.quote { return position + 1 }
      if old[position] == UInt8(ascii: "\\") { return nil }
      position += 1
    }
    return nil
  }

  /// Edits the numbers of a word.
  ///
  /// - Parameter more: numbers that are added, ascending.
  /// - Returns: the offset behind the numbers, and whether the word has any; nil if they are damaged.
  private mutating func editNumbers(at start: Int, adding more: ArraySlice<Int>) -> (end: Int, isLeft: Bool)?
  {
    guard start < end, old[start] == Self.quote else { return nil }
    var (position, more) = (start + 1, more)
    // The last old number, and the last new one.
    var (number, last) = (0, 0)
    var (isFirst, isLeft) = (true, false)
    while true {
      let digits = position
      var step = 0
      // The bytes behind the numbers are no digits.
      while let digit = Self.digit(old[position]) {
        step = step &* 36 &+ digit
        position += 1
      }
      guard position > digits, position < end else { return nil }
      number &+= step
      let next = number >= 0 && number < numbers.count ? numbers[number] : -1
      if next < 0 {
        copy(upTo: isFirst ? digits : digits - 1)
        done = position
      } else {
        guard next >= last else { return nil }
        while let added = more.first, added < next {
          copy(upTo: isFirst ? digits : digits - 1)
          append(added, after: last, isFirst: !isLeft)
          (last, isLeft) = (added, true)
          more.removeFirst()
        }
        if next - last != step || isLeft == isFirst {
          copy(upTo: isFirst ? digits : digits - 1)
          append(next, after: last, isFirst: !isLeft)
          done = position
        }
        (last, isLeft) = (next, true)
      }
      isFirst = false
      if old[position] == Self.quote { break }
      guard old[position] == Self.dot else { return nil }
      position += 1
    }
    for added in more {
      copy(upTo: position)
      append(added, after: last, isFirst: !isLeft)
      (last, isLeft) = (added, true)
    }
    return (position + 1, isLeft)
  }

  private mutating func append(_ number: Int, after last: Int, isFirst: Bool) {
    if !isFirst { new.append(Self.dot) }
    new.append(contentsOf: String(number - last, radix: 36).utf8)
  }

  /// The value of a digit in base 36; nil for another byte.
  @inline(__always)
  private static func digit(_ byte: UInt8) -> Int? {
    if byte &- 0x30 < 10 { return Int(byte &- 0x30) }
    return byte &- 0x61 < 26 ? Int(byte &- 0x61) + 10 : nil
  }
}
