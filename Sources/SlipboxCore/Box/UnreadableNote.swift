import Bytes
package import Git
package import Notes
package import Text

/// A file with the name of a note that could not be read.
package struct UnreadableNote: Sendable {
  package enum Cause: Sendable, Equatable {
    /// The reason of the system or of git.
    case failure(String)
    /// The size is over the limit of notes, in words.
    case tooLarge(String)
    /// The file has the stored form of a filter in place of the text.
    case stored(StoredForm)
  }

  package let path: [UInt8]
  package let cause: Cause

  package var reason: Phrase {
    switch cause {
    case .failure(let reason): Phrase(reason)
    case .tooLarge(let reason): Phrase(reason)
    case .stored(.gitCrypt): "encrypted by git-crypt"
    case .stored(.age): "encrypted by age"
    case .stored(.lfsPointer): "a pointer of Git LFS"
    case .stored(.unknown(let filter)): "not converted by the git filter \(filter)"
    }
  }

  /// The remedy for the user.
  package var remedy: Phrase {
    switch cause {
    case .failure: "check its permissions"
    case .tooLarge: "split or rename it; git add and git commit can commit it"
    case .stored(.gitCrypt): "decrypt it with: git-crypt unlock KEY"
    case .stored(.age): "configure the filter that decrypts it, then check the file out again"
    case .stored(.lfsPointer): "fetch it with: git lfs install && git lfs pull"
    case .stored(.unknown(let filter)):
      "set filter.\(filter).smudge with git config, then check the file out again"
    }
  }

  /// Whether the note is readable with the key of git-crypt.
  package var needsKey: Bool { cause == .stored(.gitCrypt) }

  /// Whether the note is readable with its filter.
  package var isStoredForm: Bool { if case .stored = cause { true } else { false } }
}

extension NoteText {
  /// Refuses a text that no note can have.
  ///
  /// - Throws: `.badData` with the place of the first byte that is not UTF-8, or NUL.
  static func refuseUnreadable(_ text: [UInt8]) throws(SlipboxError) {
    guard let problem = NoteText(text).unreadable else { return }
    throw SlipboxError(
      .badData, "the new text: line \(problem.line), column \(problem.column): \(problem.message)",
      hints: ["nothing was written; notes must be UTF-8: iconv -f latin1 -t utf8 converts a file"])
  }

  /// Returns the text if it may be changed: bytes that are not text are never changed.
  /// - Throws: `.badData` with the place of the first byte that is not UTF-8, or NUL.
  func readable(as note: Note) throws(SlipboxError) -> NoteText {
    guard let problem = unreadable else { return self }
    throw SlipboxError(
      .badData, "\(note.mention): line \(problem.line), column \(problem.column): \(problem.message)",
      hints: ["nothing was changed; \(slip: "edit", .note(note)) opens the file"])
  }
}

extension Note {
  /// The name of the note in messages: its id, otherwise its path, safe for a terminal.
  package var shownName: Phrase {
    if path.isEmpty { return "the new note" }
    return id.map { "\($0)" } ?? Phrase(path)
  }

  /// The note in a message: its title with its id or path in brackets, safe for a terminal; the path alone if it is the
  /// title.
  package var mention: Phrase {
    let name = shownName
    let stem = BytePath.name(of: path).split(separator: UInt8(ascii: ".")).first.map(Array.init) ?? []
    guard !path.isEmpty, id != nil || !title.utf8.elementsEqual(stem) else { return name }
    let shown = title.count > Self.mostOfTitle ? title.prefix(Self.mostOfTitle - 3) + "..." : title[...]
    return "\(shown) (\(name))"
  }

  /// The maximum number of letters of a title in a message.
  private static let mostOfTitle = 40

  /// The name of the note for programs: its id, otherwise its path unchanged.
  package var name: [UInt8] { id.map { Array($0.description.utf8) } ?? path }

  /// The name of the note as it is typed in a shell: its id, otherwise its path, quoted if that is necessary.
  package var shellName: String { Phrase(typed: name).description }
}

extension Phrase.Argument {
  /// Returns an argument for a note: its id, otherwise its path.
  static func note(_ note: Note) -> Phrase.Argument { .value(note.name) }
}
