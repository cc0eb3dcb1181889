import Text

/// Joins two changed versions of a note, field by field and line by line.
///
/// The result does not depend on the order of the versions: exchanging them changes no byte. Parts that neither side
/// changed stay byte for byte, and so do parts that only one side changed.
package enum NoteMerge {
  /// A merged note.
  package struct Result: Sendable {
    package let text: NoteText
    /// The parts that both sides changed differently, fields in the order of the file. Both versions are in the text.
    package let conflicts: [MergePart]
    /// The parts of which it mattered which side changed them later.
    package let ordered: Set<MergePart>
  }

  /// Merges the changes of two sides to `base`.
  ///
  /// A field that one side changed takes that side, with its spelling. Lists merge element by element. `created` takes the
  /// earlier time, and the modification time of another program the later one. If both changed a field differently, the
  /// later change wins, and the other value is kept under `conflicts`. Fields of a group move together. The bodies merge by
  /// `LineMerge`. Unreadable front-matter is never merged: if both sides changed it, the readable one wins, else the later
  /// one, and the other is kept in a comment of the body.
  ///
  /// - Parameter times: the times at which the sides changed the parts; without them the greater value wins.
  /// - Returns: nil if one of the versions is not text, or is front-matter without a closing fence, and both
  ///   changed it: nothing can be merged then.
  /// - Complexity: that of `LineDiff.hunks`.
  package static func merge(
    base: NoteText, one: NoteText, other: NoteText, rules: MergeRules = MergeRules(),
    times: MergeTimes = MergeTimes()
  ) -> Result? {
    if one == other || other == base { return Result(text: one, conflicts: [], ordered: []) }
    if one == base { return Result(text: other, conflicts: [], ordered: []) }
    guard one.isMergeable, other.isMergeable else { return nil }
    // A base that is no text is as good as none.
    let versions = MergeVersions(base: base.isMergeable ? base : NoteText([]), one: one, other: other)
    return versions.merged(rules, times)
  }
}

/// Three versions of a note with one kind of line end.
private struct MergeVersions {
  private let base: NoteText
  private let one: NoteText
  private let other: NoteText
  private let mark: [UInt8]
  /// The line ends of the result, if those of the versions differ.
  private let lineEnd: [UInt8]?

  init(base: NoteText, one: NoteText, other: NoteText) {
    let ends = [base, one, other].map { $0.hasLines ? $0.lineEnd : nil }
    let used = Set(ends.compactMap { $0 })
    let isMixed = used.count > 1
    self.base = isMixed ? base.withLineFeeds : base
    self.one = isMixed ? one.withLineFeeds : one
    self.other = isMixed ? other.withLineFeeds : other
    lineEnd = isMixed ? Self.chosen(ends[0] ?? nil, ends[1] ?? [0x0A], ends[2] ?? [0x0A]) : nil
    mark = Self.chosen(base.mark, one.mark, other.mark)
  }

  /// Of two values, the one that a side changed, else the smaller.
  private static func chosen(_ base: [UInt8]?, _ one: [UInt8], _ other: [UInt8]) -> [UInt8] {
    if one == other { return one }
    guard let base else { return one.lexicographicallyPrecedes(other) ? one : other }
    return one == base ? other : one
  }

