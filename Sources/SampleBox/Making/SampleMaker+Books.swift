import Notes

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
    return SampleRecord(
      id: newID(), title: title, kind: "book", created: created, tags: [tag], fields: fields,
      body: Self.body([summary] + remarks(state, rating)))
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
