/// Something in a note of which a merge kept several versions.
package struct NoteConflict: Sendable, Equatable {
  /// A version; the first is the one that stands in the note, or the first in the body.
  package struct Version: Sendable, Equatable {
    /// The value; nil for none at all, and for a body.
    package let value: FieldValue?
    /// The lines of a body; nil for other parts.
    package let text: [UInt8]?
    package let when: String
    package let device: String
    package let who: String

    init(value: FieldValue?, text: [UInt8]?, when: String, device: String, who: String) {
      (self.value, self.text) = (value, text)
      (self.when, self.device, self.who) = (when, device, who)
    }

    /// - Parameter label: what the comment before the lines says: when, who and the device, with commas between.
    init(text: [UInt8], label: String) {
      let words = label.split(separator: ",").map { String($0.drop { $0 == " " }) }
      self.init(
        value: nil, text: text, when: words.first ?? "", device: words.count > 2 ? words[2] : "",
        who: words.count > 1 ? words[1] : "")
    }
  }

  /// The field, or `body`, `note`, `path`.
  package let name: String
  package let versions: [Version]

  /// The conflict with when and by whom the version that stands in the note was written.
  package func standing(since stamp: MergeStamp) -> NoteConflict {
    guard let first = versions.first else { return self }
    let dated = Version(
      value: first.value, text: first.text, when: stamp.when, device: stamp.device, who: stamp.who)
    return NoteConflict(name: name, versions: [dated] + versions.dropFirst())
  }

  /// What a note's merge left to decide, by the fields' names as its entries come, then its body.
  package static func all(in text: NoteText) -> [NoteConflict] {
    let reading = FrontMatter(text)
    let entries = text.conflictEntries
    var names: [String] = []
    for entry in entries where !names.contains(where: { $0.hasSameBytes(as: entry.field) }) {
      names.append(entry.field)
    }
    var conflicts: [NoteConflict] = []
    for name in names where name != MergePart.body.name {
      let others = entries.filter { $0.field.hasSameBytes(as: name) }.map {
        Version(value: $0.value, text: nil, when: $0.when, device: $0.device, who: $0.who)
      }
      let standing = Version(value: reading[name], text: nil, when: "", device: "", who: "")
      conflicts.append(NoteConflict(name: name, versions: [standing] + others))
    }
    let body = Array(text.bytes[text.body])
    for region in ConflictRegion.all(in: body) {
      let versions = region.versions.map {
        Version(text: Array(body[$0.lines]), label: $0.label)
      }
      conflicts.append(NoteConflict(name: MergePart.body.name, versions: versions))
    }
    return conflicts
  }
}

/// Which versions of what is in conflict are to stay.
package enum ConflictChoice: Sendable, Equatable {
  /// The version of that number, from 1.
  case version(Int)
  /// All of them, which only lists and bodies can hold.
  case all
}

/// Why versions can't be chosen.
package enum ConflictChoiceError: Error, Equatable {
  /// There is no such version of this.
  case noVersion(of: String, count: Int)
  /// One value is all that this can have.
  case single(String)
  case edit(EditError)
}

extension NoteText {
  /// The entries of what merges did not take; what is no entry is left out.
  package var conflictEntries: [ConflictEntry] {
    (FrontMatter(self)[ConflictEntry.fieldName]?.strings ?? []).compactMap { ConflictEntry($0) }
  }

  /// Returns the note without the entries of some fields, and without the field that holds them where none is left.
  package func droppingConflicts(of names: [String]) throws(EditError) -> NoteText {
    let entries = FrontMatter(self)[ConflictEntry.fieldName]?.strings ?? []
    let rest = entries.filter { text in
      guard let entry = ConflictEntry(text) else { return true }
      return !names.contains { $0.hasSameBytes(as: entry.field) }
    }
    guard rest.count < entries.count else { return self }
    if rest.isEmpty { return try clearing(ConflictEntry.fieldName) }
    return try setting(ConflictEntry.fieldName, to: .list(rest.map { .text($0) }), lists: .block)
  }

  /// Returns the note with one of the versions of a part, and the others gone.
  package func resolving(
    _ conflict: NoteConflict, _ choice: ConflictChoice
  ) throws(ConflictChoiceError) -> NoteText {
    if case .version(let number) = choice, !conflict.versions.indices.contains(number - 1) {
      throw .noVersion(of: conflict.name, count: conflict.versions.count)
    }
    if conflict.name == MergePart.body.name { return try resolvingBody(choice) }
    do throws(EditError) {
      var text = self
      switch choice {
      case .version(1): break
      // Those are no fields: the file itself goes or moves.
      case .version where [ConflictEntry.note, ConflictEntry.path].contains(conflict.name): break
      case .version(let number):
        if let value = conflict.versions[number - 1].value {
          text = try text.setting(conflict.name, to: value)
        } else {
          text = try text.clearing(conflict.name)
        }
      case .all:
        let values = conflict.versions.map(\.value)
        guard values.contains(where: { if case .list = $0 { true } else { false } }) else {
          throw EditError.opaque(field: conflict.name, line: 0, reason: "")
        }
        for element in values.flatMap({ $0?.strings ?? [] }) {
          text = try text.adding(element, to: conflict.name)
        }
      }
      return try text.droppingConflicts(of: [conflict.name])
    } catch {
      if choice == .all { throw .single(conflict.name) }
      throw .edit(error)
    }
  }

  /// Returns the note with one version of each region of its body, or with all of them one after the other.
  private func resolvingBody(_ choice: ConflictChoice) throws(ConflictChoiceError) -> NoteText {
    var body = Array(bytes[self.body])
    for region in ConflictRegion.all(in: body).reversed() {
      let lines: [UInt8]
      switch choice {
      case .all: lines = region.versions.flatMap { body[$0.lines] }
      case .version(let number):
        guard region.versions.indices.contains(number - 1) else {
          throw .noVersion(of: MergePart.body.name, count: region.versions.count)
        }
        lines = Array(body[region.versions[number - 1].lines])
      }
      body.replaceSubrange(region.range, with: lines)
    }
    let text = replacingBody(body)
    do throws(EditError) {
      return ConflictRegion.all(in: body).isEmpty
        ? try text.droppingConflicts(of: [MergePart.body.name]) : text
    } catch {
      throw .edit(error)
    }
  }
}
