import Notes
import Text

/// Tags that the settings of the box name, whether a note bears them or not.
extension BoxSnapshot {
  /// The field of the settings file that holds them.
  fileprivate static let tagsSetting = "tags"

  /// The declared tags in the order of the file.
  func declaredTags() throws(SlipboxError) -> [String] {
    guard let bytes = try bytes(at: Settings.boxFile) else { return [] }
    return Note.ofSettings(bytes).frontMatterTags
  }

  /// The plan that declares tags.
  ///
  /// - Throws: `.badData` for a name that can't be a tag's.
  package func declaringTags(_ typed: [String], reason: String? = nil) throws(SlipboxError) -> Plan {
    var names: [String] = []
    for name in typed { names.append(try TagPath.checked(name)) }
    let known = try tagTable().names
    for name in names { warnOfNearDuplicate(of: name, in: known) }
    let edit = FileEdit.ofDeclaredTags { [names] note throws(SlipboxError) in
      do throws(EditError) {
        var text = note.text
        for name in names { text = try text.adding(name, to: Self.tagsSetting, kind: .tags) }
        return text
      } catch {
        throw SlipboxError(error, note: ".slipbox/config.yaml")
      }
    }
    return Plan(command: "tags", reason: reason, edits: [edit]) { _ in
      "Declare \(names.count == 1 ? "tag" : "tags") \(names.joined(separator: ", "))"
    }
  }
}

extension FileEdit {
  /// An edit of the tags that the settings name; the file is made where there is none.
  static func ofDeclaredTags(_ transform: @escaping (Note) throws(SlipboxError) -> NoteText) -> FileEdit {
    FileEdit(path: Settings.boxFile) { bytes throws(SlipboxError) in
      let note = Note.ofSettings(bytes ?? [])
      let text = try transform(note)
      if text.bytes == note.text.bytes { return bytes }
      return text.frontMatter.map { Array(text.bytes[$0]) } ?? []
    }
  }
}

extension Note {
  /// The settings file as the front-matter of a note, so that its tags are read and changed like those of one.
  fileprivate static func ofSettings(_ bytes: [UInt8]) -> Note {
    let fence = Array("---\n".utf8)
    let end = bytes.isEmpty || bytes.last == UInt8(ascii: "\n") ? [] : Array("\n".utf8)
    return Note(path: Settings.boxFile, text: NoteText(fence + bytes + end + fence))
  }
}
