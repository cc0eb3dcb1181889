import Bytes
import Notes
import Testing
import Text

@testable import NoteIndex

/// The meaning of links worked out in the plainest way: every link against every note, with no table, key or record.
private struct PlainLinks {
  let notes: [Note]

  func fold(_ text: some Sequence<UInt8>) -> [UInt8] { Folding.fold(Array(text)[...]) }

  /// The one note that a link means, by its number.
  func target(of link: BodyScan.Link, in note: Note) -> Int? {
    guard case .name(let name) = LinkAddress(link) else { return nil }
    for reading in name.readings {
      let fits = fitting(reading, name.base, LinkPath.folder(of: note.path))
      if !fits.isEmpty { return fits.count == 1 ? fits.first : nil }
    }
    return nil
  }

  private func fitting(_ name: [UInt8], _ base: LinkName.Base, _ folder: ArraySlice<UInt8>) -> Set<Int> {
    let root = LinkPath.normalised(name)
    let local = base == .box ? nil : LinkPath.normalised(name, from: folder)
    if base == .onlyFolder {
      let here = local.map { all(ofPath: $0) } ?? []
      let exact = here.isEmpty ? root.map { all(ofPath: $0) } ?? [] : here
      let near = [local, root].compactMap { $0.flatMap(one(ofFoldedPath:)) }.first
      return exact.isEmpty ? Set(near.map { [$0] } ?? []) : exact
    }
    let near = local.flatMap(one(ofFoldedPath:))
    let ways: [Set<Int>] = [
      all { $0.id?.bytes == name }, all { $0.foreignID.map { Array($0.utf8) } == name },
      root.map { all(ofPath: $0) } ?? [], root.map { all(ending: $0) { $0 } } ?? [],
      near.map { [$0] } ?? root.map { all(ending: $0) { fold($0) } } ?? [],
      all { titles(of: $0).contains(name) },
      all { titles(of: $0).contains { fold($0) == fold(name) } },
    ]
    let first = ways.firstIndex { !$0.isEmpty } ?? ways.count
    if first > 1, let here = local.map({ all(ofPath: $0) }), !here.isEmpty { return here }
    guard first < ways.count, ways[first].count > 1 else { return first < ways.count ? ways[first] : [] }
    for later in ways[(first + 1)...] where later.intersection(ways[first]).count == 1 {
      return later.intersection(ways[first])
    }
    return ways[first]
  }

  private func all(_ fits: (Note) -> Bool) -> Set<Int> { Set(notes.indices.filter { fits(notes[$0]) }) }

  private func all(ofPath path: [UInt8]) -> Set<Int> {
    let whole = all { $0.path == path }
    return whole.isEmpty ? all { Array(LinkPath.withoutEnding($0.path)) == path } : whole
  }

  private func one(ofFoldedPath path: [UInt8]) -> Int? {
    let whole = all { fold($0.path) == fold(path) }
    let found = whole.isEmpty ? all { fold(LinkPath.withoutEnding($0.path)) == fold(path) } : whole
    return found.count == 1 ? found.first : nil
  }

  /// The notes whose paths end so, written with their endings, else without.
  private func all(ending name: [UInt8], _ form: ([UInt8]) -> [UInt8]) -> Set<Int> {
    let end = [UInt8(ascii: "/")] + form(name)
    let whole = all { ([UInt8(ascii: "/")] + form($0.path)).suffix(end.count).elementsEqual(end) }
    if !whole.isEmpty { return whole }
    return all { note in
      ([UInt8(ascii: "/")] + form(Array(LinkPath.withoutEnding(note.path)))).suffix(end.count).elementsEqual(
        end)
    }
  }

  private func titles(of note: Note) -> [[UInt8]] { ([note.title] + note.aliases).map { Array($0.utf8) } }
}

@Suite struct LinkPropertyTests {
  /// The paths that a query finds, in the order of paths.
  private func asked(_ term: String, _ catalogue: Catalogue) throws -> [[UInt8]] {
    let query = try Query.parse([term], clock: clock)
    return catalogue.matches(query, modified: \.created).map(\.entry.note.path).sorted {
      $0.lexicographicallyPrecedes($1)
    }
  }

  @Test(arguments: 0..<8) func answersAreThoseOfAPlainEvaluation(part: Int) throws {
    var (foundLinks, foundOrphans) = (0, 0)
    for seed in 0..<60 {
      var box = RandomBox(random: SplitMix64(seed: UInt64(part * 1_000 + seed)))
      let notes = box.notes()
      let plain = PlainLinks(notes: notes)
      let targets = notes.indices.map { number in
        Set(notes[number].links.compactMap { plain.target(of: $0, in: notes[number]) }).subtracting([number])
      }
      let entries = notes.map { Entry(note: $0, created: $0.created ?? stamp("2020-01-01T00:00:00Z")) }
      let held = ByteSlice(copying: SnapshotTests.snapshotBytes(entries))
      let half = Array(entries.dropLast(entries.count / 2))
      let halfHeld = ByteSlice(copying: SnapshotTests.snapshotBytes(half))
      let catalogues = [
        Catalogue(entries), Catalogue(try SnapshotTests.stored(entries, held), hiding: [], adding: []),
        Catalogue(
          try SnapshotTests.stored(half, halfHeld), hiding: [],
          adding: Array(entries.suffix(entries.count / 2))),
      ]
      let paths = { (numbers: [Int]) in numbers.map { notes[$0].path } }
      let linked = targets.reduce(Set()) { $0.union($1) }
      foundLinks += targets.reduce(0) { $0 + $1.count }
      foundOrphans += notes.count - linked.count
      for catalogue in catalogues {
        #expect(try asked("is:orphan", catalogue) == paths(notes.indices.filter { !linked.contains($0) }))
        #expect(try asked("links:", catalogue) == paths(notes.indices.filter { targets[$0].isEmpty }))
        for number in notes.indices {
          let graph = LinkGraph(catalogue, executor: nil)
          let places = graph.backlinks(to: [.note(notes[number])])[0]
          let place = catalogue.entries.indices.first { catalogue.entries.path(at: $0) == notes[number].path }
          #expect(places == graph.backlinks(to: [.place(place ?? -1)])[0])
          let back = places.map { catalogue.entries.path(at: $0) }
          let expected = paths(notes.indices.filter { targets[$0].contains(number) })
          #expect(back.sorted { $0.lexicographicallyPrecedes($1) } == expected, "seed \(part) \(seed)")
          for linker in graph.linkers(of: [.note(notes[number])])[0] {
            let source = notes.firstIndex { $0.path == catalogue.entries.path(at: linker.place) } ?? -1
            let links = notes[source].links.filter { plain.target(of: $0, in: notes[source]) == number }
            #expect(linker.links == links, "seed \(part) \(seed)")
          }
          let linked = graph.targets().first { $0.place == place }?.targets ?? []
          #expect(
            Set(linked.map { catalogue.entries.path(at: $0.place) })
              == Set(targets[number].map { notes[$0].path }))
          let query = try Query.parse(["linked-by:x"], clock: clock).naming { (_: String) -> Note? in
            notes[number]
          }
          let found = catalogue.matches(query, modified: \.created).map(\.entry.note.path)
          #expect(
            found.sorted { $0.lexicographicallyPrecedes($1) } == paths(targets[number].sorted()),
            "seed \(part) \(seed)")
        }
      }
    }
    #expect(foundLinks > 50 && foundOrphans > 50)
  }
}
