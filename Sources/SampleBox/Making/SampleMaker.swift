package import Notes
import Text

/// Makes the records of a sample box, one after the other, from a seed and a clock.
///
/// The same seed, time and names in use give the same records, byte for byte.
package struct SampleMaker {
  /// The age of the oldest record in days.
  static let days = 730

  let clock: ClockReading
  var random: SampleRandom
  private var takenIDs: Set<NoteID>
  private var takenTitles: Set<String>

  /// - Parameters:
  ///   - takenIDs: ids that no record gets.
  ///   - takenTitles: titles that no record gets, in whatever case and accents.
  package init(clock: ClockReading, seed: UInt64, takenIDs: Set<NoteID> = [], takenTitles: [String] = []) {
    self.clock = clock
    random = SampleRandom(seed: seed)
    self.takenIDs = takenIDs
    self.takenTitles = Set(takenTitles.map { Folding.fold($0) })
  }

  /// All records, kind by kind.
  package mutating func records(_ counts: SampleCounts) -> [SampleRecord] {
    let groups = makeGroups(counts["group"])
    return makeIssues(counts["issue"]) + makeBooks(counts["book"]) + groups.map(\.record)
      + makeTasks(counts["task"], in: groups) + makeNotes(counts["note"])
  }
}

extension SampleMaker {
  /// An id that no other note has.
  mutating func newID() -> NoteID {
    while true {
      let id = NoteID(number: random.next() % NoteID.count)
      if takenIDs.insert(id).inserted { return id }
    }
  }

  /// A title that no other note has, whatever case and accents: drawn again where it has been, in the end numbered.
  mutating func newTitle(_ draw: (inout SampleRandom) -> String) -> String {
    var title = draw(&random)
    for _ in 0..<20 {
      if takenTitles.insert(Folding.fold(title)).inserted { return title }
      title = draw(&random)
    }
    var number = 2
    while !takenTitles.insert(Folding.fold("\(title) (\(number))")).inserted { number += 1 }
    return "\(title) (\(number))"
  }

  /// Takes a title if no other note has it.
  mutating func takeTitle(_ title: String) -> Bool { takenTitles.insert(Folding.fold(title)).inserted }

  /// Shares days in the past out evenly: how many days ago, from the first to the last of so many records.
  mutating func daysAgo(_ index: Int, of count: Int, atLeast nearest: Int = 1) -> Int {
    let span = Self.days - nearest
    let (start, end) = (span * index / count, span * (index + 1) / count)
    return Self.days - random.between(start, max(start, end - 1))
  }

  /// A moment between seven and ten o'clock at night, so many days ago.
  mutating func moment(daysAgo: Int) -> Timestamp {
    let day = clock.today.adding(days: -daysAgo)
    let second = random.between(7 * 3600, 22 * 3600 - 1)
    let instant = clock.instant(of: day, secondOfDay: second)
    return Timestamp(seconds: instant, offsetSeconds: clock.offset(instant))
  }

  /// A day between two that are counted back from today.
  mutating func day(from earlier: Int, to later: Int = 0) -> Int { random.between(later, earlier) }

  func date(daysAgo: Int) -> String { clock.today.adding(days: -daysAgo).description }

  /// Values for the names that most sentences have.
  mutating func usualValues() -> [String: String] {
    [
      "name": random.pick(IssueWords.names), "count": String(random.between(3, 12)),
      "version": "\(random.between(1, 4)).\(random.between(0, 9))",
    ]
  }

  /// Some sentences of a pool as one paragraph.
  mutating func sentences(_ count: Int, of pool: [String], _ values: [String: String] = [:]) -> [String] {
    random.pick(count, of: pool).map { pattern in
      SamplePattern.fill(pattern, usualValues().merging(values) { _, own in own })
    }
  }

  /// Paragraphs as Markdown; empty ones are left out.
  static func body(_ paragraphs: [String]...) -> String {
    paragraphs.filter { !$0.isEmpty }.map { $0.joined(separator: " ") + "\n" }.joined(separator: "\n")
  }
}
