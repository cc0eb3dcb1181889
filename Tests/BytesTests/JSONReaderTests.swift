import Bytes
import SlipboxTesting
import Testing

/// Texts that are JSON, texts that are almost JSON, and texts that no program should send.
@Suite struct JSONReaderTests {
  private static func read(_ text: String, _ fidelity: JSONReader.Fidelity = .exact) -> String {
    read(Array(text.utf8), fidelity)
  }

  /// The value without blanks, or the line and the message of the problem.
  private static func read(_ bytes: [UInt8], _ fidelity: JSONReader.Fidelity = .exact) -> String {
    do throws(JSONProblem) {
      return written(try JSONReader.whole(bytes, fidelity))
    } catch {
      return "\(error.line): \(error.message)"
    }
  }

  private static func written(_ node: JSONNode) -> String {
    switch node.value {
    case .null: "null"
    case .boolean, .number: node.text ?? ""
    case .string(let text): JSONString.quoted(text)
    case .array(let elements): "[" + elements.map(written).joined(separator: ",") + "]"
    case .object(let members):
      "{" + members.map { JSONString.quoted($0.key) + ":" + written($0.node) }.joined(separator: ",") + "}"
    }
  }

  @Test(arguments: [
    "null", "true", "false", "0", "-0", "1.50", "-12e+3", "1E-5", "9007199254740993",
    "123456789012345678901234567890",
    #""""#, #""a\"b\\c/d""#, #""\b\f\n\r\t""#, #""\u0000\u001f""#, #""żółw 日本 😀""#, "[]", "{}", "[[],{}]",
    #"{"a":[1,{"b":null}],"":"c"}"#,
  ])
  func `reads back what it wrote`(json: String) {
    #expect(Self.read(json) == json)
    #expect(Self.read(" \r\n\t" + json + "\n ") == json)
    #expect(Self.read("\u{FEFF}" + json) == json)
  }

