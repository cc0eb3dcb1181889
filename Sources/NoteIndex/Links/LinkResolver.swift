package import Notes
import Synchronization
import Text

/// Finds the notes that links mean.
///
/// A name is held against ids, then other tools' ids, exact paths, titles and aliases, and the ends of paths. The first of
/// these that fits any note decides. Titles and ends of paths fit as they stand, else without case and diacritics. Of
/// several notes that fit in one way, the one that alone fits in a later way too is meant, else none of them.
package final class LinkResolver: Sendable {
  private let entries: Entries
  private let table: LinkTable
  /// What names that fit several notes came to, from wherever.
  private let shared = Mutex<[[UInt8]: LinkMeaning]>([:])

  /// Makes a resolver of all notes, or of those at some places, which have to be all that the links may mean.
  ///
  /// - Complexity: O(n) in the number of places, whose notes are made.
  init(_ entries: Entries, among places: [Int]?, spread: Spread?) {
    self.entries = entries
    let count = places?.count ?? entries.count
    let parts = Stretches(count: count, spread: spread).map { stretch in
      stretch.flatMap { index in
        let place = places?[index] ?? index
        return Self.names(of: entries[place].note).map { LinkTable.Row(hash: $0, place: place) }
      }
    }
    table = LinkTable(parts)
  }

  private static func names(of note: Note) -> [NameHash] {
    let path = LinkPath.withoutEnding(note.path)
    var names = [NameHash(.path, path)]
    if let id = note.id { names.append(NameHash(.id, id.bytes[...])) }
    if let name = note.foreignID { names.append(NameHash(.foreignID, Array(name.utf8)[...])) }
    for title in [note.title] + note.aliases {
      names.append(NameHash(.title, Folding.fold(Array(title.utf8)[...])[...]))
    }
    for end in LinkPath.ends(of: Folding.fold(path)[...]) { names.append(NameHash(.pathEnd, end)) }
    return names
  }

  /// What a link means that stands in the note with a path.
  package func meaning(of link: BodyScan.Link, from path: [UInt8]) -> LinkMeaning {
    switch LinkAddress(link) {
    case .itself: return .itself
    case .url: return .url
    case .name(let name):
      for reading in name.readings {
        let meaning = meaning(of: reading, name.base, from: path)
        if meaning != .dangling { return meaning }
      }
      return .dangling
    }
  }

  private func meaning(of name: [UInt8], _ base: LinkName.Base, from path: [UInt8]) -> LinkMeaning {
    if base == .box { return meaning(of: name) }
    let isPathAlone = base == .onlyFolder
    if !isPathAlone, !identified(by: name).isEmpty { return meaning(of: name) }
    let inFolder = LinkPath.normalised(name, from: LinkPath.folder(of: path))
    if let meaning = inFolder.flatMap(meaning(ofPath:)) { return meaning }
    guard isPathAlone else { return meaning(of: name) }
    return LinkPath.normalised(name).flatMap(meaning(ofPath:)) ?? .dangling
  }

  private func meaning(ofPath path: [UInt8]) -> LinkMeaning? {
    let places = places(path: path)
    return places.count > 1 ? .ambiguous(places) : places.first.map { .note($0) }
  }

  /// What a name means, wherever it stands.
  private func meaning(of name: [UInt8]) -> LinkMeaning {
    if let known = shared.withLock({ $0[name] }) { return known }
    let ways = Ways(self, name)
    guard let first = (0..<Ways.count).first(where: { !ways.places($0).isEmpty }) else { return .dangling }
    let places = ways.places(first)
    guard places.count > 1 else { return .note(places[0]) }
    let only = (first + 1..<Ways.count).lazy.compactMap { later -> Int? in
      let both = ways.places(later).filter(Set(places).contains)
      return both.count == 1 ? both[0] : nil
    }.first
    let meaning = only.map { LinkMeaning.note($0) } ?? .ambiguous(places)
    shared.withLock { $0[name] = meaning }
    return meaning
  }

  private func identified(by name: [UInt8]) -> [Int] {
    let places = table.places(NameHash(.id, name[...]))
    return places.isEmpty ? table.places(NameHash(.foreignID, name[...])) : places
  }

  /// The note with a path, its ending written or not; two where it is not written and tells them apart.
  private func places(path: [UInt8]) -> [Int] {
    let found = files(.path, path) { $0 == path }
    return found.ended.isEmpty ? found.bare : found.ended
  }

  /// The notes whose paths end with a name, without case and diacritics.
  private func files(pathEnd name: [UInt8]) -> Files {
    let folded = Folding.fold(name[...])
    return files(.pathEnd, folded) { LinkPath.hasEnd(Folding.fold($0[...])[...], folded) }
  }

  /// Notes that a path names with its ending, and those that it names without one.
  private typealias Files = (ended: [Int], bare: [Int])

  private func files(_ use: NameHash.Use, _ name: [UInt8], isPath: ([UInt8]) -> Bool) -> Files {
    let (stem, bare) = (LinkPath.withoutEnding(name), table.places(NameHash(use, name[...])))
    guard stem.count < name.count else { return ([], bare) }
    return (table.places(NameHash(use, stem)).filter { isPath(entries.path(at: $0)) }, bare)
  }
}

extension LinkResolver {
  /// The ways in which a name fits notes, in their order.
  private final class Ways {
    static let count = 7
    private let resolver: LinkResolver
    private let name: [UInt8]
    private let path: [UInt8]?
    private lazy var titled = resolver.table.places(NameHash(.title, Folding.fold(name[...])[...]))
    private lazy var files: Files = path.map { resolver.files(pathEnd: $0) } ?? ([], [])

    init(_ resolver: LinkResolver, _ name: [UInt8]) {
      self.resolver = resolver
      self.name = name
      path = LinkPath.normalised(name)
    }

    /// The places of the notes that fit in one way, ascending.
    func places(_ way: Int) -> [Int] {
      switch way {
      case 0: resolver.table.places(NameHash(.id, name[...]))
      case 1: resolver.table.places(NameHash(.foreignID, name[...]))
      case 2: path.map { resolver.places(path: $0) } ?? []
      // Of one note alone it makes no difference how it fits.
      case 3: titled.count == 1 ? titled : titled.filter { isTitle(of: resolver.entries[$0].note) }
      case 4: titled
      case 5: filesAsTheyStand
      default: files.ended.isEmpty ? files.bare : files.ended
      }
    }

    private var filesAsTheyStand: [Int] {
      guard let path, files.ended.count + files.bare.count > 1 else { return files.ended + files.bare }
      let ended = files.ended.filter { LinkPath.hasEnd(resolver.entries.path(at: $0)[...], path) }
      if !ended.isEmpty { return ended }
      return files.bare.filter {
        LinkPath.hasEnd(LinkPath.withoutEnding(resolver.entries.path(at: $0)), path)
      }
    }

    private func isTitle(of note: Note) -> Bool {
      ([note.title] + note.aliases).contains { $0.utf8.elementsEqual(name) }
    }
  }
}