  func merged(_ rules: MergeRules, _ times: MergeTimes) -> NoteMerge.Result {
    let header = HeaderMerge(
      base: base.blockAlone, one: one.blockAlone, other: other.blockAlone, rules: rules, times: times)
    let bodies = [base, one, other].map { Array($0.bytes[$0.body]) }
    let end = header.block.bytes.isEmpty ? one.lineEnd : header.block.lineEnd
    let aligned = BakedBlock.aligned(base: bodies[0], one: bodies[1], other: bodies[2])
    let lines = LineMerge.merge(
      base: isAddedTwice ? LineMerge.common(aligned.one, aligned.other) : aligned.base, one: aligned.one,
      other: aligned.other,
      stamps: times[.body], lineEnd: end)
    var text = NoteText(mark + header.block.bytes).replacingBody(lines.bytes)
    for comment in header.comments { text = text.appending(comment) }
    // The list of conflicts points to the note.
    if lines.conflicts > 0 {
      text = text.addingConflicts([ConflictEntry(field: MergePart.body.name, value: nil, nil)]) ?? text
    }
    text = text.sortingConflicts
    if let lineEnd { text = NoteText(text.bytes.withLineEnds(lineEnd)) }
    return NoteMerge.Result(
      text: text, conflicts: header.contested + (lines.conflicts > 0 ? [.body] : []),
      ordered: Set(header.contested + (lines.usesOrder ? [.body] : [])))
  }

  /// Whether both sides made the note, so that nothing of either was taken away by the other.
  private var isAddedTwice: Bool { base.bytes.isEmpty }
}

extension NoteText {
  /// Whether the note is text, and not all of it is front matter that no fence closes.
  package var isMergeable: Bool { unreadable == nil && !isUnclosed }
}

extension NoteText {
  /// The byte-order mark before the front-matter, if there is one.
  fileprivate var mark: [UInt8] { Array(bytes[..<(block?.lowerBound ?? body.lowerBound)]) }

  fileprivate var hasLines: Bool { bytes.contains(0x0A) }

  /// The front-matter with its fences as a text of its own.
  fileprivate var blockAlone: NoteText { NoteText(block.map { Array(bytes[$0]) } ?? []) }

  fileprivate var withLineFeeds: NoteText { NoteText(bytes.withLineEnds([0x0A])) }
}

extension [UInt8] {
  /// The bytes with every line end written in one way.
  fileprivate func withLineEnds(_ lineEnd: [UInt8]) -> [UInt8] {
    var result: [UInt8] = []
    result.reserveCapacity(count)
    for byte in self {
      if byte != 0x0A {
        result.append(byte)
        continue
      }
      if result.last == 0x0D { result.removeLast() }
      result.append(contentsOf: lineEnd)
    }
    return result
  }
}

/// How a merge settles a field that both sides changed, without a conflict.
package enum MergeRule: String, CaseIterable, Sendable {
  /// The earlier time.
  case earlier
  /// The later time.
  case later
  /// The greater number, else the text that sorts last.
  case greater
  /// The elements of both lists; no element goes.
  case union
  /// Either value, because a program computes it again; both devices take the same one.
  case derived
}

/// The rules of merges that the kinds and settings of a box declare.
package struct MergeRules: Sendable {
  /// Fields that a transition of a kind changes together; in a conflict they move together.
  package let groups: [Set<String>]
  /// The rules that kinds declare for their fields, by kind and field.
  private let declared: [String: [String: MergeRule]]
  /// Names of further fields in which another program keeps the time of a change.
  private let stamps: Set<String>
  /// Which file a link means if it fits the names of several.
  package let sameNames: SameNameRule

  /// - Parameter stamps: names of fields that the box's settings add to the known ones.
  package init(
    groups: [Set<String>] = [], declared: [String: [String: MergeRule]] = [:], stamps: [String] = [],
    sameNames: SameNameRule = .ambiguous
  ) {
    self.sameNames = sameNames
    self.groups = groups
    self.declared = declared
    self.stamps = Set(stamps.map(Self.plain))
  }

  /// The rule of a field in a note of a kind; nil for a field that is settled as a conflict.
  func rule(of field: String, kind: String?) -> MergeRule? {
    if field == "created" { return .earlier }
    if let kind, let rule = declared[kind]?[field] { return rule }
    return isStamp(field) ? .later : nil
  }

  /// Whether programs keep the time of the last change in a field, by its name.
  private func isStamp(_ field: String) -> Bool {
    let name = Self.plain(field)
    return Self.knownStamps.contains(name) || stamps.contains(name)
  }

  /// Whether two versions of a note differ only in fields with the time of the last change, each on one line.
  package func differOnlyInStamps(_ old: NoteText, _ new: NoteText) -> Bool {
    guard old.bytes[old.body] == new.bytes[new.body] else { return false }
    let rests = [old, new].map { text in
      let fields = FrontMatter(text)
      var rest: [ArraySlice<UInt8>] = []
      var start = 0
      for field in fields.fields where !field.isInline && isStamp(field.name) {
        guard field.span.lowerBound >= start, text.bytes[field.span].dropLast().firstIndex(of: 0x0A) == nil
        else {
          return [text.bytes[...]]
        }
        rest.append(text.bytes[start..<field.span.lowerBound])
        start = field.span.upperBound
      }
      return rest + [text.bytes[start...]]
    }
    return old.bytes != new.bytes && rests[0].joined().elementsEqual(rests[1].joined())
  }

  /// The names under which note programs and site generators write the time of the last change.
  private static let knownStamps: Set<String> = [
    "modified", "updated", "lastmod", "lastmodified", "lastupdated", "lastedited", "datemodified",
    "dateupdated", "modifiedat", "updatedat", "modifieddate", "updateddate", "modificationdate", "mtime",
  ]

  /// A name without the marks and the case in which spellings of it differ: `Last Modified`, `last_modified`.
  private static func plain(_ name: String) -> String {
    String(name.lowercased().filter { !"_- .".contains($0) })
  }
}

