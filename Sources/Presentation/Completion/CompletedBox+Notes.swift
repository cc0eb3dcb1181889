import NoteIndex
import Notes
import SlipboxCore

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
    return isOf(subjects.kinds, at: place) && snapshot.mayAct(subjects.action, on: entries[place])
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
    guard let catalogue, let names = snapshot?.lastList() else { return [] }
    return names.prefix(Self.mostOffered).enumerated().compactMap { index, name in
      let number = "@\(index + 1)"
      guard number.hasPrefix(word) else { return nil }
      let entry = NoteID(name).flatMap { catalogue.entry(id: $0) } ?? catalogue.entry(path: Array(name.utf8))
      guard let entry, subjects.map({ isSubject(entry, $0) }) ?? true else { return nil }
      return Candidate(number, entry.note.title)
    }
  }

  private func isSubject(_ entry: Entry, _ subjects: Subjects) -> Bool {
    subjects.kinds.contains(entry.kind) && snapshot?.mayAct(subjects.action, on: entry) == true
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
