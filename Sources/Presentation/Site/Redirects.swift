import Bytes
import Git
import NoteIndex
import Notes
import SlipboxCore
import Text

/// A page that leads from an address which a note had, or that an alias names, to the page of the note.
struct Redirect: Sendable {
  let path: [UInt8]
  let number: Int
}

/// The names that notes of a site had in versions that were public, or that were not.
struct PastNames: Sendable {
  /// The paths of earlier pages that notes set themselves, newest first, by numbers.
  private(set) var pages: [Int: [[UInt8]]] = [:]
  /// The addresses of the titles and paths that notes had while they were hidden and never while they were public, by numbers.
  private(set) var hiddenPages: [Int: Set<String>] = [:]
  /// Whether a shallow clone lacks the earlier versions, so that it is unknown which names were public.
  private let isCut: Bool

  /// Reads the earlier versions of the notes that have an alias or an address of their own.
  init(_ contents: SiteContents, in snapshot: BoxSnapshot) throws(SlipboxError) {
    isCut = snapshot.box.isShallow
    let numbers = contents.notes.indices.filter { contents.notes[$0].hasPastNames }
    guard !numbers.isEmpty, !isCut else { return }
    let notes = numbers.map { number in
      let place = contents.map.places[number]
      return (path: contents.entries.path(at: place), id: contents.entries.key(at: place).id)
    }
    let publication = PastPublication(snapshot, contents.rule)
    var shown: [Int: Set<String>] = [:]
    var (pages, hidden) = (pages, hiddenPages)
    let present = Set(contents.entries.indices.map { contents.entries.path(at: $0) })
    try PastVersions.visit(notes, present: present, in: snapshot) { index, note, commit in
      let number = numbers[index]
      let keys = Self.keys(of: note)
      if contents.isPublic(note, snapshot), !publication.hides(note, at: commit) {
        shown[number, default: []].formUnion(keys)
        if let page = NoteAddress(note).page { pages[number, default: []].append(page) }
      } else {
        hidden[number, default: []].formUnion(keys)
      }
    }
    self.pages = pages
    hiddenPages = hidden.reduce(into: [:]) { $0[$1.key] = $1.value.subtracting(shown[$1.key] ?? []) }
  }

  /// The aliases of a note without the names that it had while it was hidden, in whatever spelling gives the same address.
  func aliases(of number: Int, _ note: Note) -> [String] {
    let aliases = note.listedAliases
    if isCut { return [] }
    guard let hidden = hiddenPages[number] else { return aliases }
    return aliases.filter { alias in
      Self.page(ofAlias: alias).map { !hidden.contains(SiteNames.key($0)) } ?? true
    }
  }

  /// The addresses that a title and a path may give, in the form in which addresses are compared.
  static func keys(of note: Note) -> [String] {
    let pages = [page(ofAlias: note.title), SiteNames.note(note.path)].compactMap { $0 }
    return pages.map { SiteNames.key($0) }
  }

  /// The titles that notes had only while they were hidden, and that the addresses of their pages still have, by numbers.
  ///
  /// A note that slip made keeps its file name when its title changes.
  static func hiddenTitles(
    _ contents: SiteContents, in snapshot: BoxSnapshot
  ) throws(SlipboxError) -> [(number: Int, title: String)] {
    let words = { (text: String) in "-\(Slug.make(text))-" }
    let names = contents.map.pages.map { page in
      words(String(decoding: FileName.stem(of: page), as: UTF8.self))
    }
    // Most addresses have the words of the title.
    let numbers = names.indices.filter { !names[$0].contains(words(contents.notes[$0].title)) }
    guard !numbers.isEmpty, !snapshot.box.isShallow else { return [] }
    let notes = numbers.map { number in
      let place = contents.map.places[number]
      return (path: contents.entries.path(at: place), id: contents.entries.key(at: place).id)
    }
    let publication = PastPublication(snapshot, contents.rule)
    let present = Set(contents.entries.indices.map { contents.entries.path(at: $0) })
    var (shown, hidden) = (Set<String>(), [(number: Int, title: String)]())
    try PastVersions.visit(notes, present: present, in: snapshot) { index, note, commit in
      let number = numbers[index]
      guard names[number].contains(words(note.title)), !Slug.make(note.title).isEmpty else { return }
      if contents.isPublic(note, snapshot), !publication.hides(note, at: commit) {
        shown.insert("\(number)\(words(note.title))")
      } else {
        hidden.append((number, note.title))
      }
    }
    return hidden.filter { shown.insert("\($0.number)\(words($0.title))").inserted }
  }

