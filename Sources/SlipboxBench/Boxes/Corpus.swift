/// A box of made-up notes that follows from its size and seed alone: the same bytes on every machine.
///
/// Notes are about 1.8 KB with front-matter, in monthly folders of ten years, three fifths of them plain, the
/// others issues, tasks and books with the fields of the built-in kinds. The first five are the groups of the
/// tasks. Tags, links and words follow the law of Zipf. `Probes` are the words that the searches find.
package struct Corpus: Sendable {
  package let count: Int
  let seed: UInt64
  let vocabulary: Vocabulary
  let probes: [Probes]
  private let ids: [String]
  private let tagNames: [String]
  private let tagLaw = ZipfLaw(count: 200)
  private static let groups = ["Household", "Office", "Allotment", "Library", "Errands"]
  static let groupCount = groups.count

  package static let defaultSeed: UInt64 = 20_260_101

  /// - Parameter count: At least 10.
  package init(count: Int, seed: UInt64 = defaultSeed) {
    self.count = count
    self.seed = seed
    vocabulary = Vocabulary(count: 30_000, seed: seed)
    tagNames = vocabulary.words[500..<700].map { "tag-\($0)" }
    probes = Probes.dealt(to: count, seed: seed)
    ids = Self.ids(count, seed)
  }

  private static func ids(_ count: Int, _ seed: UInt64) -> [String] {
    var random = CorpusRandom(seed: seed, stream: Stream.ids)
    let letters = Array("bcdfghjklmnpqrstvwxz")
    var seen: Set<String> = []
    var ids: [String] = []
    while ids.count < count {
      let id = String((0..<8).map { _ in random.pick(letters) })
      if seen.insert(id).inserted { ids.append(id) }
    }
    return ids
  }

  /// The id of a note.
  package func id(_ index: Int) -> String { ids[index] }

  /// The path of a note in the box.
  package func path(_ index: Int) -> String {
    let slug = title(index).lowercased().split(separator: " ").joined(separator: "-").prefix(40)
    return "\(created(index).folder)/\(slug)-\(ids[index]).md"
  }

  func title(_ index: Int) -> String {
    if index < Self.groups.count { return Self.groups[index] }
    var random = CorpusRandom(seed: seed, stream: Stream.title(index))
    let text = vocabulary.draw(random.between(2, 7), &random).joined(separator: " ")
    return text.prefix(1).uppercased() + text.dropFirst()
  }

  func tag(_ random: inout CorpusRandom) -> String { tagNames[tagLaw.draw(&random)] }

  private func created(_ index: Int) -> CorpusDay {
    CorpusDay(minutes: index * (CorpusDay.days * 1_440) / count)
  }

  /// The front-matter of a note.
  package func head(_ index: Int) -> NoteHead {
    var random = CorpusRandom(seed: seed, stream: Stream.head(index))
    let probes = probes[index]
    var tags = Set((0..<random.between(0, 4)).map { _ in tag(&random) }).sorted()
    if probes.contains(.tagged) { tags.append("qxtag") }
    let kind = kind(index, &random)
    let day = created(index)
    let later = day.later(by: random.below(60) + random.below(60))
    let fields: [NoteHead.Field] =
      switch kind {
      case "issue": issueFields(isUrgent: probes.contains(.urgent), later, &random)
      case "task": taskFields(later, &random)
      case "book": bookFields(day, later, &random)
      default: []
      }
    return NoteHead(
      id: ids[index], title: title(index), kind: kind, created: day.text, tags: tags, fields: fields,
      path: path(index))
  }

  private func kind(_ index: Int, _ random: inout CorpusRandom) -> String {
    let chance = random.fraction()
    if index < Self.groups.count { return "group" }
    if probes[index].contains(.urgent) { return "issue" }
    return chance < 0.6 ? "note" : chance < 0.75 ? "issue" : chance < 0.9 ? "task" : "book"
  }

  private func issueFields(
    isUrgent: Bool, _ later: CorpusDay, _ random: inout CorpusRandom
  ) -> [NoteHead.Field] {
    let priority = random.pick(["low", "medium", "medium", "high"])
    let isClosed = random.happens(0.6)
    if isUrgent { return [.init("priority", "high"), .init("status", "open")] }
    let status: [NoteHead.Field] =
      isClosed ? [.init("status", "closed"), .init("closed", later.date)] : [.init("status", "open")]
    return [.init("priority", priority)] + status
  }

  private func taskFields(_ later: CorpusDay, _ random: inout CorpusRandom) -> [NoteHead.Field] {
    var fields: [NoteHead.Field] = [
      .init("priority", random.pick(["none", "none", "low", "medium", "high"]))
    ]
    if random.happens(0.6) {
      fields += [.init("done", "true"), .init("finished", later.date)]
    } else {
      fields.append(.init("done", "false"))
    }
    fields.append(.init("group", ids[random.below(Self.groups.count)]))
    if random.happens(0.05) { fields.append(.init("my-day", later.date)) }
    if random.happens(0.3) { fields.append(.init("due", later.date)) }
    return fields
  }

  private func bookFields(
    _ day: CorpusDay, _ later: CorpusDay, _ random: inout CorpusRandom
  ) -> [NoteHead.Field] {
    let status = random.pick(["on-shelf", "in-progress", "completed"])
    let author = vocabulary.draw(2, &random).map { $0.prefix(1).uppercased() + $0.dropFirst() }
    var fields: [NoteHead.Field] = [
      .init("author", author.joined(separator: " ")), .init("status", status), .init("added", day.date),
    ]
    if status != "on-shelf" { fields.append(.init("started", day.date)) }
    if status == "completed" {
      fields += [.init("completed", later.date), .init("rating", "\(random.between(1, 5))")]
    }
    return fields
  }
}

