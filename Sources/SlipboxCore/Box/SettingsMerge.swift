import Notes

/// The merge of settings and kinds, files of YAML: by keys, as the front-matter of a note.
enum SettingsMerge {
  /// What stands before a value that a merge did not take, in a comment.
  static let notTaken = "# slip: not taken: "

  private static let fence = Array("---\n".utf8)

  /// Returns the merged file with the keys that both changed differently; nil where a version can't be read.
  ///
  /// Of such a key the greater value stands, and the other is kept in a comment at the end: settings have no field for
  /// what was not taken.
  static func merge(base: [UInt8], one: [UInt8], other: [UInt8]) -> (bytes: [UInt8], contested: [String])? {
    let texts = [base, one, other].map { bytes in
      let bytes = settled(bytes) ?? bytes
      return NoteText(fence + bytes + (bytes.last == 0x0A || bytes.isEmpty ? [] : [0x0A]) + fence)
    }
    guard texts.allSatisfy({ $0.frontMatter != nil && $0.body.isEmpty && FrontMatter($0).isWritable }),
      let merged = NoteMerge.merge(base: texts[0], one: texts[1], other: texts[2])
    else { return nil }
    var text = merged.text
    let entries = merged.conflicts.isEmpty ? [] : FrontMatter(text)[ConflictEntry.fieldName]?.strings ?? []
    do throws(EditError) {
      if !merged.conflicts.isEmpty { text = try text.clearing(ConflictEntry.fieldName) }
    } catch {
      return nil
    }
    guard let block = text.frontMatter, text.body.isEmpty else { return nil }
    let comments = entries.flatMap { Array("\(notTaken)\($0)\n".utf8) }
    return (Array(text.bytes[block]) + comments, merged.conflicts.map(\.name))
  }

  /// A file in which git left its markers, with both versions merged; nil if it has none or they can't be merged.
  static func settled(_ bytes: [UInt8]) -> [UInt8]? {
    guard MergeMarkers.isAnywhere(in: bytes), let marked = MarkedText(bytes, isEverywhere: true) else {
      return nil
    }
    var merged = marked.versions[0]
    for version in marked.versions.dropFirst() {
      guard let next = merge(base: [], one: merged, other: version) else { return nil }
      merged = next.bytes
    }
    return merged
  }
}
