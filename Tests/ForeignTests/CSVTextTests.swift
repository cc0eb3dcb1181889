import SlipboxTesting
import Testing

@testable import Foreign

/// Comma-separated values as programs write them, and as damage leaves them.
@Suite struct CSVTextTests {
  private func read(_ bytes: [UInt8]) -> (rows: [CSVText.Row], faults: [ForeignProblem]) {
    var (rows, faults): ([CSVText.Row], [ForeignProblem]) = ([], [])
    CSVText.read(bytes) {
      rows.append($0)
    } fault: {
      faults.append($0)
    }
    return (rows, faults)
  }

  @Test(arguments: [
    ("a,b\n1,2\n", [["a", "b"], ["1", "2"]]),
    ("a,b\r\n1,2\r\n", [["a", "b"], ["1", "2"]]),
    ("a,b\r1,2\r", [["a", "b"], ["1", "2"]]),
    ("a,b\n1,2", [["a", "b"], ["1", "2"]]),
    ("a,b\r\n1,2\r", [["a", "b"], ["1", "2"]]),
    ("\u{FEFF}a;b\n\"1;2\";3\n", [["a", "b"], ["1;2", "3"]]),
    ("a\tb\n1,5\t2\n", [["a", "b"], ["1,5", "2"]]),
    ("a,b\n\"x\"\"y\",\"two\nlines\"\n", [["a", "b"], ["x\"y", "two\nlines"]]),
    ("a,b\n=\"012\",say \"no\"\n", [["a", "b"], ["=\"012\"", "say \"no\""]]),
    ("a,b\n\n,\n\"\",\n", [["a", "b"], ["", ""], ["", ""]]),
    ("\"a,b\",c;d\n", [["a,b", "c;d"]]),
    ("a\n\"\"\n", [["a"], [""]]),
    ("Größe,名前\n１,é\n", [["Größe", "名前"], ["１", "é"]]),
    ("", []), ("\n\n", []),
  ])
  func rows(_ text: String, _ expected: [[String]]) {
    let read = read(Array(text.utf8))
    #expect(read.rows.map(\.cells) == expected)
    #expect(read.faults.isEmpty)
  }

  @Test func faultsHaveTheirLinesAndTheRestIsRead() {
    let text = Array("a,b\n1,\"x\ny\"\n2,\"open\n3,z\n4,\"x\"y\n5,w\n".utf8) + [0xFF, 0x2C, 0x31, 0x0A]
    let read = read(text)
    #expect(read.rows.map(\.line) == [1, 2, 5, 7])
    #expect(
      read.faults == [
        ForeignProblem(line: 4, "text after the closing quote of a cell"),
        ForeignProblem(line: 6, "text after the closing quote of a cell"),
        ForeignProblem(line: 8, "a cell is not UTF-8"),
      ])
    let unclosed = self.read(Array("a,b\n1,2\n3,\"never\n4,5\n".utf8))
    #expect(unclosed.rows.map(\.line) == [1, 2, 4])
    #expect(unclosed.faults == [ForeignProblem(line: 3, "a quote is opened and never closed")])
  }

  @Test func whatIsWrittenReadsBack() {
    var dice = SplitMix64(seed: 4180)
    let pieces = ["a", "\"", ",", ";", "\t", "\n", "\r\n", "\r", " ", "é", "=", "#", "x y", "\u{FEFF}", "0"]
    for _ in 0..<2_000 {
      let width = Int.random(in: 2...4, using: &dice)
      let rows = (0..<Int.random(in: 1...5, using: &dice)).map { _ in
        (0..<width).map { _ in
          (0..<Int.random(in: 0...5, using: &dice)).map { _ in pieces.randomElement(using: &dice) ?? "" }
            .joined()
        }
      }
      // The header decides what stands between cells.
      let header = (0..<width).map { "c\($0)" }
      let text = ([header] + rows).map { row in
        row.map {
          "\"\($0.split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\"\""))\""
        }
        .joined(separator: ",") + "\n"
      }.joined()
      let read = read(Array(text.utf8))
      #expect(read.rows.dropFirst().map(\.cells) == rows)
      #expect(read.faults.isEmpty)
    }
  }
}
