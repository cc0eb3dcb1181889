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
  ///   - takenTitles: titles that no record gets, regardless of case and accents.
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

  /// Draws a title that no other note has, regardless of case and accents: repeats the draw if the title is taken, and
  /// finally adds a number.
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

  /// Distributes days in the past evenly: returns the days ago of a record, from the first to the last of a number of
  /// records.
  mutating func daysAgo(_ index: Int, of count: Int, atLeast nearest: Int = 1) -> Int {
    let span = Self.days - nearest
    let (start, end) = (span * index / count, span * (index + 1) / count)
    return Self.days - random.between(start, max(start, end - 1))
  }

  /// Returns a moment between 7:00 and 22:00, a number of days ago.
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

  /// Returns paragraphs as Markdown; omits empty ones.
  static func body(_ paragraphs: [String]...) -> String {
    paragraphs.filter { !$0.isEmpty }.map { $0.joined(separator: " ") + "\n" }.joined(separator: "\n")
  }
}

/// The number of records of each kind in a sample box.
package struct SampleCounts: Equatable {
  /// The default number of each kind; the issues are 10 of each of 5 tags.
  static let usual: [(kind: String, count: Int)] = [
    ("issue", 50), ("book", 20), ("group", 5), ("task", 30), ("note", 20),
  ]

  /// The default number of records: 5 tags of 10 issues, 20 books, 5 groups, 30 tasks, 20 notes.
  package static let usualTotal = usual.reduce(0) { $0 + $1.count }
  /// The most records of one call.
  package static let largestTotal = 100_000

  private var counts: [String: Int]

  /// Shares out a number in the usual proportions, by largest remainders.
  package init(total: Int) {
    let whole = Self.usualTotal
    let shares = Self.usual.enumerated().map { index, part in
      let (count, remainder) = (part.count * total).quotientAndRemainder(dividingBy: whole)
      return (kind: part.kind, count: count, remainder: remainder, index: index)
    }
    counts = Dictionary(shares.map { ($0.kind, $0.count) }, uniquingKeysWith: +)
    let missing = total - shares.reduce(0) { $0 + $1.count }
    let byNeed = shares.sorted { ($1.remainder, $0.index) < ($0.remainder, $1.index) }
    for share in byNeed.prefix(missing) { counts[share.kind, default: 0] += 1 }
  }

  subscript(kind: String) -> Int { counts[kind] ?? 0 }
}

extension SampleMaker {
  /// A note before it is linked to others.
  private struct Thought {
    let title: String
    let tags: [String]
    let sentences: [String]

    var topic: Substring? { tags.first?.split(separator: "/").first }
  }

  /// Notes from the oldest to the newest, each with links to some before it and sometimes to the next.
  mutating func makeNotes(_ count: Int) -> [SampleRecord] {
    let thoughts = makeThoughts(count)
    return thoughts.indices.map { index in
      let thought = thoughts[index]
      var links = earlierTitles(before: index, in: thoughts)
      if index + 1 < count, index == 0 || random.chance(25) { links.append(thoughts[index + 1].title) }
      let linked = zip(random.pick(links.count, of: ConceptWords.links), links).map { pattern, title in
        SamplePattern.fill(pattern, ["title": title])
      }
      return SampleRecord(
        id: newID(), title: thought.title, kind: "note", created: moment(daysAgo: daysAgo(index, of: count)),
        tags: thought.tags, body: Self.body(thought.sentences, linked))
    }
  }

  /// Titles of notes before one: those of its topic among the last, and some from anywhere.
  private mutating func earlierTitles(before index: Int, in thoughts: [Thought]) -> [String] {
    guard index > 0 else { return [] }
    let related = (max(0, index - 30)..<index).filter { thoughts[$0].topic == thoughts[index].topic }
    var chosen: Set<Int> = []
    for _ in 0..<random.between(1, 3) {
      chosen.insert(!related.isEmpty && random.chance(75) ? random.pick(related) : random.below(index))
    }
    return chosen.sorted().map { thoughts[$0].title }
  }

  private mutating func makeThoughts(_ count: Int) -> [Thought] {
    var written = random.pick(WrittenNote.all.count, of: WrittenNote.all)[...]
    return (0..<count).map { _ in
      while let note = written.popFirst() {
        guard takeTitle(note.title) else { continue }
        return Thought(title: note.title, tags: note.tags, sentences: note.sentences + aside())
      }
      return combineThought()
    }
  }

  private mutating func combineThought() -> Thought {
    var pair: [ConceptWords.Concept] = []
    let title = newTitle { random in
      pair = random.pick(2, of: ConceptWords.concepts)
      return SamplePattern.fill(random.pick(ConceptWords.titles), ["one": pair[0].name, "two": pair[1].name])
    }
    let tags = pair[0].tag == pair[1].tag ? [pair[0].tag] : pair.map(\.tag)
    let said = pair.flatMap { concept in random.pick(random.between(1, 2), of: concept.sentences) }
    return Thought(title: title, tags: tags, sentences: said + aside())
  }

  private mutating func aside() -> [String] { sentences(random.between(0, 1), of: ConceptWords.bridges) }
}

extension SampleMaker {
  /// Books that everybody knows and invented ones in turn: two of five on the shelf, one being read, two read.
  mutating func makeBooks(_ count: Int) -> [SampleRecord] {
    var classics = random.pick(ClassicBook.all.count, of: ClassicBook.all)[...]
    return (0..<count).map { index in
      let state = ["completed", "on-shelf", "in-progress", "completed", "on-shelf"][index % 5]
      let daysAgo = daysAgo(index, of: count)
      while index % 3 != 2, let classic = classics.popFirst() {
        guard takeTitle(classic.title) else { continue }
        return makeBook(classic.title, classic.author, classic.tag, classic.summary, state, daysAgo: daysAgo)
      }
      return inventBook(state, daysAgo: daysAgo)
    }
  }

