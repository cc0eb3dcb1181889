import ArgumentParser
import NoteIndex
import Notes
import Presentation

/// CHANGEs, and the notes that commands are about.
extension Completer {
  /// Completes terms of queries.
  var terms: TermCompletion { TermCompletion(snapshot) }

  /// Notes by id, and by the beginning of their titles; after an action those that it would change.
  func references(_ word: String) -> [Candidate] {
    guard command == Do.name, let action = before.first else { return snapshot.references(from: word) }
    return snapshot.references(from: word, of: snapshot.subjects(of: action))
  }

  /// The kind of the notes that are changed: of a new note the one that is named, else that of the first note, or of the
  /// records that have the action.
  private var changedKind: Kind? {
    switch command {
    case New.configuration.commandName: return before.first.flatMap { snapshot.kind($0) }
    case Do.name where before.count < 2:
      let kinds = before.first.map { snapshot.subjects(of: $0).kinds } ?? []
      return kinds.count == 1 ? snapshot.kind(kinds[0]) : nil
    case Do.name: return snapshot.kind(ofNote: before[1])
    default:
      let isNote = before.first.map { Change($0) == nil } ?? false
      return isNote ? snapshot.kind(ofNote: before[0]) : nil
    }
  }

  /// CHANGEs: tags after a sign, names of fields, and the values that they may have.
  func changes() -> [Candidate] {
    if let sign = word.first, sign == "+" || sign == "-" {
      return terms.tags(String(sign), String(word.dropFirst()))
    }
    let kind = changedKind
    guard let colon = word.firstIndex(of: ":") else {
      var seen: Set<String> = []
      let own = kind.flatMap { $0.isOfRecords ? $0.fields.map(\.name) : nil } ?? snapshot.fieldNames
      return (own + ["title", "created", "kind"]).filter { seen.insert($0).inserted }.compactMap {
        fitting($0 + ":")
      }
    }
    let name = String(word[..<colon])
    let (head, value) = (word[...colon], String(word[word.index(after: colon)...]))
    switch name {
    case "kind": return snapshot.kinds.compactMap { fitting("kind:" + $0.name) }
    case "tags": return terms.tags(String(head), value)
    case "title", "id": return []
    default:
      // A field that the kind does not declare may be one that it is changed to.
      let declaring = kind?.field(name) == nil ? nil : kind
      return terms.declared(name, declaring, String(head), value, isQuery: false)
    }
  }
}