extension Corpus {
  /// The whole file of a note.
  package func text(_ index: Int) -> String { text(of: head(index), index) }

  /// The whole file of a note whose head is known.
  package func text(of head: NoteHead, _ index: Int) -> String {
    var random = CorpusRandom(seed: seed, stream: Stream.body(index))
    var words = vocabulary.draw(max(12, Self.length(&random) / 6), &random)
    insertProbes(probes[index], into: &words, &random)
    for _ in 0..<random.pick([0, 0, 1, 1, 2, 4]) {
      insert(link(to: random.below(count), &random), into: &words, &random)
    }
    if random.happens(0.2) { insert("#" + tag(&random), into: &words, &random) }
    return head.frontMatter + "\n# \(head.title)\n\n" + laidOut(words, &random)
  }

  /// The bytes of a body: log-normal with a median of 1,150, and one in a hundred of 15,000 to 24,000.
  private static func length(_ random: inout CorpusRandom) -> Int {
    if random.happens(0.01) { return random.between(15_000, 24_000) }
    let place = random.fraction() * Double(lengths.count - 1)
    let step = Int(place)
    let (low, high) = (Double(lengths[step]), Double(lengths[step + 1]))
    return Int(low + (high - low) * (place - Double(step)))
  }

  /// The 33 quantiles of that distribution at steps of 1/32.
  ///
  /// A table, because exp() of two C libraries may differ in its last bit.
  private static let lengths = [
    120, 259, 337, 400, 458, 512, 565, 617, 670, 723, 777, 833, 891, 951, 1_014, 1_080, 1_150, 1_224, 1_304,
    1_390, 1_483, 1_586, 1_700, 1_827, 1_972, 2_140, 2_338, 2_579, 2_886, 3_300, 3_923, 5_103, 9_000,
  ]

  private func insert(_ word: String, into words: inout [String], _ random: inout CorpusRandom) {
    words.insert(word, at: random.between(1, words.count - 1))
  }

