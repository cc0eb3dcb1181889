import Bytes

/// Something in a note of which a merge kept several versions.
package struct NoteConflict: Sendable, Equatable {
  /// One version, with its device and author if they are known.
  package struct Version: Sendable, Equatable {
    /// The value; nil for none at all, and for a body.
    package let value: FieldValue?
    /// The lines of a body; nil for other parts.
    package let text: [UInt8]?
    package let when: String
    package let device: String
    package let who: String
    /// Whether this is the value that the field has in the note; false for the versions of a body.
    package let isInNote: Bool
    /// The place among the versions as they are stored, from 0.
    let place: Int

    init(
      value: FieldValue?, text: [UInt8]?, when: String, device: String, who: String,
      isInNote: Bool = false, place: Int
    ) {
      (self.value, self.text, self.isInNote, self.place) = (value, text, isInNote, place)
      (self.when, self.device, self.who) = (when, device, who)
    }

    /// - Parameter label: the text of the comment before the lines: time, author and device, separated by commas, or the
    ///   name of a side of a merge by git.
    init(text: [UInt8], label: String, place: Int) {
      let words = label.split(separator: ",").map { String($0.drop { $0 == " " }) }
      if words.count == 1, words[0].utf8.dropFirst(4).first != UInt8(ascii: "-") {
        self.init(value: nil, text: text, when: "", device: words[0], who: "", place: place)
        return
      }
      let who = words.count > 1 && words[1] != "?" ? words[1] : ""
      self.init(
        value: nil, text: text, when: words.first ?? "", device: words.count > 2 ? words[2] : "", who: who,
        place: place)
    }

    /// The device and the author; nil if neither is known.
    fileprivate var source: [String]? { device.isEmpty && who.isEmpty ? nil : [device, who] }
  }

  /// The field, or `body`, `note`, `path`.
  package let name: String
  package let versions: [Version]

  /// The conflict with the time and the author of the version that is in the note; as it is if another version has no time:
  /// both come from a merge by git then.
  package func standing(since stamp: MergeStamp) -> NoteConflict {
    guard versions.allSatisfy({ $0.isInNote || !$0.when.isEmpty }) else { return self }
    let versions = versions.map { version in
      guard version.isInNote else { return version }
      return Version(
        value: version.value, text: version.text, when: stamp.when, device: stamp.device, who: stamp.who,
        isInNote: true, place: version.place)
    }
    return NoteConflict(name: name, versions: versions)
  }

  /// The conflicts of a note with the versions of each in one order of devices.
  ///
  /// The order is that of the body, whose comments number its versions, else that of the first field. A version without
  /// a device is the missing device's if all others are present. If a device stays unknown, the order is that of the file.
  package static func inOneOrder(_ conflicts: [NoteConflict]) -> [NoteConflict] {
    guard let sources = sources(of: conflicts) else { return conflicts }
    var order: [[String]] = []
    let isBody = { (conflict: NoteConflict) in conflict.name == MergePart.body.name }
    for (conflict, sources) in zip(conflicts, sources) where isBody(conflict) { order += sources }
    for (conflict, sources) in zip(conflicts, sources) where !isBody(conflict) { order += sources }
    return zip(conflicts, sources).map { conflict, sources in
      let ranked = zip(sources.map { order.firstIndex(of: $0) ?? 0 }, conflict.versions)
      let sorted = ranked.sorted { ($0.0, $0.1.place) < ($1.0, $1.1.place) }
      return NoteConflict(name: conflict.name, versions: sorted.map(\.1))
    }
  }

  /// Whether a number can mean different sides in different parts, because the note does not name the sides of all versions.
  package static func mayMixSides(_ conflicts: [NoteConflict]) -> Bool {
    guard conflicts.count > 1, let sources = sources(of: conflicts) else { return conflicts.count > 1 }
    return sources.contains { Set($0).count < $0.count }
  }

  /// The side of each version; nil if one stays unknown.
  private static func sources(of conflicts: [NoteConflict]) -> [[[String]]]? {
    let known = Set(conflicts.flatMap(\.versions).compactMap(\.source))
    let sources = conflicts.map { conflict -> [[String]] in
      let present = conflict.versions.compactMap(\.source)
      let missing = known.subtracting(present)
      guard present.count == conflict.versions.count - 1 else {
        return conflict.versions.map { $0.source ?? [] }
      }
      // Of two sides, one may have no name.
      let other = missing.count == 1 ? missing.first : known.count == 1 && present.count == 1 ? [""] : nil
      return conflict.versions.map { $0.source ?? other ?? [] }
    }
    return sources.joined().contains([]) ? nil : sources
  }

  /// The conflicts of a note: its fields in the order of their entries, then its body, each in the order of the file.
  package static func all(in text: NoteText) -> [NoteConflict] {
    let reading = FrontMatter(text)
    let entries = text.conflictEntries
    var names: [String] = []
    for entry in entries where !names.contains(where: { $0.hasSameBytes(as: entry.field) }) {
      names.append(entry.field)
    }
    var conflicts: [NoteConflict] = []
    for name in names where name != MergePart.body.name {
      let others = entries.filter { $0.field.hasSameBytes(as: name) }.enumerated().map { number, entry in
        Version(
          value: entry.value, text: nil, when: entry.when, device: entry.device, who: entry.who,
          place: number + 1)
      }
      let standing = Version(
        value: reading[name], text: nil, when: "", device: "", who: "", isInNote: true, place: 0)
      conflicts.append(NoteConflict(name: name, versions: [standing] + others))
    }
    let body = Array(text.bytes[text.body])
    for region in ConflictRegion.all(inBody: body, isListed: names.contains(MergePart.body.name)) {
      let versions = region.versions.enumerated().map { number, version in
        Version(text: Array(body[version.lines]), label: version.label, place: number)
      }
      conflicts.append(NoteConflict(name: MergePart.body.name, versions: versions))
    }
    return conflicts
  }
}

