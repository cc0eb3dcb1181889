package import Notes

/// The kinds of names that count when a note is named, and the choice among several notes that match.
///
/// All rules try the ways in the one order of `NameWay`. A rule omits ways, and combines some of them into one step.
package struct NameRule: Sendable {
  /// The ways that count. The first step in which any note matches decides; the ways of one step are equal.
  let steps: [[NameWay]]
  /// Whether a later step breaks a tie: of several matches in a step, the only one that also matches in a later step is
  /// chosen.
  let settlesTies: Bool
  /// The kind that the note has to be of, without regard to case; nil for any.
  let kind: String?

  init(_ steps: [[NameWay]], settlesTies: Bool = false, kind: String? = nil) {
    self.steps = steps
    self.settlesTies = settlesTies
    self.kind = kind
  }

  /// A reference to a note as a user types it. Exact names precede slugs and names regardless of case and diacritics, and
  /// these precede prefixes of ids.
  ///
  /// A name that matches several notes in different ways is ambiguous.
  /// - Parameter fuzzy: whether words of a title also match, for commands that only read.
  package static func typed(fuzzy: Bool) -> NameRule {
    let names: [[NameWay]] = [
      [.key, .id, .foreignID, .path, .title, .fileName],
      [.foldedID, .foldedTitle, .foldedFileName, .slug], [.idPrefix],
    ]
    return NameRule(fuzzy ? names + [[.fuzzyTitle]] : names)
  }

  /// The target of a link: an id, a path, the end of a path, a title or an alias.
  ///
  /// The names of files take precedence over titles, because tools that write links by names of files do not resolve
  /// titles.
  package static let link = NameRule(
    [[.id], [.foreignID], [.path], [.pathEnd], [.foldedPathEnd], [.title], [.foldedTitle]], settlesTies: true)

  /// A reference in a field of a record: the key of a record of the kind, its id or path, a title, an alias or a slug.
  ///
  /// Names must be complete: the meaning of a prefix could change with the next record.
  package static func stored(_ kind: Kind) -> NameRule { NameRule(storedSteps, kind: kind.name) }

  /// A reference that a user types as the value of a field, in a change or in a query: as it may be stored.
  ///
  /// If ids name the records of the kind, a prefix of an id matches too if no other name does.
  package static func field(_ kind: Kind) -> NameRule {
    NameRule(kind.key ?? "id" == "id" ? storedSteps + [[.idPrefix]] : storedSteps, kind: kind.name)
  }

  private static let storedSteps: [[NameWay]] = [[.key], [.id], [.path], [.title], [.foldedTitle], [.slug]]

  /// Whether each step is one way, so that the order of the steps distinguishes exact names from folded ones.
  var isStepwise: Bool { steps.allSatisfy { $0.count == 1 } }
}

extension NameRule {
  /// Returns the places of the notes that a name matches: several if the name is ambiguous.
  ///
  /// - Parameter places: returns the places of the notes that the name matches in a way, ascending.
  func decide(_ places: (NameWay) -> [Int]) -> [Int] {
    for (number, step) in steps.enumerated() {
      let found = Self.joined(step, places)
      if found.isEmpty { continue }
      return found.count > 1 && settlesTies ? settled(found, from: number + 1, places) : found
    }
    return []
  }

  private func settled(_ found: [Int], from start: Int, _ places: (NameWay) -> [Int]) -> [Int] {
    let wanted = Set(found)
    for step in steps[start...] {
      let both = Self.joined(step, places).filter(wanted.contains)
      if both.count == 1 { return both }
    }
    return found
  }

  private static func joined(_ step: [NameWay], _ places: (NameWay) -> [Int]) -> [Int] {
    step.count == 1 ? places(step[0]) : Set(step.flatMap(places)).sorted()
  }
}

/// A way in which a name may match a note. The order of the cases is the order of the attempts.
enum NameWay: Sendable, CaseIterable {
  /// The exact value of the kind's key field.
  case key
  /// The full id.
  case id
  /// Another tool's id, exactly.
  case foreignID
  /// The path from the root of the box, with the ending of a note or without.
  case path
  /// The exact end of the path, from the start of one of its parts.
  case pathEnd
  /// The end of the path, without case and diacritics.
  case foldedPathEnd
  /// The exact title or alias.
  case title
  /// The exact name of the file, with the ending of a note or without.
  case fileName
  /// An id or another tool's id, without case and diacritics.
  case foldedID
  /// The title or an alias, without case and diacritics.
  case foldedTitle
  /// The name of the file, without case and diacritics.
  case foldedFileName
  /// A slug of a title or an alias, or the one in the name of the file.
  case slug
  /// The beginning of the id, two letters or more.
  case idPrefix
  /// Words of which each begins a word of the title or an alias.
  case fuzzyTitle

  /// The use of names that the way looks up; nil for one that reads all notes.
  var use: NameUse? {
    switch self {
    case .key: .key
    case .id, .foldedID: .id
    case .foreignID: .foreignID
    case .path: .path
    case .title, .foldedTitle: .title
    case .fileName, .pathEnd, .foldedPathEnd, .foldedFileName: .pathEnd
    case .slug: .slug
    case .idPrefix, .fuzzyTitle: nil
    }
  }
}
