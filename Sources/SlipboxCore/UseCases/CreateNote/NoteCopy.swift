import Bytes
package import NoteIndex
package import Notes
import Platform

/// A note of which another one is made: its fields, tags and text, without what belongs to it alone.
package struct NoteCopy {
  /// The copied text, with its own title.
  package let text: NoteText
  /// The title to go by where none is given.
  package let title: String
  /// The kind of the note.
  package let kind: String
  /// The path of the note from which its links start.
  fileprivate let path: [UInt8]
}

extension BoxSnapshot {
  /// A copy of a note for a new one.
  ///
  /// Id, creation date and aliases stay behind, as do the values that a merge did not take. So do the fields of its kind
  /// that say how far a record has come: those that an action or a transition sets, and dates that begin as `today`.
  ///
  /// - Throws: `.badData` where the note's text or front-matter can't be read.
  package func copy(of entry: Entry) throws(SlipboxError) -> NoteCopy {
    let note = entry.note
    if let problem = note.text.unreadable {
      throw SlipboxError(
        .badData, "\(note.shownName): line \(problem.line), column \(problem.column): \(problem.message)")
    }
    let kind = schema().kindOrPlain(named: entry.kind)
    let left = kind.fieldsOfProgress + ["aliases", "alias", "identifier", ConflictEntry.fieldName]
    var text = note.text
    do throws(EditError) {
      if let problem = note.frontMatter.problems.first(where: { $0.severity == .error }) {
        throw .unreadable(problem)
      }
      for field in note.frontMatter.fields where left.contains(where: { $0.isSameName(as: field.name) }) {
        text = try text.clearing(field.name)
      }
    } catch {
      throw SlipboxError(error, note: note.shownName, shellName: note.shellName)
    }
    return NoteCopy(text: text, title: note.title, kind: entry.kind, path: note.path)
  }
}

extension Kind {
  /// The fields that say how far a record has come.
  fileprivate var fieldsOfProgress: [String] {
    var names = actions.flatMap { action in
      action.changes.compactMap { change -> String? in
        switch change {
        case .set(let field, _), .clear(let field), .add(_, let field), .remove(_, let field): field
        case .addTag, .removeTag: nil
        }
      }
    }
    for transition in transitions {
      names.append(transition.field)
      names += transition.effects.compactMap(\.field)
    }
    return names + fields.filter { $0.isTime && $0.defaultValue == "today" }.map(\.name)
  }
}

extension NoteCopy {
  /// The text with its relative links written from the folder of another path, where they lead to a file from the old one.
  ///
  /// Only the links of Markdown begin at the folder of their note; wiki links and paths from the root stand as they are.
  func links(in text: NoteText, at newPath: [UInt8], _ box: Box) -> NoteText {
    let (old, new) = (BytePath.folder(of: path), BytePath.folder(of: newPath))
    guard old != new else { return text }
    let moved = RelativeLinks(from: old, to: new)
    var bytes = text.bytes
    for link in BodyScan(text).links.reversed() {
      guard let target = moved.file(of: link), isFile(target, box),
        let change = moved.change(of: link, in: text.bytes)
      else { continue }
      bytes.replaceSubrange(change.range, with: change.target)
    }
    return NoteText(bytes)
  }

  /// Whether a path is that of a file of the box, or of a note without its ending.
  private func isFile(_ path: [UInt8], _ box: Box) -> Bool {
    [path, path + Array(".md".utf8)].contains { ((try? Files.status(box.absolutePath($0))) ?? nil) != nil }
  }
}

extension BoxSnapshot {
  /// A text of a note with its relative links as they are to be written at another path.
  func keepingRelativeLinks(of text: NoteText, from path: [UInt8], at newPath: [UInt8]) -> NoteText {
    NoteCopy(text: text, title: "", kind: "", path: path).links(in: text, at: newPath, box)
  }
}
