import Notes

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
