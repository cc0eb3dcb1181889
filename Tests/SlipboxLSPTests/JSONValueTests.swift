import Bytes
import Foundation
import SlipboxTesting
import Testing

@testable import SlipboxLSP

/// Values of JSON, and types encoded as them, compared with Foundation's encoder and decoder.
@Suite struct JSONValueTests {
  private static func read(_ text: String) throws -> JSONValue {
    JSONValue(try JSONReader.whole(Array(text.utf8), .replacing))
  }

  private static func text(_ value: JSONValue) -> String { String(decoding: value.written, as: UTF8.self) }

  @Test(arguments: [
    ("9007199254740993", "9007199254740993"), ("-9223372036854775808", "-9223372036854775808"), ("1.0", "1"),
    ("1e2", "100"), ("-0", "0"), ("0.1", "0.1"), ("1e300", "1e+300"),
    ("18446744073709551616", "1.8446744073709552e+19"),
    ("1e999", "null"), ("1e-999", "0"), (#"{"b":1,"a":[{}],"b":2}"#, #"{"a":[{}],"b":1}"#),
    (#""\ud83d\ude00\ud83d""#, "\"😀\u{FFFD}\""), (#""\u0000\u2028\u007f""#, #""\u0000\u2028\u007f""#),
  ])
  func `writes what it read`(json: String, written: String) throws {
    #expect(Self.text(try Self.read(json)) == written)
  }

  /// A value of up to some levels, with numbers, names and texts of every sort.
  private static func value(_ numbers: inout SplitMix64, depth: Int = 0) -> JSONValue {
    switch Int.random(in: 0..<(depth < 4 ? 9 : 7), using: &numbers) {
    case 0: .null
    case 1: .boolean(Bool.random(using: &numbers))
    case 2: .integer(Int.random(in: -1000...1000, using: &numbers))
    case 3: .integer(Int(truncatingIfNeeded: numbers.next() >> UInt64.random(in: 0..<64, using: &numbers)))
    case 4: JSONValue(Double.random(in: -1e6...1e6, using: &numbers))
    case 5, 6: .string(text(&numbers))
    case 7:
      .array((0..<Int.random(in: 0..<5, using: &numbers)).map { _ in value(&numbers, depth: depth + 1) })
    default:
      .object(
        Dictionary(
          (0..<Int.random(in: 0..<5, using: &numbers)).map { _ in
            (text(&numbers), value(&numbers, depth: depth + 1))
          }, uniquingKeysWith: { first, _ in first }))
    }
  }

  private static func text(_ numbers: inout SplitMix64) -> String {
    let scalars: [ClosedRange<UInt32>] = [
      0...0x1F, 0x20...0x7F, 0x22...0x22, 0x5C...0x5C, 0x80...0x7FF, 0x2028...0x202E, 0xE000...0xFFFF,
      0x10000...0x10FFFF,
    ]
    var text = String.UnicodeScalarView()
    for _ in 0..<Int.random(in: 0..<20, using: &numbers) {
      let range = scalars[Int.random(in: scalars.indices, using: &numbers)]
      if let scalar = Unicode.Scalar(UInt32.random(in: range, using: &numbers)) { text.append(scalar) }
    }
    return String(text)
  }

  @Test func `reads back random values, as Foundation does`() throws {
    var numbers = SplitMix64(seed: 390)
    for _ in 0..<3_000 {
      let value = Self.value(&numbers)
      let written = value.written
      #expect(try Message.read(written) == value)
      let other = try JSONDecoder().decode([JSONValue].self, from: Data("[".utf8 + written + "]".utf8))
      #expect(other == [value])
      let encoder = JSONEncoder()
      #expect(JSONValue(encoding: value) == value)
      #expect(try Message.read(Array(encoder.encode([value]))) == .array([value]))
      #expect(value.decoded(JSONValue.self) == value)
    }
  }

  @Test func `reads escaped text in any UTF-16 units`() throws {
    var numbers = SplitMix64(seed: 391)
    for _ in 0..<2_000 {
      let units = (0..<Int.random(in: 0..<8, using: &numbers)).map { _ in
        UInt16.random(in: Bool.random(using: &numbers) ? 0xD700...0xE0FF : 0...0xFFFF, using: &numbers)
      }
      let escapes = units.map { "\\u" + String(format: "%04x", Int($0)) }.joined()
      let text = try #require(try Self.read("\"\(escapes)\"").string)
      // The positions of an editor that counts UTF-16 stay right.
      #expect(Array(text.utf16).count == units.count)
      #expect(text == String(decoding: units, as: UTF16.self))
    }
  }
}

/// Types as JSON.
extension JSONValueTests {
  private enum Level: Int, Codable { case low = 1, high }

  private struct Part: Codable, Equatable {
    var name: String
    var flag: Bool?
    var small: UInt8
    var ratio: Double
    var float: Float
    var level: Level
    var parts: [Part]
    var lists: [[Int]]
    var named: [String: Part]
    var numbered: [Int: String]
    var any: JSONValue
  }

  private static func part(_ numbers: inout SplitMix64, depth: Int = 0) -> Part {
    let count = depth < 2 ? Int.random(in: 0..<3, using: &numbers) : 0
    return Part(
      name: text(&numbers), flag: Bool.random(using: &numbers) ? true : nil,
      small: UInt8.random(in: 0...255, using: &numbers),
      ratio: Double(Int.random(in: 0...1000, using: &numbers)) / 8, float: 0.5,
      level: Bool.random(using: &numbers) ? .low : .high,
      parts: (0..<count).map { _ in part(&numbers, depth: depth + 1) }, lists: [[], [1, 2]],
      named: count > 0 ? [text(&numbers): part(&numbers, depth: depth + 1)] : [:], numbered: [7: "seven"],
      any: value(&numbers))
  }

  @Test func `encodes and decodes types as Foundation does`() throws {
    var numbers = SplitMix64(seed: 392)
    for _ in 0..<300 {
      let part = Self.part(&numbers)
      let own = JSONValue(encoding: part)
      let encoder = JSONEncoder()
      #expect(try Message.read(Array(encoder.encode(part))) == own)
      #expect(own.decoded(Part.self) == part)
      #expect(try JSONDecoder().decode(Part.self, from: Data(own.written)) == part)
    }
  }

  /// A type that opens containers within its own.
  private struct Nested: Codable, Equatable {
    enum Key: CodingKey { case list, object, base }
    var numbers: [Int]

    init(_ numbers: [Int]) { self.numbers = numbers }

    func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: Key.self)
      var list = container.nestedUnkeyedContainer(forKey: .list)
      var object = container.nestedContainer(keyedBy: Key.self, forKey: .object)
      var inner = list.nestedUnkeyedContainer()
      for number in numbers { try inner.encode(number) }
      try list.encodeNil()
      var last = list.nestedContainer(keyedBy: Key.self)
      try object.encode(numbers.count, forKey: .list)
      try last.encode("x", forKey: .base)
      try numbers.encode(to: container.superEncoder(forKey: .base))
    }

    init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: Key.self)
      var list = try container.nestedUnkeyedContainer(forKey: .list)
      var inner = try list.nestedUnkeyedContainer()
      numbers = []
      while !inner.isAtEnd { numbers.append(try inner.decode(Int.self)) }
      #expect(try list.decodeNil())
      #expect(try list.nestedContainer(keyedBy: Key.self).decode(String.self, forKey: .base) == "x")
      #expect(list.isAtEnd && list.count == 3)
      let object = try container.nestedContainer(keyedBy: Key.self, forKey: .object)
      #expect(try object.decode(Int.self, forKey: .list) == numbers.count)
      #expect(try [Int](from: container.superDecoder(forKey: .base)) == numbers)
    }
  }

  @Test func `nests containers as Foundation does`() throws {
    for numbers in [[], [1], [3, 1, 2]] {
      let own = JSONValue(encoding: Nested(numbers))
      #expect(try Message.read(Array(JSONEncoder().encode(Nested(numbers)))) == own)
      #expect(own.decoded(Nested.self) == Nested(numbers))
    }
  }

  private struct Request: Decodable {
    struct Place: Decodable { let line: Int; let text: String; let level: Level? }
    let places: [Place]
  }

  @Test(
    arguments: [
      (#"{"places":[]}"#, nil), ("[]", "the message must be an object"), (#"{}"#, "places is missing"),
      (#"{"places":{}}"#, "places must be a list"),
      (#"{"places":[{"line":0,"text":""},{"line":1.5}]}"#, "places[1].line must be an integer"),
      (#"{"places":[{"line":9223372036854775808,"text":""}]}"#, "places[0].line must be an integer"),
      (#"{"places":[{"line":null,"text":""}]}"#, "places[0].line must be an integer"),
      (#"{"places":[{"line":1.0,"text":false}]}"#, "places[0].text must be a string"),
      (#"{"places":[{"line":"1","text":""}]}"#, "places[0].line must be an integer"),
      (#"{"places":[{"line":1,"text":"","level":null}]}"#, nil),
      (
        #"{"places":[{"line":1,"text":"","level":7}]}"#,
        "places[0].level: Cannot initialize Level from invalid Int value 7"
      ),
    ] as [(String, String?)])
  func `names the place that has another form`(json: String, problem: String?) throws {
    let value = try Self.read(json)
    do throws(ResponseError) {
      _ = try Message.decoded(Request.self, value)
      #expect(problem == nil)
    } catch {
      #expect(error == ResponseError(.invalidParams, problem ?? "none"))
    }
  }
}