  /// The page of an alias, which redirects; nil if it has none.
  static func page(ofAlias alias: String) -> [UInt8]? {
    let slug = Slug.make(alias)
    if slug.isEmpty { return nil }
    return alias.contains("/") ? NoteAddress.page(alias) : Array("notes/\(slug).html".utf8)
  }
}

extension SiteContents {
  /// Whether a version of a note may be mentioned.
  fileprivate func isPublic(_ note: Note, _ snapshot: BoxSnapshot) -> Bool {
    let created = note.created ?? snapshot.clock.now
    do throws(SlipboxError) {
      return try rule.reason(for: Entry(note: note, created: created, kind: note.kind)) == nil
    } catch {
      // A text that can't be read may say anything.
      return false
    }
  }

  /// The redirects of a site: from the usual address of a note with one of its own, from its earlier paths and permalinks,
  /// and from its aliases. The address of a page never redirects, and one for several notes leads to the first of them.
  func redirects(_ past: PastNames, in snapshot: BoxSnapshot) throws(SlipboxError) -> [Redirect] {
    let present = Set(entries.indices.map { entries.path(at: $0) })
    let notes = map.places.map { (path: entries.path(at: $0), id: entries.key(at: $0).id) }
    let publication = PastPublication(snapshot, rule)
    // A shallow clone does not know which names were public.
    let isCut = snapshot.box.isShallow
    // The names of deleted notes, which may be earlier versions of notes under names that history does not connect.
    var (shown, hidden) = (Set<String>(), Set<String>())
    let earlier =
      isCut
      ? [:]
      : try EarlierPaths.all(of: notes, present: present, in: snapshot) { note, commit in
        let isShown = isPublic(note, snapshot) && !publication.hides(note, before: commit)
        let names = PastNames.keys(of: note)
        if isShown { shown.formUnion(names) } else { hidden.formUnion(names) }
        return isShown
      }
    hidden.subtract(shown)
    var free = FreePaths(map.pages)
    var redirects: [Redirect] = []
    func add(_ path: [UInt8], _ number: Int) {
      if free.take(path) { redirects.append(Redirect(path: path, number: number)) }
    }
    for number in map.places.indices {
      let page = SiteNames.note(notes[number].path)
      if page != map.pages[number] { add(page, number) }
    }
    for number in map.places.indices {
      for path in (earlier[notes[number].path] ?? []).sorted(by: { ByteOrder.precedes($0, $1) }) {
        add(SiteNames.note(path), number)
      }
    }
    for (number, pages) in past.pages.sorted(by: { $0.key < $1.key }) {
      for page in pages { add(page, number) }
    }
    for number in map.places.indices where self.notes[number].hasAliases {
      for alias in past.aliases(of: number, entry(number).note) {
        guard let page = PastNames.page(ofAlias: alias), !hidden.contains(SiteNames.key(page)) else {
          continue
        }
        add(page, number)
      }
    }
    return redirects
  }
}

/// Paths of files that no page has, and that are in no place of a folder.
private struct FreePaths {
  private var taken: Set<String> = []
  private var folders: Set<String> = []

  init(_ pages: [[UInt8]]) { for page in pages { add(page) } }

  private mutating func add(_ path: [UInt8]) {
    taken.insert(SiteNames.key(path))
    var folder = BytePath.folder(of: path)
    while !folder.isEmpty, folders.insert(SiteNames.key(folder)).inserted {
      folder = BytePath.folder(of: folder)
    }
  }

  /// Takes a path; false if a page or a folder has it.
  mutating func take(_ path: [UInt8]) -> Bool {
    var folder = BytePath.folder(of: path)
    while !folder.isEmpty {
      if taken.contains(SiteNames.key(folder)) { return false }
      folder = BytePath.folder(of: folder)
    }
    let key = SiteNames.key(path)
    guard !taken.contains(key), !folders.contains(key) else { return false }
    add(path)
    return true
  }
}
