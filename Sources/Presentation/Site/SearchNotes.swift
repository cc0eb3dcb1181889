/// The notes as the search shows them: title, address, day, kind and tags; and the files with their words.
struct SearchNotes {
  let contents: SiteContents

  func bytes() -> [UInt8] {
    var (tags, kinds) = (NumberedNames(), NumberedNames())
    var writer = JSONWriter()
    writer.object { writer in
      writer.member("notes", of: contents.notes.indices) { number, writer in
        let note = contents.notes[number]
        writer.beginArray()
        writer.string(note.title)
        writer.string(SafeAddress.path(contents.map.pages[number]))
        writer.string(note.day)
        writer.integer(kinds.number(of: note.kind))
        writer.array(of: note.tags) { $1.integer(tags.number(of: $0)) }
        writer.endArray()
      }
      writer.key("tags")
      writer.strings(tags.names)
      writer.key("kinds")
      writer.strings(kinds.names)
      writer.key("words")
      writer.strings(contents.words.map(\.name))
    }
    return SiteScript.call("slipNotes", "notes", writer.takeBytes())
  }

  /// Names by the numbers in which they first came.
  private struct NumberedNames {
    private(set) var names: [String] = []
    private var numbers: [String: Int] = [:]

    mutating func number(of name: String) -> Int {
      if let number = numbers[name] { return number }
      numbers[name] = names.count
      names.append(name)
      return names.count - 1
    }
  }
}