/// The time and author of a change, from its commit.
package struct MergeStamp: Sendable, Equatable {
  /// The author time in seconds since 1970.
  package let seconds: Int64
  /// The commit's id in full, in hexadecimal digits; empty for uncommitted changes.
  package let commit: String
  /// The author time as notes say it, RFC 3339.
  package let when: String
  /// The author's name.
  package let who: String
  /// The device's name; empty if the commit names none.
  package let device: String

  package init(seconds: Int64, commit: String, when: String, who: String, device: String) {
    self.seconds = seconds
    self.commit = commit
    self.when = when
    self.who = who
    self.device = device
  }

  /// Whether a change is older than another: by author time, then by the commit's id.
  package func isBefore(_ other: MergeStamp) -> Bool {
    (seconds, commit) < (other.seconds, other.commit)
  }
}

/// One of two versions that are merged. Nothing in a result depends on which of them is called which.
package enum MergeSide: Sendable {
  case one, other

  package var opposite: MergeSide { self == .one ? .other : .one }
}

/// When both sides last changed one part of a note; nil if nothing is known of it.
package struct MergeStamps: Sendable {
  package let one: MergeStamp?
  package let other: MergeStamp?

  package init(one: MergeStamp?, other: MergeStamp?) {
    self.one = one
    self.other = other
  }

  subscript(side: MergeSide) -> MergeStamp? { side == .one ? one : other }

  /// The side with the later change; nil if it is not known of both, or they are one change.
  package var later: MergeSide? {
    guard let one, let other else { return nil }
    if one.isBefore(other) { return .other }
    return other.isBefore(one) ? .one : nil
  }
}

/// When the sides of a merge changed the parts of a note.
package struct MergeTimes: Sendable {
  private let all: MergeStamps?
  private let parts: [MergePart: MergeStamps]

  /// Each side changed all parts at one time.
  package init(all: MergeStamps) { (self.all, parts) = (all, [:]) }

  /// The sides changed the parts at times of their own; nothing is known of others.
  package init(_ parts: [MergePart: MergeStamps] = [:]) { (all, self.parts) = (nil, parts) }

  subscript(part: MergePart) -> MergeStamps? { parts[part] ?? all }
}

/// A part of a note that two sides can change differently.
package enum MergePart: Hashable, Sendable {
  case field(String)
  /// The block of front-matter as a whole, if it can't be read.
  case frontMatter
  case body

  /// The field's name, or what people call the part.
  package var name: String {
    switch self {
    case .field(let name): name
    case .frontMatter: "front-matter"
    case .body: "body"
    }
  }
}
