import Notes

/// The merge of settings and kinds, files of YAML: by keys, as the front-matter of a note.
enum SettingsMerge {
  private static let fence = Array("---\n".utf8)

  /// Returns the merged file with the keys that both changed differently; nil where a version can't be read.
  ///
  /// Of such a key the greater value stands, and the other is kept in a comment at the end: settings have no field for
  /// what was not taken.
  static func merge(base: [UInt8], one: [UInt8], other: [UInt8]) -> (bytes: [UInt8], contested: [String])? {
    let texts = [base, one, other].map { bytes in
      NoteText(fence + bytes + (bytes.last == 0x0A || bytes.isEmpty ? [] : [0x0A]) + fence)
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
    let comments = entries.flatMap { Array("# slip: not taken: \($0)\n".utf8) }
    return (Array(text.bytes[block]) + comments, merged.conflicts.map(\.name))
  }
}
