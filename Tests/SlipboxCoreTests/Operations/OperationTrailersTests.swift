import Notes
import SlipboxTesting
import Testing

@testable import Git
@testable import SlipboxCore

@Suite struct OperationTrailersTests {
  private static let id = "pvmnkdztszrfxztk"
  private static let head = "Set: Bread\n\nSlip-Operation: \(id)\nSlip-Command: set\n"

  private func read(_ operation: Operation) throws -> Operation {
    let offset = operation.time.offsetSeconds / 60
    return OperationTrailers.operation(
      of: try .sample(
        OperationTrailers.message(of: operation), seconds: operation.time.seconds, offsetMinutes: offset))
  }

  @Test(arguments: 0..<126)
  func anOperationIsReadAsItWasWritten(_ seed: Int) throws {
    var samples = OperationSamples(seed: UInt64(seed))
    let operation = samples.operation(changes: seed % 21)
    let message = OperationTrailers.message(of: operation)
    let read = try read(operation)
    #expect(read.with([], noteCount: nil) == operation.with([], noteCount: nil), "\(message)")
    #expect(read.changes == operation.changes, "\(message)")
    #expect(read.noteCount == operation.noteCount)
    #expect(!message.utf8.contains(0))
  }

  @Test func ofManyNotesOnlyTheNumberIsWritten() throws {
    var samples = OperationSamples(seed: 1)
    let operation = samples.operation(changes: 21)
    let message = OperationTrailers.message(of: operation)
    #expect(message.hasSuffix("\nSlip-Notes: 21\n") && !message.hasSuffix("Slip-Change"))
    let read = try read(operation)
    #expect(read.noteCount == 21 && read.changes.isEmpty && !read.isWhole)
    #expect(read == operation.with([], noteCount: 21))
  }

  @Test(arguments: 0..<60)
  func theInverseOfTheInverseIsTheSame(_ seed: Int) {
    var samples = OperationSamples(seed: UInt64(seed))
    let operation = samples.operation(changes: 6)
    #expect(operation.inverse.inverse == operation)
    #expect(operation.inverse != operation)
  }

