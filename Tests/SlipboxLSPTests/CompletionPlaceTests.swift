import Foundation
import Notes
import Testing

@testable import SlipboxLSP

struct CompletionPlaceTests {
  /// The place at the mark `¦` of a text, and the texts that it names.
  private static func place(_ text: String) -> (CompletionPlace?, [String]) {
    let bytes = Array(text.utf8)
    let mark = Array("¦".utf8)
    let cursor = bytes.indices.first { bytes[$0...].starts(with: mark) } ?? 0
    let note = NoteText(Array(bytes[..<cursor] + bytes[(cursor + mark.count)...]))
    let place = CompletionPlace(at: cursor, in: note)
    let text = { (range: Range<Int>) in String(decoding: note.bytes[range], as: UTF8.self) }
    switch place {
    case .wikiName(let range)?, .path(let range)?, .label(let range)?, .tag(let range)?, .field(let range)?:
      return (place, [text(range)])
    case .wikiHeading(let name, let range)?, .wikiBlock(let name, let range)?,
      .pathHeading(let name, let range)?:
      return (place, [text(name), text(range)])
    case .value(let field, let range)?: return (place, [field, text(range)])
    case nil: return (nil, [])
    }
  }

  private static func name(_ place: CompletionPlace?) -> String {
    switch place {
    case .wikiName?: "name"
    case .wikiHeading?: "heading"
    case .wikiBlock?: "block"
    case .path?: "path"
    case .pathHeading?: "pathHeading"
    case .label?: "label"
    case .tag?: "tag"
    case .field?: "field"
    case .value?: "value"
    case nil: "none"
    }
  }

  @Test(arguments: [
    ("see [[Fer¦", "name", ["Fer"]), ("see [[¦]]", "name", [""]), ("![[pi¦", "name", ["pi"]),
    ("[[a]] and [[Fer men¦]] x", "name", ["Fer men"]), ("[[a]] ¦", "none", []), ("[[a|lab¦", "none", []),
    ("[[Title#He¦", "heading", ["Title", "He"]), ("[[#He¦", "heading", ["", "He"]),
    ("[[Title#One#Tw¦", "heading", ["Title", "Tw"]), ("[[Title#^ab¦", "block", ["Title", "ab"]),
    ("[x](no¦", "path", ["no"]), ("[x](no.md#he¦", "pathHeading", ["no.md", "he"]), ("[x](a) b¦", "none", []),
    ("see [Deep no¦", "label", ["Deep no"]), ("[a](b) [ry¦]", "label", ["ry"]), ("[¦", "none", []),
    ("- [ry¦", "none", []), ("- a [ry¦", "label", ["ry"]), ("![ry¦", "none", []), ("[^1¦", "none", []),
    ("[x](Deep No¦", "path", ["Deep No"]), ("[x](a \"ti¦", "none", []),
    ("#ta¦", "tag", ["ta"]), ("a #work/cl¦", "tag", ["work/cl"]), ("# ¦", "none", []), ("#¦", "none", []),
    ("a#b¦", "none", []), ("(#b¦", "tag", ["b"]), ("plain wo¦", "none", []),
    ("---\nsta¦\n---\n", "field", ["sta"]), ("---\n¦\n---\n", "field", [""]),
    ("---\nstatus: op¦\n---\n", "value", ["status", "op"]),
    ("---\ntags: [a, b¦\n---\n", "value", ["tags", "b"]),
    ("---\ntags:\n  - a\n  - b¦\n---\n", "value", ["tags", "b"]),
    ("---\ntags:\n- b¦\n---\n", "value", ["tags", "b"]),
    ("---\nref: \"Al¦\n---\n", "value", ["ref", "Al"]), ("---\nrelated: \"[[Al¦\n---\n", "name", ["Al"]),
    ("---\r\nstatus: op¦\r\n---\r\n", "value", ["status", "op"]), ("---\na: b\n---\nbo¦", "none", []),
    ("---\n  deep¦\n---\n", "none", []),
  ])
  func thePlaceIsReadFromTheLine(text: String, name: String, texts: [String]) {
    let (place, found) = Self.place(text)
    #expect(Self.name(place) == name)
    #expect(found == texts)
  }