/// The versions of a conflict to keep.
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
  /// The entries of the values that merges did not take; invalid entries are left out.
  package var conflictEntries: [ConflictEntry] {
    (FrontMatter(self)[ConflictEntry.fieldName]?.strings ?? []).compactMap { ConflictEntry($0) }
  }

  /// Returns the note without the entries of some fields, without the field that holds them if none is left, and without
  /// front matter that then has no field: a merge made it for the conflicts.
  package func droppingConflicts(of names: [String]) throws(EditError) -> NoteText {
    let entries = FrontMatter(self)[ConflictEntry.fieldName]?.strings ?? []
    let rest = entries.filter { text in
      guard let entry = ConflictEntry(text) else { return true }
      return !names.contains { $0.hasSameBytes(as: entry.field) }
    }
    guard rest.count < entries.count else { return self }
    guard rest.isEmpty else {
      return try setting(ConflictEntry.fieldName, to: .list(rest.map { .text($0) }), lists: .block)
    }
    let cleared = try clearing(ConflictEntry.fieldName)
    let empty = ["---\n---\n", "---\r\n---\r\n"].first { cleared.bytes.starts(with: $0.utf8) }
    guard let empty else { return cleared }
    let body = NoteText(Array(cleared.bytes.dropFirst(empty.utf8.count)))
    // A body that begins as front matter does needs the empty one.
    return body.frontMatter == nil && !body.isUnclosed ? body : cleared
  }

  /// Whether the text has git's conflict markers, or several versions of lines between comments, as merges leave them.
  package var hasSeveralVersions: Bool { MergeMarkers.areVersions(in: self) }

  /// The line of the first comment around versions whose other comments were removed by hand, from 1; nil without one.
  package var strayVersionLine: Int? {
    guard hasSeveralVersions, let offset = ConflictRegion.strayComment(in: Array(bytes[body])) else {
      return nil
    }
    return bytes[..<(body.lowerBound + offset)].count { $0 == 0x0A } + 1
  }

  /// Returns the note without the entry of its text if the text has no versions any more: somebody has chosen one by hand.
  package func droppingSettledBody() throws(EditError) -> NoteText {
    let name = MergePart.body.name
    guard conflictEntries.contains(where: { $0.field == name }),
      !NoteConflict.all(in: self).contains(where: { $0.name == name }), !hasSeveralVersions
    else { return self }
    return try droppingConflicts(of: [name])
  }

  /// Returns the note with one of the versions of a part, and the others gone.
  ///
  /// - Parameter conflicts: the conflict of a field, or those of all regions of the body.
  package func resolving(
    _ conflicts: [NoteConflict], _ choice: ConflictChoice
  ) throws(ConflictChoiceError) -> NoteText {
    if case .version(let number) = choice,
      let short = conflicts.first(where: { !$0.versions.indices.contains(number - 1) })
    {
      throw .noVersion(of: short.name, count: short.versions.count)
    }
    guard let conflict = conflicts.first else { return self }
    if conflict.name == MergePart.body.name { return try resolvingBody(conflicts, choice) }
    do throws(EditError) {
      var text = self
      switch choice {
      case .version(let number) where conflict.versions[number - 1].isInNote: break
      // These are no fields: the file itself is deleted or moved.
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

  /// Versions of a text one after the other; a blank line keeps two paragraphs apart.
  private func together(_ versions: [ArraySlice<UInt8>]) -> [UInt8] {
    var text: [UInt8] = []
    for version in versions {
      let start = text.dropLast().lastIndex(of: 0x0A).map { $0 + 1 } ?? 0
      if Self.isProse(text[start...]), Self.isProse(version.prefix { $0 != 0x0A }) { text += lineEnd }
      text += version
    }
    return text
  }

  /// Whether a line is one of a paragraph: not blank, and no item, quotation, row of a table, heading or fence.
  private static func isProse(_ line: ArraySlice<UInt8>) -> Bool {
    guard let first = line.first, !isSpaceByte(first), !isItem(line) else { return false }
    return !"|>#`~<".utf8.contains(first)
  }

  /// Returns the note with one version of each region of its body, or with all of them one after the other.
  private func resolvingBody(
    _ conflicts: [NoteConflict], _ choice: ConflictChoice
  ) throws(ConflictChoiceError) -> NoteText {
    var body = Array(bytes[self.body])
    let isListed = conflictEntries.contains { $0.field == MergePart.body.name }
    let regions = ConflictRegion.all(inBody: body, isListed: isListed)
    for (index, region) in regions.enumerated().reversed() {
      let lines: [UInt8]
      switch choice {
      case .all: lines = together(region.versions.map { body[$0.lines] })
      case .version(let number):
        let place =
          conflicts.indices.contains(index) ? conflicts[index].versions[number - 1].place : number - 1
        guard region.versions.indices.contains(place) else {
          throw .noVersion(of: MergePart.body.name, count: region.versions.count)
        }
        lines = Array(body[region.versions[place].lines])
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

extension FieldValue {
  /// The value as JSON on one line.
  package var json: String {
    switch self {
    case .text(let text): JSONString.quoted(text)
    case .list(let elements): "[\(elements.map(\.json).joined(separator: ", "))]"
    case .map(let entries):
      "{\(entries.map { "\(JSONString.quoted($0.key)): \($0.value.json)" }.joined(separator: ", "))}"
    case .empty: "null"
    }
  }
}
