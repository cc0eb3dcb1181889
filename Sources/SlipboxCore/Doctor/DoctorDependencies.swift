import NoteIndex
import Bytes
import Notes
import Text

/// Records that depend on themselves by way of others, so that none of them can ever be finished first.
extension BoxSnapshot {
  /// The rings in which records block one another; slip refuses to close one, a merge or an editor may.
  ///
  /// - Complexity: that of `Dependencies`.
  func dependencyFindings(_ entries: Entries) throws(SlipboxError) -> [Finding] {
    try dependencies().rings.map { ring in
      let first = entries[ring[0]].note
      let second = schema().recordKey(of: entries[ring.count > 1 ? ring[1] : ring[0]])
      let titles = (ring + [ring[0]]).map { Visible.escape(entries[$0].note.title) }
      let kind = schema().kindOrPlain(named: entries[ring[0]].kind)
      let field = kind.blockingFields.first { field in first.frontMatter.field(field.name) != nil }
      let name = field?.name ?? "FIELD"
      let change = field?.isList == false ? "\(name):" : "\(name):-\(second)"
      return Finding(
        .dependencies, first.path, line: field.flatMap { first.frontMatter.field($0.name)?.line },
        "depends on itself: \(titles.joined(separator: ", which depends on "))",
        remedy: "remove one of them: slip set \(first.shellName) \(ShellWord.quoted(change))")
    }
  }
}
