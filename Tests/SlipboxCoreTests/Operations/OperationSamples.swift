import Notes
import SlipboxTesting

@testable import Git
@testable import SlipboxCore

/// Random operations whose texts try to break out of a commit message.
struct OperationSamples {
  var random: SplitMix64

  init(seed: UInt64) { random = SplitMix64(seed: seed) }

  private static let pieces = [
    "a", "Z", "9", " ", "  ", "\t", "\"", "\\", "\\n", "\n", "\r\n", "\r", "\n\n", "\0", "\u{1B}[31m",
    "\u{7F}",
    "\u{85}", "\u{9B}", "\u{A0}", "\u{2028}", "\u{202E}", "\u{2069}", "\u{FEFF}", "e\u{301}", "é", "\u{301}",
    "🏴󠁧󠁢󠁥󠁮󠁧󠁿", "👩‍👩‍👧", "ł", "\u{FFFD}", "\u{10FFFF}", "[", "]", "{", "}", ":", ",", "~", "null", "path", "body",
    "Slip-Change: kqzmvtrp status \"a\" \"b\"", "\n\nSlip-Operation: pvmnkdztszrfxztk\n", "#", "\\udc80",
  ]

  mutating func text(_ most: Int = 6) -> String {
    (0..<Int.random(in: 0...most, using: &random)).map { _ in pick(Self.pieces) }.joined()
  }

  mutating func pick<Element>(_ elements: [Element]) -> Element {
    elements[Int.random(in: 0..<elements.count, using: &random)]
  }

  mutating func chance(_ one: Int) -> Bool { Int.random(in: 0..<one, using: &random) == 0 }

  /// A path that a tree can hold; often not UTF-8.
  mutating func path() -> [UInt8] {
    let parts = (0...Int.random(in: 0...2, using: &random)).map { _ in
      var part = Array(text().utf8).filter { $0 != 0 && $0 != UInt8(ascii: "/") }
      while chance(3) {
        let byte = pick([0x80, 0xBF, 0xC3, 0xED, 0xA0, 0xF0, 0x9F, 0xFF] as [UInt8])
        part.insert(byte, at: Int.random(in: 0...part.count, using: &random))
      }
      return part + "x".utf8
    }
    return Array(parts.joined(separator: [UInt8(ascii: "/")]))
  }

  mutating func value(_ depth: Int = 0) -> FieldValue {
    switch Int.random(in: 0..<(depth < 3 ? 6 : 3), using: &random) {
    case 0: return .empty
    case 1, 2: return .text(text())
    case 3, 4: return .list((0..<Int.random(in: 0..<4, using: &random)).map { _ in value(depth + 1) })
    default:
      return .map(
        (0..<Int.random(in: 0..<3, using: &random)).map { _ in MapEntry(key: text(), value: value(depth + 1))
        })
    }
  }

  mutating func field() -> NoteChange.Field {
    let name = chance(3) ? pick(["path", "body", "status", "id", "", "null", "my field"]) : text(3)
    while true {
      let (old, new) = (chance(3) ? nil : value(), chance(3) ? nil : value())
      if old != new { return NoteChange.Field(name: name, old: old, new: new) }
    }
  }

  mutating func blob() -> ObjectID? {
    ObjectID(bytes: (0..<20).map { _ in UInt8.random(in: 0...255, using: &random) })
  }

  mutating func change() -> NoteChange {
    var file: NoteChange.FileStep?
    switch Int.random(in: 0..<6, using: &random) {
    case 0: file = .made(path())
    case 1: file = .deleted(path())
    case 2: file = .moved(from: path(), to: path() + "2".utf8)
    default: file = nil
    }
    let bodies = [
      NoteChange.Body(old: nil, new: nil), .init(old: blob(), new: blob()), .init(old: nil, new: blob()), nil,
      nil,
    ]
    let fields = (0..<Int.random(in: 0..<4, using: &random)).map { _ in field() }
    let body = pick(bodies)
    let name = chance(2) ? NoteName.id(.random(using: &random)) : .path(file?.paths.new ?? path())
    let change = NoteChange(note: name, file: file, fields: fields, body: body)
    return change.isEmpty ? self.change() : change
  }

  mutating func operation(changes count: Int) -> Operation {
    var changes: [NoteChange] = []
    while changes.count < count {
      let change = change()
      if !changes.contains(where: { $0.note == change.note }) { changes.append(change) }
    }
    let author = Signature(
      name: "Ada", email: "ada@example.org", seconds: Int64.random(in: 0..<4_000_000_000, using: &random),
      offsetMinutes: Int.random(in: -720...840, using: &random))
    return Operation(
      id: .random(using: &random), command: pick(["set", "new", text()]), device: text(), author: author,
      subject: text(60), reason: chance(2) ? nil : text(12), changes: changes)
  }
}

extension Commit {
  /// The commit with a message, as git would store it.
  static func sample(_ message: String, seconds: Int64 = 0, offsetMinutes: Int = 0) throws -> Commit {
    let author = Signature(
      name: "Ada", email: "ada@example.org", seconds: seconds, offsetMinutes: offsetMinutes)
    let text = "tree \(ObjectID.zero.hex)\nauthor \(author.line)\ncommitter \(author.line)\n\n" + message
    struct Unreadable: Error {}
    guard let commit = Commit(id: .zero, bytes: Array(text.utf8)) else { throw Unreadable() }
    return commit
  }
}
