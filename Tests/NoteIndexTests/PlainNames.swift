import Notes
import Text

@testable import NoteIndex

/// The meaning of typed names worked out in the plainest way: every name against every note, with no table and no key.
struct PlainNames {
  private let notes: [Note]

  init(_ notes: [Note]) { self.notes = notes }

  /// The numbers of the notes that have a name as it stands, else without case and diacritics or as a slug.
  func places(named name: [UInt8]) -> [Int] {
    let isPath = notes.contains { $0.path == name }
    let exact = notes.indices.filter { number in
      // The ending of a note may be left out where no other note has that path, and so may its folder.
      exactNames(of: notes[number], isPath: isPath).contains(name)
        || !isPath && barePath(of: notes[number]) == name
    }
    if !exact.isEmpty { return exact }
    let folded = Folding.fold(name[...])
    return notes.indices.filter { foldedNames(of: notes[$0]).contains(folded) }
  }

  /// All names of a note, none empty.
  func names(of note: Note) -> [[UInt8]] {
    exactNames(of: note, isPath: false) + foldedNames(of: note) + [barePath(of: note)]
  }

  private func exactNames(of note: Note, isPath: Bool) -> [[UInt8]] {
    let stem = Array(FileName.stem(of: note.path))
    let last = FileName.lastPart(of: note.path)
    let texts = [note.title, note.id?.description, note.foreignID].compactMap { $0 } + note.aliases
    return ([note.path] + (isPath ? [] : [Array(last), stem]) + texts.map { Array($0.utf8) }).filter {
      !$0.isEmpty
    }
  }

  private func barePath(of note: Note) -> [UInt8] {
    note.path.dropLast(FileName.lastPart(of: note.path).count - FileName.stem(of: note.path).count)
  }

  private func foldedNames(of note: Note) -> [[UInt8]] {
    let stem = Array(FileName.stem(of: note.path))
    let last = Array(FileName.lastPart(of: note.path))
    let titles = [note.title] + note.aliases
    var names = ([note.id?.description, note.foreignID].compactMap { $0 } + titles).map { Array($0.utf8) }
    names += [stem, last]
    names = names.map { Folding.fold($0[...]) } + titles.map { Array(Slug.make($0).utf8) }
    if let id = note.id {
      let ending = Array("-\(id)".utf8)
      if stem.count > ending.count, stem.suffix(ending.count).elementsEqual(ending) {
        names.append(Array(stem.dropLast(ending.count)))
      }
    }
    return names.filter { !$0.isEmpty }
  }
}

extension NameRule {
  /// Whole names alone, in the two steps of typed references.
  static var names: NameRule {
    let rule = NameRule.typed(fuzzy: false)
    return NameRule(rule.steps.filter { !$0.contains(.idPrefix) })
  }
}
