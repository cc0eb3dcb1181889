import Git
import SlipboxCore

/// A change as a page has shown it before it is made.
enum ShownChange {
  /// The word for it: another one as soon as other files change, or one of them from or to other bytes.
  ///
  /// The bytes of a file that is made are left out, because they hold the time.
  static func word(for changes: [FileChange]) -> String {
    var lines: [UInt8] = []
    for change in changes.sorted(by: { $0.path.lexicographicallyPrecedes($1.path) }) {
      let (before, after) = (change.before.map(name), change.after.map(name))
      let names = before == nil ? ["made"] : [before ?? "", after ?? "deleted"]
      lines += change.path + [0] + Array(names.joined(separator: " ").utf8) + [0x0A]
    }
    return name(of: lines)
  }

  /// The refusal where a change would be another one by now.
  static let refusal = PageError(
    .changed, "the notes have changed since the preview", hints: ["nothing was changed"])

  private static func name(of bytes: [UInt8]) -> String { ObjectID(ofBlob: bytes).hex }
}
