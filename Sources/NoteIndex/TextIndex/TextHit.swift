/// A document in which something was found, and how often in each of its fields.
package struct TextHit: Sendable, Equatable {
  package let document: UInt32
  package var counts: FieldCounts

  package init(document: UInt32, counts: FieldCounts) {
    self.document = document
    self.counts = counts
  }
}

/// How often something stands in each field of a document; what is too much to count stays at the highest.
package struct FieldCounts: Sendable, Equatable {
  package var body: UInt32 = 0
  package var title: UInt16 = 0
  package var alias: UInt16 = 0
  package var tag: UInt16 = 0
  package var other: UInt16 = 0

  package init() {}

  /// Counts occurrences in the body alone.
  init(body: UInt32) { self.body = body }

  /// Counts so many more in a field.
  package mutating func add(_ count: Int, in field: TextField) {
    let more = UInt32(clamping: count)
    switch field {
    case .body: body = Self.sum(body, more)
    case .title: title = Self.sum(title, more)
    case .alias: alias = Self.sum(alias, more)
    case .tag: tag = Self.sum(tag, more)
    case .other: other = Self.sum(other, more)
    }
  }

  @inline(__always)
  mutating func add(_ counts: FieldCounts) {
    body = Self.sum(body, counts.body)
    if !counts.isBodyAlone { addOthers(counts) }
  }

  private mutating func addOthers(_ counts: FieldCounts) {
    title = Self.sum(title, UInt32(counts.title))
    alias = Self.sum(alias, UInt32(counts.alias))
    tag = Self.sum(tag, UInt32(counts.tag))
    other = Self.sum(other, UInt32(counts.other))
  }

  /// Whether there is nothing outside the body.
  @inline(__always)
  var isBodyAlone: Bool { title | alias | tag | other == 0 }

  @inline(__always)
  var isEmpty: Bool { body == 0 && isBodyAlone }

  private static func sum<Number: FixedWidthInteger>(_ left: Number, _ right: UInt32) -> Number {
    let (sum, overflow) = left.addingReportingOverflow(Number(clamping: right))
    return overflow ? .max : sum
  }

  /// Forgets what is in other fields; returns whether anything is left.
  @inline(__always)
  mutating func keep(_ scope: TextScope) -> Bool {
    if !scope.contains(.body) { body = 0 }
    if !scope.contains(.title) { title = 0 }
    if !scope.contains(.aliases) { alias = 0 }
    if !scope.contains(.tags) { tag = 0 }
    if !scope.contains(.others) { other = 0 }
    return !isEmpty
  }
}
