package import NoteIndex
import Notes

extension BoxSnapshot {
  /// The plan that deletes every note of the box, with the notes as they are now.
  package func deletingAll(reason: String? = nil) throws(SlipboxError) -> (plan: Plan, entries: [Entry]) {
    let entries = Array(try catalogue().entries)
    return (try deleting(entries, rule: .cascade, reason: reason).plan, entries)
  }
}
