/// When and by whom something was changed, as its commit tells.
package struct MergeStamp: Sendable, Equatable {
  /// The author time in seconds since 1970.
  package let seconds: Int64
  /// The commit's id in full, in hexadecimal digits; empty for what is not committed.
  package let commit: String
  /// The author time as notes say it, RFC 3339.
  package let when: String
  /// The author's name.
  package let who: String
  /// The device's name; empty where the commit names none.
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

/// When both sides last changed one part of a note; nil where nothing is known of it.
package struct MergeStamps: Sendable {
  package let one: MergeStamp?
  package let other: MergeStamp?

  package init(one: MergeStamp?, other: MergeStamp?) {
    self.one = one
    self.other = other
  }

  subscript(side: MergeSide) -> MergeStamp? { side == .one ? one : other }

  /// The side with the later change; nil where it is not known of both, or they are one change.
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
  /// The block of front-matter as a whole, where it can't be read.
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
