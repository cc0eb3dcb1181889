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
