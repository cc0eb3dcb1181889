/// A note as an item of a list: day, title, kind and tags.
struct NoteItem {
  let contents: SiteContents
  let marks: NoteMarks

  func write(_ number: Int, _ out: inout MarkupWriter) {
    let note = contents.notes[number]
    out.add(note.isOpen ? "<li>" : "<li class=\"done\">")
    out.add("<time>")
    out.text(note.day)
    out.add("</time> ")
    writeLink(number, &out)
    if note.kind != "note" {
      out.add(" <span class=\"kind\">")
      out.text(note.kind)
      out.add("</span>")
    }
    for tag in note.tags {
      out.add(" ")
      LinkHTML.writeTag(tag, marks.address(ofTag: tag), &out)
    }
    out.add("</li>\n")
  }

  /// The title of a note as a link to its page.
  func writeLink(_ number: Int, _ out: inout MarkupWriter) {
    out.add("<a dir=\"auto\"")
    out.attribute("href", marks.address(of: number))
    out.add(">")
    out.text(contents.notes[number].title)
    out.add("</a>")
  }
}
