import NoteIndex
import SlipboxCore
import Synchronization

/// What completion asks of a box as a whole, worked out when it is first asked for.
final class BoxFacts: Sendable {
  private let snapshot: BoxSnapshot
  private let known = Mutex<(tags: [TagCount]?, fields: [String]?)>((nil, nil))

  init(_ snapshot: BoxSnapshot) { self.snapshot = snapshot }

  /// The tags of the box.
  func tags() throws(SlipboxError) -> [TagCount] {
    if let tags = known.withLock({ $0.tags }) { return tags }
    let tags = try snapshot.tags()
    known.withLock { $0.tags = tags }
    return tags
  }

  /// The names of the fields that its notes have.
  func fieldNames() throws(SlipboxError) -> [String] {
    if let fields = known.withLock({ $0.fields }) { return fields }
    let fields = try snapshot.catalogue().fieldNames.sorted()
    known.withLock { $0.fields = fields }
    return fields
  }
}
