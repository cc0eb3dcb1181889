package import Git
package import NoteIndex
package import Notes
package import SlipboxCore
import Text

/// The names and values in a box that completion offers; empty if there is no box or it can't be read.
package final class CompletedBox {
  /// The number of notes that are searched for names and values, and the number that are offered.
  private static let mostRead = 20_000
  package static let mostOffered = 200

  private let open: () throws -> BoxSnapshot
  // A failure means no candidates: completion is silent.
  package private(set) lazy var snapshot: BoxSnapshot? = try? open()
  package private(set) lazy var catalogue: Catalogue? = try? snapshot?.catalogue()
  package var entries: Entries? { catalogue?.entries }
  private lazy var facts: EntryFacts? = entries.map { EntryFacts($0) }

  package init(_ open: @escaping () throws -> BoxSnapshot) { self.open = open }

  /// Whether a text begins with the typed one, without regard to case and accents.
  package static func begins(_ text: String, with typed: some StringProtocol) -> Bool {
    typed.isEmpty || Folding.fold(text).utf8.starts(with: Folding.fold(String(typed)).utf8)
  }

  package lazy var kinds: [Kind] = snapshot?.schema().kinds ?? Schema.builtIn.kinds
  package var filters: [(name: String, query: String)] {
    snapshot?.settings.allFilters ?? SmartFilters.builtIn
  }
  package var ownFilters: [(name: String, query: String)] {
    (snapshot?.settings.filters ?? [:]).sorted { $0.key < $1.key }.map { ($0, $1) }
  }
  package var views: [(name: String, line: String)] { snapshot?.settings.viewLines ?? [] }
  package lazy var tags: [TagCount] = (try? snapshot.map { try BoxTags(of: $0).counts() }) ?? []

  /// The places that the box is synced with.
  package var remotes: [Remote] { (try? snapshot?.box.remotes()) ?? [] }

  /// The texts that are kept beside the box.
  package var drafts: [KeptText] { snapshot?.box.keptTexts() ?? [] }

  /// The names of the templates of new notes.
  package var templates: [String] { snapshot.map { Templates(in: $0).names() } ?? [] }

  package func kind(_ name: String) -> Kind? { kinds.first { $0.name.lowercased() == name.lowercased() } }

  /// The kind of the note that a REF names; nil if it names none.
  package func kind(ofNote reference: String) -> Kind? {
    let entry = snapshot.flatMap { try? NoteLookup(in: $0).entry(reference, fuzzy: true) }
    return entry.flatMap { kind($0.kind) }
  }

  /// The names of the fields of a kind and of those that every note has.
  package func fieldNames(of kind: Kind) -> [String] {
    let hidden = NoteColumn.fields.map(\.rawValue) + ["aliases"]
    return kind.fieldOrder.filter { !hidden.contains($0) && !$0.contains(" ") }
  }

  /// The names of the fields that kinds declare and notes have.
  package lazy var fieldNames: [String] = {
    var names = kinds.flatMap { $0.fields.map(\.name) }
    names += catalogue?.fieldNames ?? []
    var seen = Set(NoteColumn.fields.map(\.rawValue) + ["aliases"])
    // Names with blanks would need quotes of their own.
    return names.filter { !$0.contains(" ") && seen.insert($0).inserted }.sorted()
  }()

  /// The values that notes have in a field, the most frequent ones.
  package func values(of name: String) -> [String] {
    guard let entries else { return [] }
    let words = FrontMatterFilter([name])
    var counts: [String: Int] = [:]
    for place in entries.indices.prefix(Self.mostRead) where entries.mayHold(words, at: place) {
      for value in Set(entries[place].note.value(of: name) ?? []) where value.utf8.count < 100 {
        counts[value, default: 0] += 1
      }
    }
    let frequent = counts.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.prefix(Self.mostOffered)
    return frequent.map(\.key).sorted()
  }

  /// The records that a field may refer to, by id, and on request by title.
  package func records(of kind: String?, byTitle: Bool) -> [(text: String, note: String)] {
    guard let entries else { return [] }
    let found = entries.indices.prefix(Self.mostRead).compactMap { place -> Entry? in
      guard isOf(kind.map { [$0] }, at: place) else { return nil }
      return entries[place]
    }
    let ids = found.compactMap { entry in entry.note.id.map { ($0.description, entry.note.title) } }
    return ids + (byTitle ? found.map { ($0.note.title, $0.note.id?.description ?? "") } : [])
  }

  /// Whether the note at a place is of one of some kinds; nil means all kinds.
  package func isOf(_ kinds: [String]?, at place: Int) -> Bool {
    guard let kinds, let entries else { return true }
    return kinds.contains(facts?.kind(at: place) ?? entries[place].kind)
  }

  /// The folders that begin with a word, one level below the last slash.
  package func folders(from word: String) -> [String] {
    let typed = Array(word.utf8)
    var found: Set<String> = []
    for place in entries?.indices ?? 0..<0 {
      guard let path = entries?.path(at: place), path.starts(with: typed),
        let slash = path[typed.count...].firstIndex(of: UInt8(ascii: "/"))
      else { continue }
      found.insert(String(decoding: path[...slash], as: UTF8.self))
    }
    return found.sorted()
  }
}

/// The notes that may be meant by the word being typed.
extension CompletedBox {
  /// The records that an action would change.
  package struct Subjects {
    package let action: String
    package let kinds: [String]
  }

  /// The records that an action would change; nil for an action that no kind has.
  package func subjects(of action: String) -> Subjects {
    Subjects(action: action, kinds: kinds.filter { $0.action(named: action) != nil }.map(\.name))
  }

