package import Notes

/// The key by which entries are ordered in the catalogue, before their paths.
package struct EntryKey: Sendable, Equatable {
  package let created: Timestamp
  package let id: NoteID?

  package init(created: Timestamp, id: NoteID?) {
    self.created = created
    self.id = id
  }

  /// Whether an entry stands before another one, whatever their paths are: newest first, then by id.
  ///
  /// Notes without an id come after those with one.
  package func precedes(_ other: EntryKey) -> Bool {
    let (own, others) = (created.millisecondsSince1970, other.created.millisecondsSince1970)
    if own != others { return own > others }
    guard id != other.id, let id else { return false }
    return other.id.map { id < $0 } ?? true
  }
}
