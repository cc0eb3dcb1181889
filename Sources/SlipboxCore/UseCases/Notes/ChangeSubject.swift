import Bytes
import NoteIndex
import Notes
import Text

/// The subject of a commit that applies CHANGEs, as a person would put it.
struct ChangeSubject {
  private let changes: [Change]
  private let hasBody: Bool
  /// Files of which the subject says nothing.
  private let hidden: Set<[UInt8]>

  private static let longest = 50

  init(_ changes: [Change], hasBody: Bool, except hidden: Set<[UInt8]> = []) {
    self.hidden = hidden
    self.changes = changes
    self.hasBody = hasBody
  }

  /// The subject for the files that were changed.
  func text(_ all: [FileChange]) -> String {
    let files = all.filter { !hidden.contains($0.path) }
    if changes.count == 1, !hasBody, case .set(let field, let title) = changes[0], field == "title" {
      return "Retitle \(Self.oldTitle(files)) to \(title)"
    }
    return "\(summary(files)): \(Plan.described(files))"
  }

  /// The title before, or the number of notes.
  private static func oldTitle(_ files: [FileChange]) -> String {
    guard files.count == 1, let file = files.first, let before = file.before else {
      return Plan.described(files)
    }
    return Note(path: file.path, text: NoteText(before)).title
  }

  private func summary(_ files: [FileChange]) -> String {
    let text = words(files)
    guard let first = text.first else { return "Give an id" }
    return CellWidth.truncate(first.uppercased() + text.dropFirst(), to: Self.longest)
  }

  /// Each change as a part of a sentence, such as `set rating 4, add tag later`.
  func words(_ files: [FileChange]) -> String {
    var parts: [String] = []
    var last = ""
    let effective = changes.filter { Self.isEffective($0, in: files) }
    for change in effective.isEmpty ? changes : effective {
      let (verb, object) = Self.phrase(Self.applied(change, in: files), files)
      // Adjacent changes with the same verb share it.
      parts.append(verb == last ? object : "\(verb) \(object)")
      last = verb
    }
    if hasBody { parts.append("replace the text") }
    return parts.joined(separator: ", ")
  }

  /// A change as the notes took it: a signed number adds an element to a list or removes one.
  private static func applied(_ change: Change, in files: [FileChange]) -> Change {
    guard case .set(let field, let value) = change, let sign = value.utf8.first, value.utf8.count > 1,
      "+-".utf8.contains(sign)
    else { return change }
    let element = String(value.unicodeScalars.dropFirst())
    let isAdded = sign == UInt8(ascii: "+")
    let isOfList = files.contains { file in
      let (before, after) = (
        strings(of: field, file.before, file.path), strings(of: field, file.after, file.path)
      )
      let (without, with) = isAdded ? (before, after) : (after, before)
      return with.contains(element) && !without.contains(element) && !after.contains(value)
    }
    guard isOfList else { return change }
    return isAdded ? .add(element, field: field) : .remove(element, field: field)
  }

  private static func strings(of field: String, _ bytes: [UInt8]?, _ path: [UInt8]) -> [String] {
    bytes.flatMap { Note(path: path, text: NoteText($0)).value(of: field) } ?? []
  }

  /// Whether a tag that is added or taken away was so in none of the files before.
  private static func isEffective(_ change: Change, in files: [FileChange]) -> Bool {
    let tag: String
    switch change {
    case .addTag(let name), .removeTag(let name): tag = name
    case .set, .clear, .add, .remove: return true
    }
    let key = TagName.key(tag.hasPrefix("#") ? String(tag.dropFirst()) : tag)
    let bears = { (bytes: [UInt8]?, path: [UInt8]) in
      let tags = bytes.map { Note(path: path, text: NoteText($0)).tags } ?? []
      return tags.contains { TagName.key($0) == key }
    }
    return files.contains { bears($0.before, $0.path) != bears($0.after, $0.path) }
  }

  /// The new day of a field; nil if it has none, and if the files differ.
  private static func day(_ field: String, in files: [FileChange]) -> String? {
    let values = files.map { file in
      file.after.flatMap { Note(path: file.path, text: NoteText($0)).value(of: field)?.first }
    }
    guard let day = values.first ?? nil, CivilDate(day) != nil, values.allSatisfy({ $0 == day }) else {
      return nil
    }
    return day
  }

  private static func phrase(_ change: Change, _ files: [FileChange]) -> (verb: String, object: String) {
    switch change {
    // History says which day it was, not `tomorrow`.
    case .set(let field, let value): ("set", "\(field) \(day(field, in: files) ?? value)")
    case .clear(let field): ("clear", field)
    case .addTag(let tag): ("add tag", tag)
    case .removeTag(let tag): ("remove tag", tag)
    case .add(let element, let field): ("add", "\(element) to \(field)")
    case .remove(let element, let field): ("remove", "\(element) from \(field)")
    }
  }
}

/// The words for notes that already have a change.
struct InPlaceWords {
  /// The state of the notes, such as `closed`, or their property, such as `+food`; nil if several changes are requested.
  private let phrase: (verb: (one: String, many: String), object: String)?

  /// The words for CHANGEs, or for a new text.
  init(_ changes: [Change], hasBody: Bool) {
    switch (changes.count, hasBody) {
    case (0, true): phrase = (Self.having, "that text already")
    case (1, false): phrase = Self.phrase(changes[0])
    default: phrase = nil
    }
  }

  /// The words for an action of a kind.
  init(_ action: Action, of kind: Kind) {
    let changes = action.changes
    guard changes.count == 1 else {
      phrase = nil
      return
    }
    guard case .set(let name, let value) = changes[0], let field = kind.field(name),
      [.choice, .boolean].contains(field.type)
    else {
      phrase = Self.phrase(changes[0])
      return
    }
    let isOff = field.type == .boolean && value == "false"
    let word = field.type == .boolean ? field.name : value
    phrase = (Self.being, isOff ? "not \(Self.words(word))" : "\(Self.words(word)) already")
  }

  private static let being = (one: "is", many: "are")
  private static let having = (one: "has", many: "have")

  private static func words(_ name: String) -> String {
    name.split(separator: "-").joined(separator: " ")
  }

  private static func phrase(_ change: Change) -> (verb: (one: String, many: String), object: String) {
    switch change {
    case .set(let field, let value): (having, "\(field) \(value) already")
    case .clear("tags"): (having, "no tags in the front matter")
    case .clear(let field): (having, "no \(field)")
    case .addTag(let tag): (having, "+\(tag) already")
    case .removeTag(let tag): (having, "no tag \(tag)")
    case .add(let element, let field):
      (having, "\(element) in \(field) already")
    case .remove(let element, let field):
      (having, "no \(element) in \(field)")
    }
  }

  /// The sentence on notes; nil if nothing better than a general one can be said.
  func sentence(on entries: [Entry]) -> Phrase? {
    guard let phrase, let first = entries.first else { return nil }
    let subject: Phrase =
      entries.count == 1
      ? "\(first.note.mention) \(phrase.verb.one)" : "all \(entries.count) notes \(phrase.verb.many)"
    return "\(subject) \(phrase.object)"
  }
}