  private mutating func inventBook(_ state: String, daysAgo: Int) -> SampleRecord {
    let genre = random.pick(BookWords.genres)
    var values: [String: String] = [:]
    let title = newTitle { random in
      values = Self.bookValues(&random)
      return SamplePattern.fill(random.pick(genre.titles), values)
    }
    let author = "\(random.pick(BookWords.firstNames)) \(random.pick(BookWords.lastNames))"
    let inText = values.mapValues { value in
      BookWords.places.contains(value) ? value : value.lowercased()
    }
    let summary = sentences(1, of: genre.summaries, inText).joined()
    return makeBook(title, author, genre.tag, summary, state, daysAgo: daysAgo)
  }

  private static func bookValues(_ random: inout SampleRandom) -> [String: String] {
    let people = random.pick(2, of: BookWords.people)
    let subject = random.pick(BookWords.subjects)
    let creature = random.pick(BookWords.creatures)
    return [
      "person": people[0], "person2": people[1], "place": random.pick(BookWords.places),
      "season": random.pick(BookWords.seasons), "age": random.pick(BookWords.ages), "subject": subject,
      "creature": creature, "trade": random.pick(BookWords.trades),
    ]
  }

  private mutating func makeBook(
    _ title: String, _ author: String, _ tag: String, _ summary: String, _ state: String, daysAgo: Int
  ) -> SampleRecord {
    let created = moment(daysAgo: daysAgo)
    let started = day(from: daysAgo)
    let completed = day(from: started)
    let rating = state == "completed" && random.chance(85) ? random.pick([1, 2, 3, 3, 4, 4, 4, 5, 5]) : nil
    var fields = [(name: "author", value: author)]
    if let rating { fields.append(("rating", String(rating))) }
    fields += [("status", state), ("added", date(daysAgo: daysAgo))]
    if state != "on-shelf" { fields.append(("started", date(daysAgo: started))) }
    if state == "completed" { fields.append(("completed", date(daysAgo: completed))) }
    // As an import writes it: a field that the kind does not declare comes last.
    fields.append(("pages", String(Self.pages(of: title))))
    return SampleRecord(
      id: newID(), title: title, kind: "book", created: created, tags: [tag], fields: fields,
      body: Self.body([summary] + remarks(state, rating)))
  }

  /// A number of pages that follows from the title alone.
  private static func pages(of title: String) -> Int {
    96 + title.utf8.reduce(7) { ($0 &* 31 &+ Int($1)) % 9_973 } % 545
  }

  private mutating func remarks(_ state: String, _ rating: Int?) -> [String] {
    switch state {
    case "on-shelf": return sentences(random.between(1, 2), of: BookWords.shelved)
    case "in-progress": return sentences(random.between(1, 3), of: BookWords.underWay)
    default:
      let pool = rating.map { $0 >= 4 ? BookWords.praise : $0 == 3 ? BookWords.doubts : BookWords.complaints }
      return sentences(random.between(1, 3), of: pool ?? BookWords.doubts)
    }
  }
}

extension SampleMaker {
  /// Issues of five tags in turn, so that ten times as many are ten of each.
  mutating func makeIssues(_ count: Int) -> [SampleRecord] {
    (0..<count).map { index in
      let area = IssueWords.areas[index % IssueWords.areas.count]
      return makeIssue(area, daysAgo: daysAgo(index, of: count))
    }
  }

  private mutating func makeIssue(_ area: IssueWords.Area, daysAgo: Int) -> SampleRecord {
    var thing = ""
    var fault = ""
    var condition = ""
    let title = newTitle { random in
      thing = random.pick(area.things)
      fault = random.pick(area.faults + IssueWords.faults)
      condition = random.pick(area.conditions + IssueWords.conditions)
      return "\(SamplePattern.capitalised(thing)) \(fault) \(condition)"
    }
    let values = ["thing": thing, "fault": fault, "condition": condition]
    var tags = [area.tag]
    if random.chance(30) { tags.append(random.pick(area.subtags)) }
    let priority = random.pick(["low", "medium", "medium", "high"])
    let closedDaysAgo = random.chance(40) ? day(from: daysAgo) : nil
    var fields = [("priority", priority), ("status", closedDaysAgo == nil ? "open" : "closed")]
    if let closedDaysAgo { fields.append(("closed", date(daysAgo: closedDaysAgo))) }
    return SampleRecord(
      id: newID(), title: title, kind: "issue", created: moment(daysAgo: daysAgo), tags: tags,
      fields: fields.map { (name: $0.0, value: $0.1) },
      body: issueBody(values, isClosed: closedDaysAgo != nil))
  }

  private mutating func issueBody(_ values: [String: String], isClosed: Bool) -> String {
    let opening =
      sentences(1, of: IssueWords.openings, values) + sentences(random.between(1, 2), of: IssueWords.details)
    var steps = ""
    if random.chance(35) {
      let lines = [IssueWords.firstSteps, IssueWords.secondSteps, IssueWords.lastSteps].flatMap {
        sentences(1, of: $0, values)
      }
      steps = "\n" + lines.enumerated().map { "\($0 + 1). \($1)\n" }.joined()
    }
    let rest =
      sentences(random.between(0, 1), of: IssueWords.causes)
      + sentences(random.between(0, 1), of: IssueWords.wishes)
    let outcome = isClosed ? sentences(1, of: IssueWords.outcomes) : []
    let after = Self.body(rest, outcome)
    return Self.body(opening) + steps + (after.isEmpty ? "" : "\n\(after)")
  }
}
