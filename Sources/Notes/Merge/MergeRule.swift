import Text

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
  /// Fields that a transition of a kind changes together; where they are contested they move together.
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
    let name = Self.plain(field)
    return Self.knownStamps.contains(name) || stamps.contains(name) ? .later : nil
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
