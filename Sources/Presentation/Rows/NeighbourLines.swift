import NoteIndex
import Notes
import SlipboxCore

/// The notes that have to do with some notes, as lines under each of them: those that block it and that it blocks, the
/// records that refer to it, and the notes that link to it.
struct NeighbourLines {
  private let blockers: [[Entry]]
  private let blocked: [[Entry]]
  private let referrers: [[Entry]]
  private let linking: [[Entry]]
  private let rows: NoteRows

  /// The most notes that are named in one list.
  private static let most = 50

  /// - Parameter rows: how the notes are shown.
  init(of entries: [Entry], _ snapshot: BoxSnapshot, _ rows: NoteRows) throws(SlipboxError) {
    let all = try snapshot.catalogue().entries
    let (referrers, states) = (
      try snapshot.referrers(of: entries), RecordStates(rows.schema, clock: rows.clock, rows.catalogue)
    )
    let isActive = { (entry: Entry) in states.state(of: entry).isActive }
    let blocking = try snapshot.blockingNotes(of: entries)
    let blocked = blocking.map(\.blocked)
    blockers = blocking.map(\.blockers)
    self.blocked = blocked
    self.referrers = zip(referrers, blocked).map { referrers, blocked in
      let known = Set(blocked.map(\.note.path))
      let others = referrers.filter { !known.contains($0.note.path) }
      return others.filter(isActive) + others.filter { !isActive($0) }
    }
    let backlinks = try snapshot.linkGraph().backlinks(to: entries.map { .note($0.note) })
    linking = zip(backlinks, referrers).map { places, referrers in
      let known = Set(referrers.map(\.note.path))
      return places.filter { !known.contains(all.path(at: $0)) }.map { all[$0] }
    }
    self.rows = rows
  }

  /// The lines that stand under the note of a number.
  func lines(ofNote number: Int) -> [String] {
    list("blocked by", blockers[number]) + list("blocks", blocked[number])
      + list("referred to by", referrers[number]) + list("linked from", linking[number])
  }

  private func list(_ title: String, _ entries: [Entry]) -> [String] {
    guard !entries.isEmpty else { return [] }
    let style = rows.display.style
    let shown = rows.mixed(Array(entries.prefix(Self.most))).map { "  " + $0 }
    let more = entries.count > Self.most ? ["  " + style.dim("and \(entries.count - Self.most) more")] : []
    return ["", style.dim("\(title) \(entries.count == 1 ? "1 note" : "\(entries.count) notes")")] + shown
      + more
  }
}