  @Test(arguments: [
    (#""\u00e9\u00E9\/""#, #""éé/""#), (#""\ud83d\uDE00""#, #""😀""#),
    (#""\ud800\udc00\udbff\udfff""#, "\"𐀀\u{10FFFF}\""),
    ("\"a\tb\"", #""a\tb""#), (#""\u0022\u005c""#, #""\"\\""#), ("[ 1 , 2 ]", "[1,2]"),
  ])
  func `decodes escapes and blanks`(json: String, expected: String) {
    #expect(Self.read(json) == expected)
    #expect(Self.read(json, .replacing) == expected)
  }

  @Test(arguments: [
    ("", "1: unexpected end of text inside a value"), ("\n\n", "3: unexpected end of text inside a value"),
    ("[", "1: unexpected end of text inside a value"), ("[1,]", "1: a value is missing"),
    ("[1 2]", "1: no comma or closing bracket in a list"), ("{\"a\":1,}", "1: expected a name in quotes"),
    ("{a:1}", "1: expected a name in quotes"), ("{\"a\" 1}", "1: no colon after the name a"),
    ("{\"a\":1 \"b\":2}", "1: no comma or closing brace after a"),
    ("1 2", "1: unexpected text after the value"),
    ("01", "1: 01 is not a JSON value"), ("1.", "1: 1. is not a JSON value"),
    (".5", "1: .5 is not a JSON value"),
    ("+1", "1: +1 is not a JSON value"), ("-", "1: - is not a JSON value"),
    ("1e", "1: 1e is not a JSON value"),
    ("0x10", "1: 0x10 is not a JSON value"), ("-inf", "1: -inf is not a JSON value"),
    ("NaN", "1: NaN is not a JSON value"), ("nul", "1: nul is not a JSON value"),
    ("'a'", "1: a value is missing"),
    ("\"a", "1: a string has no closing quote"), ("\n\"a\nb\"", "2: a string has no closing quote"),
    ("\"\\", "1: unexpected end of text inside an escape"), (#""\q""#, "1: invalid escape"),
    (#""\u12"#, "1: expected four hexadecimal digits"), (#""\u12g4""#, "1: expected four hexadecimal digits"),
    (#""\u+123""#, "1: expected four hexadecimal digits"), ("\u{FEFF}\u{FEFF}1", "1: a value is missing"),
  ])
  func `refuses text that is not JSON`(text: String, problem: String) {
    #expect(Self.read(text) == problem)
    #expect(Self.read(text, .replacing) == problem)
  }

  @Test(arguments: [
    (#""\ud83d""#, #""�""#, "1: unpaired surrogate: \\ud83d"),
    (#""\ude00x""#, #""�x""#, "1: unpaired surrogate: \\ude00"),
    (#""\ud83d\ud83d\ude00""#, #""�😀""#, "1: unpaired surrogate: \\ud83d"),
    (#""\ud83d\n""#, #""�\n""#, "1: unpaired surrogate: \\ud83d"),
    (#"{"a":1,"a":2}"#, #"{"a":1,"a":2}"#, "1: the name a occurs twice"),
    (#"{"a":1,"\u0061":2}"#, #"{"a":1,"a":2}"#, "1: the name a occurs twice"),
  ])
  func `replaces or refuses values that no string holds`(json: String, replaced: String, problem: String) {
    #expect(Self.read(json) == problem)
    #expect(Self.read(json, .replacing) == replaced)
  }

  @Test func `keeps names apart that differ in normalisation alone`() {
    #expect(Self.read("{\"\u{E9}\":1,\"e\u{301}\":2}") == "{\"\u{E9}\":1,\"e\u{301}\":2}")
  }

  @Test func `refuses strings that are not UTF-8`() {
    let broken: [[UInt8]] = [
      [0xFF], [0xC3], [0xC0, 0x80], [0xED, 0xA0, 0x80], [0xF4, 0x90, 0x80, 0x80], [0xE2, 0x82],
    ]
    for bytes in broken {
      for text in [[0x22] + bytes + [0x22], Array("\"escaped \\n and long: ".utf8) + bytes + [0x22]] {
        #expect(Self.read(text) == "1: a string is not UTF-8", "\(bytes)")
      }
    }
    #expect(Self.read([0xFF]) == "1: a value is missing")
  }

  @Test func `refuses deep nesting without a crash`() throws {
    let deepest = JSONReader.deepest
    let deep = String(repeating: "[", count: deepest - 1) + "1" + String(repeating: "]", count: deepest - 1)
    #expect(Self.read(deep) == deep)
    for opening in ["[", "{\"a\":", "[{\"a\":"] {
      let text = String(repeating: opening, count: 100_000)
      #expect(Self.read(text) == "1: nested deeper than \(deepest) levels")
    }
  }

  @Test func `finds the end of a string at any offset`() throws {
    for length in 0..<40 {
      for (special, expected) in [
        ("\\n", "\n"), ("\\\\", "\\"), ("\t", "\t"), ("é", "é"), ("\u{7F}", "\u{7F}"),
      ] {
        let plain = String(repeating: "x", count: length)
        let node = try JSONReader.whole(Array("\"\(plain)\(special)\(plain)\"".utf8))
        #expect(node.text == plain + expected + plain)
      }
    }
  }

  @Test func `never reads past the end of damaged text`() throws {
    var numbers = SplitMix64(seed: 39)
    let text = Array(#"[{"a":"\ud83d\ude00 b\n","c":[1.5e3,-0,true,null]},"żółw",{"":{}}]"#.utf8)
    for length in 0..<text.count {
      #expect(throws: JSONProblem.self) { try JSONReader.whole(Array(text[..<length])) }
    }
    for _ in 0..<20_000 {
      var damaged = text
      for _ in 0..<Int.random(in: 1...4, using: &numbers) {
        let place = Int.random(in: damaged.indices, using: &numbers)
        switch Int.random(in: 0..<3, using: &numbers) {
        case 0: damaged[place] = UInt8.random(in: 0...255, using: &numbers)
        case 1: damaged.remove(at: place)
        default: damaged.insert(text[Int.random(in: text.indices, using: &numbers)], at: place)
        }
      }
      for fidelity in [JSONReader.Fidelity.exact, .replacing] {
        guard let node = try? JSONReader.whole(damaged, fidelity) else { continue }
        let again = Self.written(node)
        #expect(Self.read(again, fidelity) == again)
      }
    }
  }
}