  @Test(arguments: [
    (#"kqzmvtrp status "open" "closed""#, "kqzmvtrp: status"),
    (#""a b.md" tags null ["x y","z\"]"]"#, "a b.md: tags"),
    (#"kqzmvtrp "creation date" "" {"a":["b c"]}"#, "kqzmvtrp: creation date"),
    (#"kqzmvtrp due ~ "2026-11-21""#, "kqzmvtrp: due"),
    (#"kqzmvtrp tags ["a",null] []"#, "kqzmvtrp: tags"),
    (#"kqzmvtrp "path" "a" "b""#, "kqzmvtrp: path"),
    (#"kqzmvtrp "body" "a" "b""#, "kqzmvtrp: body"),
    (#"kqzmvtrp path null "2026/11/a-kqzmvtrp.md""#, "kqzmvtrp: made 2026/11/a-kqzmvtrp.md"),
    (#"kqzmvtrp path "a.md" null"#, "kqzmvtrp: deleted a.md"),
    (#"kqzmvtrp path "a.md" "b/a.md""#, "kqzmvtrp: moved a.md b/a.md"),
    ("kqzmvtrp body", "kqzmvtrp: text nil nil"),
    (#"kqzmvtrp rating 4 5"#, "kqzmvtrp: rating"), (#"kqzmvtrp w "5" -1.50"#, "kqzmvtrp: w"),
    (#"kqzmvtrp l [1,"2",true,null] {"a":[false,"no"]}"#, "kqzmvtrp: l"),
  ])
  func readsALine(_ line: String, _ expected: String) throws {
    let change = try #require(ChangeLine(line))
    #expect(change.text == line)
    let told =
      switch change {
      case .field(let note, let field): "\(Self.told(note)): \(field.name)"
      case .file(let note, .made(let path)): "\(Self.told(note)): made \(Self.told(.path(path)))"
      case .file(let note, .deleted(let path)): "\(Self.told(note)): deleted \(Self.told(.path(path)))"
      case .file(let note, .moved(let from, let to)):
        "\(Self.told(note)): moved \(Self.told(.path(from))) \(Self.told(.path(to)))"
      case .body(let note, let body):
        "\(Self.told(note)): text \(body.old?.hex ?? "nil") \(body.new?.hex ?? "nil")"
      }
    #expect(told == expected)
  }

  private static func told(_ note: NoteName) -> String {
    switch note {
    case .id(let id): id.description
    case .path(let path): String(decoding: path, as: UTF8.self)
    }
  }

  @Test func aValueIsReadAsWhatItIs() throws {
    let line = #"kqzmvtrp x {"a":["b c",null],"a":"\u0000\ud83d\ude00"} ~"#
    guard case .field(_, let field) = ChangeLine(line) else {
      Issue.record("not read")
      return
    }
    #expect(field.new == .empty)
    #expect(
      field.old
        == .map([
          MapEntry(key: "a", value: .list([.text("b c"), .empty])), MapEntry(key: "a", value: .text("\0😀")),
        ]))
  }

  @Test func aValueHasTheTypesOfItsFile() throws {
    let note = { (bytes: String) in
      NoteVersion(
        path: Array("a.md".utf8), bytes: Array("---\ntitle: 1984\n\(bytes)\n---\n".utf8), blob: .zero)
    }
    let change = try #require(
      NoteChange.between(note("x: 5\ny: '7'\nl: [1, \"2\"]"), note("x: 6\ny: 8\nl: [1, \"2\", true]")))
    #expect(
      change.fields.map { ChangeLine.field(change.note, $0).text } == [
        #""a.md" x 5 6"#, #""a.md" y "7" 8"#, #""a.md" l [1,"2"] [1,"2",true]"#,
      ])
    let made = try #require(NoteChange.between(nil, note("x: 5")))
    #expect(
      made.fields.map { ChangeLine.field(made.note, $0).text }
        == [#""a.md" title null "1984""#, #""a.md" x null 5"#])
    let back = try #require(change.inverse.fields.first { $0.name == "y" })
    #expect(ChangeLine.field(change.note, back).text == #""a.md" y 8 "7""#)
  }

  @Test func aPathNeedNotBeUTF8() throws {
    let path: [UInt8] = Array("a".utf8) + [0xC3, 0x28, 0xED, 0xA0, 0x80] + Array("é.md".utf8)
    let line = ChangeLine.file(.path(path), .made(path))
    #expect(
      line.text == #""a\udcc3(\udced\udca0\udc80é.md" path null "a\udcc3(\udced\udca0\udc80é.md""#)
    #expect(ChangeLine(line.text) == line)
  }

  @Test(arguments: [
    "", "one", "a b c", "a b c d", "kqzmvtrp", "kqzmvtrp ", "kqzmvtrp status", "kqzmvtrp status null null",
    #"kqzmvtrp status "a" "a""#, #"kqzmvtrp status "a" "b" "#, #"kqzmvtrp status "a" "b" "c""#,
    #"kqzmvtrp status "a"  "b""#, #"kqzmvtrp  status "a" "b""#, #" kqzmvtrp status "a" "b""#,
    #"kqzmvtra status "a" "b""#, #"kqzmvtrp status a b"#, #"kqzmvtrp status 012 2"#,
    #"kqzmvtrp status "a" True"#, #"kqzmvtrp status "a" 1e3"#, #"kqzmvtrp status "a" [1 2]"#,
    #"kqzmvtrp status "5" 5"#, #"kqzmvtrp status "a" yes"#, #"kqzmvtrp status "a" 1,2"#,
    #"kqzmvtrp status "a" nullx"#, #"kqzmvtrp status "a" "b"#, #"kqzmvtrp status "a" "b\""#,
    #"kqzmvtrp status "a" "\x""#, #"kqzmvtrp status "a" "\ud800""#, #"kqzmvtrp status "a" "\udc80""#,
    #"kqzmvtrp status "a" "\u12g4""#, #"kqzmvtrp status "a" ["b",]"#, #"kqzmvtrp status "a" ["b" "c"]"#,
    #"kqzmvtrp status "a" ["b""#, #"kqzmvtrp status "a" {"b"}"#, #"kqzmvtrp status "a" {"b":}"#,
    #"kqzmvtrp status "a" {b:"c"}"#, #"kqzmvtrp status "a" [~]"#, #"kqzmvtrp status "a" "b"}],"forged":["#,
    "kqzmvtrp status \"a\" \"b\u{1}\"", #"kqzmvtrp path null null"#, #"kqzmvtrp path "a.md" "a.md""#,
    #"kqzmvtrp path "/a.md" null"#, #"kqzmvtrp path "../a.md" null"#, #"kqzmvtrp path "a//b" null"#,
    #"kqzmvtrp path "a/./b" null"#, #"kqzmvtrp path "" null"#, #"kqzmvtrp path "a\u0000" null"#,
    #"kqzmvtrp path ["a"] null"#, #""" status "a" "b""#, #""../x" status "a" "b""#,
    #"kqzmvtrp body null null"#,
    #"kqzmvtrp body "a" "b""#, #"kqzmvtrp body "a""#, "kqzmvtrp body ",
  ])
  func refusesALineThatIsNotOfTheForm(_ line: String) { #expect(ChangeLine(line) == nil) }

  @Test func aValueNestedTooDeeplyIsRefused() {
    for depth in [TrailerValues.deepest - 1, TrailerValues.deepest, 100_000] {
      let value = String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
      #expect((ChangeLine("kqzmvtrp x null \(value)") != nil) == (depth <= TrailerValues.deepest))
    }
  }

  /// Valid lines with bytes put in, taken out and exchanged: none may trap, and none may mean two things.
  @Test func aBrokenLineIsRefusedOrMeansWhatItIsWrittenAs() {
    var samples = OperationSamples(seed: 9)
    for _ in 0..<8_000 {
      let change = samples.change()
      let field = change.fields.first ?? samples.field()
      var bytes = Array(ChangeLine.field(change.note, field).text.unicodeScalars)
      for _ in 0..<Int.random(in: 0...3, using: &samples.random) where !bytes.isEmpty {
        let place = Int.random(in: 0..<bytes.count, using: &samples.random)
        switch Int.random(in: 0..<4, using: &samples.random) {
        case 0: bytes.remove(at: place)
        case 1: bytes[place] = samples.pick(Array("\"\\u[]{},:~ d8n\u{1}".unicodeScalars))
        case 2: bytes.insert(samples.pick(Array("\"\\u[]{},:~ d8n\u{1}".unicodeScalars)), at: place)
        default: bytes.removeLast(bytes.count - place)
        }
      }
      guard let line = ChangeLine(String(String.UnicodeScalarView(bytes))) else { continue }
      #expect(ChangeLine(line.text) == line)
    }
  }

  @Test func aForeignTrailerIsNoChange() throws {
    let message =
      Self.head + "Slip-Change: kqzmvtrp status \"a\" \"b\"\nSlip-Change: {\"forged\": 1}\nReviewed-by: Bob\n"
    let operation = OperationTrailers.operation(of: try .sample(message))
    #expect(operation.id?.description == Self.id && operation.command == "set" && operation.device == nil)
    #expect(operation.changes.count == 1 && operation.noteCount == nil && !operation.isWhole)
  }

  @Test(arguments: [
    "Slip-Operation: x\nSlip-Command: set\n", "Slip-Operation: pvmnkdztszrfxztk\n",
    "Slip-Operation: pvmnkdztszrfxztk\nSlip-Operation: pvmnkdztszrfxztk\nSlip-Command: set\n",
    "Slip-Command: set\n", "Signed-off-by: Ada\n",
  ])
  func aCommitOfAnotherProgramHasNoNameAndNoChanges(_ trailers: String) throws {
    let change = "Slip-Change: kqzmvtrp status \"a\" \"b\"\n"
    let operation = OperationTrailers.operation(of: try .sample("Set: Bread\n\nWhy.\n\n" + trailers + change))
    #expect(operation.id == nil && operation.command == nil && operation.device == nil)
    #expect(operation.changes.isEmpty && !operation.isWhole)
    #expect(operation.subject == "Set: Bread" && operation.author == "Ada")
    #expect(operation.reason?.hasPrefix("Why.\n\nS") == true)
  }

  @Test(arguments: [
    "", "Slip-Notes: 0\n", "Slip-Notes: -1\n", "Slip-Notes: x\n", "Slip-Notes: 1\nSlip-Notes: 2\n",
  ])
  func withoutChangesAndNumberItIsNotWhole(_ trailers: String) throws {
    let operation = OperationTrailers.operation(of: try .sample(Self.head + trailers))
    #expect(operation.id != nil && operation.noteCount == nil && !operation.isWhole)
  }

  @Test func aMessageLooksSo() {
    let author = Signature(name: "Ada", email: "", seconds: 0, offsetMinutes: 0)
    let note = NoteName.id(NoteID(number: 7))
    let operation = Operation(
      id: OperationID(NoteID(number: 1), NoteID(number: 2)), command: "set", device: "my\ndesk",
      author: author,
      subject: " Set rating\t4:\nBread \n", reason: "\n\nFor \u{1B}the\r\nguests\n\n",
      changes: [
        NoteChange(note: note, fields: [.init(name: "rating", old: nil, new: .text("4"))]),
        NoteChange(note: note, fields: []),
      ])
    #expect(
      OperationTrailers.message(of: operation) == #"""
        Set rating 4:\x0aBread \x0a

        For \x1bthe
        guests

        Slip-Operation: bbbbbbbcbbbbbbbd
        Slip-Command: set
        Slip-Device: my\x0adesk
        Slip-Change: bbbbbbbk rating null "4"

        """#)
    #expect(Operation.subjectLine(String(repeating: "é", count: 101)).count == 100)
  }
}
