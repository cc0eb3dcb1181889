import NoteIndex
import Notes

/// The pages that list notes: all of them, those of a tag, those of a kind, and the tags.
struct ListPages {
  let site: Site
  let marks: NoteMarks

  private var contents: SiteContents { marks.contents }
  private var item: NoteItem { NoteItem(contents: contents, marks: marks) }

  /// A tag as a link, with its number of notes.
  static func writeTag(_ tag: TagPages.Tag, _ marks: NoteMarks, _ out: inout MarkupWriter) {
    LinkHTML.writeTag(tag.name, marks.address(ofTag: tag.name), &out)
    out.add(" <small>")
    out.add(number: tag.notes.count)
    out.add("</small>")
  }

  func writeAll(page: Int, _ out: inout MarkupWriter) {
    out.add("<h1>Notes</h1>\n")
    write(Array(contents.notes.indices), page: page, &out) { SiteNames.all(page: $0) }
  }

  func writeTags(_ out: inout MarkupWriter) {
    out.add("<h1>Tags</h1>\n<ul class=\"tags\">\n")
    for tag in site.tags.tags {
      out.add("<li>")
      Self.writeTag(tag, marks, &out)
      out.add("</li>\n")
    }
    out.add("</ul>\n")
  }

  func write(_ tag: TagPages.Tag, page: Int, _ out: inout MarkupWriter) {
    out.add("<h1 dir=\"auto\">#")
    out.text(tag.name)
    out.add("</h1>\n")
    let children = site.tags.children(of: tag)
    if let parent = TagPages.parent(of: tag) {
      out.add("<p class=\"tags\">in ")
      LinkHTML.writeTag(parent, marks.address(ofTag: parent), &out)
      out.add("</p>\n")
    }
    if !children.isEmpty {
      out.add("<p class=\"tags\">")
      for child in children {
        Self.writeTag(child, marks, &out)
        out.add(" ")
      }
      out.add("</p>\n")
    }
    write(tag.notes, page: page, &out) { SiteNames.tag(tag.name, page: $0) }
  }

  /// A kind's records by its row, or as a list where it declares none.
  func write(_ kind: KindPages.Kind, page: Int, _ out: inout MarkupWriter) {
    out.add("<h1 dir=\"auto\">")
    out.text(kind.name)
    out.add("</h1>\n")
    let declared = contents.schema.kind(named: kind.name)
    if let comment = declared?.comment {
      out.add("<p>")
      out.text(comment)
      out.add("</p>\n")
    }
    guard let declared, declared.name != "note", !declared.row.isEmpty else {
      return write(kind.notes, page: page, &out) { SiteNames.kind(kind.name, page: $0) }
    }
    let table = RecordsHTML(kind: declared, contents: contents, marks: marks)
    table.write(kind.notes[PagedList.rows(page, of: kind.notes.count)], &out)
    PagedList.write(
      page, of: kind.notes.count, from: marks.root, path: { SiteNames.kind(kind.name, page: $0) }, &out)
  }

  private func write(
    _ notes: [Int], page: Int, _ out: inout MarkupWriter, path: (Int) -> [UInt8]
  ) {
    out.add("<ul class=\"notes\">\n")
    for number in notes[PagedList.rows(page, of: notes.count)] { item.write(number, &out) }
    out.add("</ul>\n")
    PagedList.write(page, of: notes.count, from: marks.root, path: path, &out)
  }
}
