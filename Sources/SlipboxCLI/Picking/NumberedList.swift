import Glibc
import Platform
import Presentation
import SlipboxCore
import Text

/// Notes with numbers on the terminal, of which some are chosen by their numbers, after words have made the list shorter.
struct NumberedList {
  private static let length = 20
  private let lines: [OfferedNote]
  private let isOne: Bool
  private let session: Session

  init(_ lines: [OfferedNote], isOne: Bool, _ session: Session) {
    self.lines = lines
    self.isOne = isOne
    self.session = session
  }

  /// The places of the lines that were chosen; none where the answer is empty, or input ends.
  func places() -> [Int] {
    var offered = Array(lines.indices)
    while true {
      show(offered)
      let number = isOne ? "a number" : "numbers"
      guard let answer = session.console.ask("\(number), words to search for, or Enter to cancel: ") else {
        return []
      }
      let words = answer.split { $0 == " " || $0 == "," || $0 == "\t" }.map(String.init)
      if words.isEmpty { return [] }
      if let chosen = Self.numbers(words, upTo: min(offered.count, Self.length)) {
        if !isOne || chosen.count == 1 { return chosen.map { offered[$0 - 1] } }
        session.console.complain("choose one note")
        continue
      }
      let wanted = words.map { Folding.fold($0) }
      let found = lines.indices.filter { place in
        let text = Folding.fold(lines[place].text)
        return wanted.allSatisfy { text.contains($0) }
      }
      if found.isEmpty { session.console.complain("no matches") } else { offered = found }
    }
  }

  private func show(_ places: [Int]) {
    let shown = places.prefix(Self.length)
    let width = String(shown.count).count
    let columns = Terminal.columns(STDERR_FILENO) ?? 80
    for (number, place) in shown.enumerated() {
      let label = String(number + 1)
      let gap = String(repeating: " ", count: width - label.count)
      let line = "\(gap)\(label)  \(lines[place].text)"
      session.console.complain(CellWidth.truncate(line, to: columns))
    }
    if places.count > shown.count { session.console.complain("and \(places.count - shown.count) more") }
  }

  /// The numbers that words name, such as `2` and `4-6`, in their order; nil where one is no number of the list.
  static func numbers(_ words: [String], upTo count: Int) -> [Int]? {
    var numbers: [Int] = []
    for word in words {
      let ends = word.split(separator: "-", omittingEmptySubsequences: false).map { Int($0) }
      guard let first = ends.first ?? nil, let last = ends.last ?? nil, ends.count <= 2, first >= 1,
        first <= last,
        last <= count
      else { return nil }
      numbers += (first...last).filter { !numbers.contains($0) }
    }
    return numbers
  }
}