  private func insertProbes(
    _ probes: Probes, into words: inout [String], _ random: inout CorpusRandom
  ) {
    if probes.contains(.rare) { insert("qxrare", into: &words, &random) }
    if probes.contains(.common) { insert("qxcommon", into: &words, &random) }
    if probes.contains(.alpha) { insert("qxalpha", into: &words, &random) }
    if probes.contains(.beta) { insert("qxbeta", into: &words, &random) }
    // One item, so that nothing comes between, not even the end of a line.
    if probes.contains(.phrase) { insert("qxsilver qxlantern", into: &words, &random) }
    if probes.contains(.apart) {
      words.insert("qxlantern", at: 2)
      words.insert("qxsilver", at: words.count - 2)
    }
  }

  private func link(to index: Int, _ random: inout CorpusRandom) -> String {
    if random.happens(0.5) { return "[[\(id(index))]]" }
    // From a monthly folder two folders up is the box.
    return "[\(title(index).split(separator: " ")[0])](../../\(path(index)))"
  }

  /// Breaks words into lines of at most some 80 columns and paragraphs, with a heading or a list now and then.
  private func laidOut(_ words: [String], _ random: inout CorpusRandom) -> String {
    var text = ""
    var column = 0
    var left = random.between(8, 80)
    for word in words {
      if column > 0 { text += column > 70 ? "\n" : " " }
      if column > 70 { column = 0 }
      text += word
      column += word.utf8.count + 1
      left -= 1
      guard left <= 0 else { continue }
      text += ".\n\n"
      column = 0
      left = random.between(8, 80)
      text += interlude(&random)
    }
    return text + (column > 0 ? ".\n" : "")
  }

  private func interlude(_ random: inout CorpusRandom) -> String {
    let chance = random.fraction()
    if chance < 0.1 { return "## \(vocabulary.draw(3, &random).joined(separator: " "))\n\n" }
    guard chance < 0.17 else { return "" }
    let items = (0..<3).map { _ in "- \(vocabulary.draw(6, &random).joined(separator: " "))\n" }
    return items.joined() + "\n"
  }
}

/// A minute of the ten years 2016 to 2025 of the corpus, whose months all have 28 days.
struct CorpusDay: Equatable, Sendable {
  static let days = 10 * 12 * 28
  private let day: Int
  private let minute: Int

  /// - Parameter minutes: Since the first of January 2016 in that calendar.
  init(minutes: Int) {
    day = min(minutes / 1_440, Self.days - 1)
    minute = minutes % 1_440
  }

  /// The same minute some days later, at most on the last day.
  func later(by days: Int) -> CorpusDay {
    CorpusDay(minutes: min(day + days, Self.days - 1) * 1_440 + minute)
  }

  /// Such as `2016/01`, the folder of a note that was made then.
  var folder: String { "\(year)/\(Self.two(month))" }

  /// Such as `2016-01-28`.
  var date: String { "\(year)-\(Self.two(month))-\(Self.two(day % 28 + 1))" }

  /// The date and the time in UTC.
  var text: String { "\(date)T\(Self.two(minute / 60)):\(Self.two(minute % 60)):00Z" }

  private var year: Int { 2_016 + day / 336 }
  private var month: Int { day % 336 / 28 + 1 }

  private static func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
}

/// The front-matter of a made-up note, and where it lies.
package struct NoteHead: Equatable, Sendable {
  package let id: String
  package let title: String
  package let kind: String
  package let created: String
  package let tags: [String]
  /// The other fields in their order.
  package let fields: [Field]
  package let path: String

  /// A name with its value.
  package struct Field: Equatable, Sendable {
    package let name: String
    package let value: String

    init(_ name: String, _ value: String) {
      self.name = name
      self.value = value
    }
  }

  /// The value of a field, or nil if there is none.
  package func value(of name: String) -> String? { fields.first { $0.name == name }?.value }

  /// The front-matter with the lines around it.
  package var frontMatter: String {
    var text = "---\nid: \(id)\ntitle: \(title)\n"
    if kind != "note" { text += "kind: \(kind)\n" }
    text += "created: \(created)\ntags: [\(tags.joined(separator: ", "))]\n"
    for field in fields { text += "\(field.name): \(field.value)\n" }
    return text + "---\n"
  }
}