  private func isWanted(_ place: Int, _ subjects: Subjects?) -> Bool {
    guard let subjects, let entries, let snapshot else { return true }
    return isOf(subjects.kinds, at: place)
      && RunAction(in: snapshot).mayAct(subjects.action, on: entries[place])
  }

  /// Ids that begin with a word, newest first.
  package func ids(from word: String, of subjects: Subjects? = nil) -> [Candidate] {
    guard let entries else { return [] }
    let typed = Array(word.utf8)
    var found: [Candidate] = []
    for place in entries.indices where found.count < Self.mostOffered {
      guard let id = entries.key(at: place).id, id.bytes.starts(with: typed), isWanted(place, subjects) else {
        continue
      }
      if let candidate = Candidate(id.description, entries[place].note.title) { found.append(candidate) }
    }
    return found
  }

  /// Notes by their ids, and where letters are typed by their titles and paths, else by the slugs of their files.
  package func references(from word: String, of subjects: Subjects? = nil) -> [Candidate] {
    if word.hasPrefix("@") { return listed(from: word, of: subjects) }
    let found = ids(from: word, of: subjects)
    guard !word.isEmpty else { return found }
    let titled = titles(from: word, of: subjects)
    return found + titled + paths(from: word, of: subjects)
      + (titled.isEmpty ? slugs(from: word, of: subjects) : [])
  }

  /// `@1` and its like for the last list of this terminal.
  private func listed(from word: String, of subjects: Subjects?) -> [Candidate] {
    guard let catalogue, let names = snapshot.map({ LastList(in: $0).names() }) else { return [] }
    return names.prefix(Self.mostOffered).enumerated().compactMap { index, name in
      let number = "@\(index + 1)"
      guard number.hasPrefix(word) else { return nil }
      let entry = NoteID(name).flatMap { catalogue.entry(id: $0) } ?? catalogue.entry(path: Array(name.utf8))
      guard let entry, subjects.map({ isSubject(entry, $0) }) ?? true else { return nil }
      return Candidate(number, entry.note.title)
    }
  }

  private func isSubject(_ entry: Entry, _ subjects: Subjects) -> Bool {
    subjects.kinds.contains(entry.kind)
      && snapshot.map { RunAction(in: $0).mayAct(subjects.action, on: entry) } == true
  }

  /// Titles as they are written, whatever the case of the letters typed; a title of several notes names none of them.
  private func titles(from word: String, of subjects: Subjects?) -> [Candidate] {
    guard let entries else { return [] }
    var titles: [String: (place: Int, count: Int)] = [:]
    for place in entries.indices {
      let title = entries.names(at: place).title
      // A sign at the beginning would be read as that of an option or a tag.
      guard Self.begins(title, with: word), !"-+@".contains(title.first ?? "-") else { continue }
      titles[title, default: (place, 0)].count += 1
    }
    let wanted = titles.filter { $0.value.count == 1 && isWanted($0.value.place, subjects) }
    let shared = titles.filter { $0.value.count > 1 }.keys
    let ids = shared.isEmpty ? [] : self.ids(from: "", of: subjects).filter { shared.contains($0.note) }
    return wanted.sorted { $0.value.place < $1.value.place }.prefix(Self.mostOffered).compactMap {
      title, named in
      Candidate(title, entries.key(at: named.place).id?.description ?? "")
    } + ids
  }

  private func paths(from word: String, of subjects: Subjects?) -> [Candidate] {
    guard let entries else { return [] }
    let places = entries.indices.filter { place in
      entries.key(at: place).id == nil && entries.path(at: place).starts(with: word.utf8)
    }
    return places.lazy.filter { self.isWanted($0, subjects) }.prefix(Self.mostOffered).compactMap { place in
      Candidate(String(decoding: entries.path(at: place), as: UTF8.self), entries[place].note.title)
    }
  }

  /// Slugs in the names of files; one of several notes names none of them.
  private func slugs(from word: String, of subjects: Subjects?) -> [Candidate] {
    guard let entries else { return [] }
    var slugs: [[UInt8]: (place: Int, count: Int)] = [:]
    for place in entries.indices {
      let stem = FileName.stem(of: entries.path(at: place))
      guard let id = entries.key(at: place).id, stem.count > id.bytes.count,
        stem.suffix(id.bytes.count).elementsEqual(id.bytes)
      else { continue }
      let slug = stem.dropLast(id.bytes.count + 1)
      guard slug.starts(with: word.utf8) else { continue }
      slugs[Array(slug), default: (place, 0)].count += 1
    }
    let unique = slugs.filter { $0.value.count == 1 && isWanted($0.value.place, subjects) }
    return unique.sorted { $0.key.lexicographicallyPrecedes($1.key) }.prefix(Self.mostOffered).compactMap {
      Candidate(String(decoding: $0, as: UTF8.self), entries[$1.place].note.title)
    }
  }
}

/// A possible completion of the word being typed.
package struct Candidate: Equatable, Sendable {
  package let text: String
  /// A remark for people; may be empty.
  package let note: String

  /// - Returns: nil for a text that holds what no terminal or shell should be given: control characters, letters that
  ///   are not seen.
  package init?(_ text: String, _ note: String = "") {
    guard !text.isEmpty, !text.utf8.contains(0x09), Visible.escape(text).utf8.elementsEqual(text.utf8) else {
      return nil
    }
    self.text = text
    self.note = Visible.escape(note).split(separator: "\t").joined(separator: " ")
  }
}