  @Test func everyPlaceOfHostileTextIsRead() {
    for text in ["[[[[#^^", "---\n: \n- \n---\n", "](((#", "\u{FEFF}---\na:\n---", "[[#", "---\n---", "#"] {
      let note = NoteText(Array(text.utf8))
      for offset in 0...note.bytes.count { _ = CompletionPlace(at: offset, in: note) }
    }
  }

  @Test(arguments: [
    ("[[Ce¦llar]] x", "llar", true, false), ("[[Ce¦llar|old]] x", "llar", true, true),
    ("[[Ce¦", "", false, false),
    ("[[Ce¦ and [[b]]", "", false, false), ("[[Ce¦]]", "", true, false), ("[[Ce¦#H]]", "", true, true),
    ("[[Ce¦ll\n]]", "", false, false),
  ])
  func theRestOfALinkIsKnown(text: String, rest: String, isClosed: Bool, isMarked: Bool) {
    let parts = text.components(separatedBy: "¦")
    let bytes = Array((parts[0] + parts[1]).utf8)
    let cursor = parts[0].utf8.count
    let found = LinkRest(of: bytes, at: cursor, closing: "]]", marks: "|#")
    #expect(String(decoding: bytes[cursor..<found.end], as: UTF8.self) == rest)
    #expect(found.isClosed == isClosed)
    #expect(found.isMarked == isMarked)
  }

  @Test(arguments: [
    ("see [[Ry¦", true), ("`see [[Ry¦`", false), ("```\n[[Ry¦\n```\n", false), ("    [[Ry¦", false),
    ("<!-- [[Ry¦ -->", false), ("<!--\n[x](Ry¦\n-->\n", false), ("%% [[Ry¦ %%", false),
    ("a %% b [[Ry¦", true),
    ("$$\n[[Ry¦\n$$\n", false), ("$a [[Ry¦ b$ c", false), ("costs $5 and [[Ry¦ for $6", true),
    ("$x$ and [[Ry¦", true), ("[x](Ry¦", true), ("`[x](Ry¦`", false), ("a #ta¦", true), ("`a #ta¦`", false),
    ("$a #ta¦ b$", false), ("- a\n\n  [[Ry¦", true), ("| Mon | [[Ry¦ |\n| --- | --- |\n", true),
    ("---\nref: \"[[Ry¦\n---\n", true), ("a `b` [[Ry¦", true), ("![[pi¦", true), ("[[Title#He¦", true),
  ])
  func completesOnlyWhereALinkIsRead(text: String, isRead: Bool) {
    let bytes = Array(text.utf8)
    let mark = Array("¦".utf8)
    let cursor = bytes.indices.first { bytes[$0...].starts(with: mark) } ?? 0
    let note = NoteText(Array(bytes[..<cursor] + bytes[(cursor + mark.count)...]))
    #expect(CompletionPlace(at: cursor, in: note)?.isRead(in: note, at: cursor) == isRead, "\(text)")
  }

  @Test(arguments: [
    ("| Mon | [[¦", true), ("Mon | Tue\n--- | ---\na | [[¦", true), ("> | a | [[¦", true), ("a | [[¦", false),
    ("| a |\n| - |\n\nb [[¦", false), ("see [[¦", false),
  ])
  func findsCellsOfTables(text: String, isInTable: Bool) {
    let bytes = Array(text.utf8)
    let mark = Array("¦".utf8)
    let cursor = bytes.indices.first { bytes[$0...].starts(with: mark) } ?? 0
    #expect(CompletionPlace.isInTable(cursor, NoteText(Array(bytes[..<cursor]))) == isInTable, "\(text)")
  }
}
