import SlipboxTesting
import Testing

@testable import Notes

/// Templates filled: the places, their errors, and values that would be YAML or placeholders themselves.
@Suite struct TemplateTests {
  static let now = Timestamp(seconds: 1_795_249_800, offsetSeconds: 3_600)

  static func values(
    _ title: String = "Bread", selection: String = "", note: String? = nil
  ) throws -> TemplateValues {
    let note = note.map { Note(path: [], text: NoteText(Array($0.utf8))) }
    return TemplateValues(
      title: title, id: NoteID("kqzmvtrp"), day: now.civilDate, now: now,
      selection: Array(selection.utf8), note: note)
  }

  private static func body(_ text: String, _ values: TemplateValues) throws -> String {
    String(decoding: try NoteTemplate(Array(text.utf8)).body(values), as: UTF8.self)
  }

  private static func foreign(_ text: String) throws -> (text: String, lines: [Int]) {
    let template = try NoteTemplate(foreign: Array(text.utf8))
    let values = try values()
    let head = try template.head(values)
    let whole = head.replacingBody(template.body(values)).bytes
    return (String(decoding: whole, as: UTF8.self), template.commandLines)
  }

  @Test(arguments: [
    ("<% tp.file.title %>", "Bread"), ("<%tp.file.title%>!", "Bread!"), ("<% tp.date.now() %>", "2026-11-21"),
    ("<% tp.date.now(\"YYYY/MM\") %>", "2026/11"), ("<% tp.date.now('YYYY-MM-DD', 7) %>", "2026-11-28"),
    ("<% tp.date.now(\"YYYY-MM-DD\", -1, tp.file.title, \"YYYY-MM-DD\") %>", "2026-11-20"),
    ("<% tp.date.tomorrow(\"DD\") %> <% tp.date.yesterday(\"DD\") %>", "22 20"),
    ("<% tp.file.creation_date() %>", "2026-11-21 09:30"), ("a<% tp.file.cursor(1) %>b", "ab"),
    ("a<%- tp.file.title -%>\nb", "aBreadb"), ("a <%_ tp.file.title _%>\n\n b", "a Breadb"),
  ]) func `fills commands of Templater`(text: String, filled: String) throws {
    let made = try Self.foreign(text)
    #expect(made.text == filled && made.lines.isEmpty)
  }

  @Test func `keeps other commands of Templater`() throws {
    let text =
      "---\ntitle: <% tp.file.title %>\nmood: <% await tp.system.prompt(\"Now: how?\") %>\n---\n<%* x() %>\n"
    let made = try Self.foreign(text)
    #expect(
      made.text == "---\ntitle: Bread\nmood: '<% await tp.system.prompt(\"Now: how?\") %>'\n---\n<%* x() %>\n"
    )
    #expect(made.lines == [3, 5])
    let block = "---\n<%*\nlet x = { y: [\n%>\n---\ntext {{title}}\n"
    let whole = try Self.foreign(block)
    #expect(whole.text.hasSuffix("---\n<%*\nlet x = { y: [\n%>\n---\ntext Bread\n"))
    #expect(whole.lines == [2])
    #expect(try Self.foreign("a <% b").text == "a <% b")
  }

  private static func head(_ text: String, _ values: TemplateValues) throws -> String {
    String(decoding: try NoteTemplate(Array(text.utf8)).head(values).bytes, as: UTF8.self)
  }

  @Test(arguments: [
    ("{{title}}", "Bread"), ("{{ title }}", "Bread"), ("a{{id}}b", "akqzmvtrpb"),
    ("{{date}}", "2026-11-21"), ("{{date +1d}}", "2026-11-22"), ("{{date -2w}}", "2026-11-07"),
    ("{{date +1m:MMM YYYY}}", "Dec 2026"), ("{{date -1y:YY}}", "25"), ("{{time}}", "09:30"),
    ("{{date:HH:mm:ss}}", "09:30:00"), ("{{date:dddd, D MMMM}}", "Saturday, 21 November"),
    ("{{date:ddd DD.MM.YYYY}}", "Sat 21.11.2026"), ("{{date:GGGG-[W]WW}}", "2026-W47"),
    ("{{date:dddd, MMMM Do YYYY}}", "Saturday, November 21st 2026"),
    ("{{date:gggg-[Week]-ww}}", "2026-Week-47"), ("{{date:[Q]Q Qo W Wo w wo}}", "Q4 4th 47 47th 47 47th"),
    ("{{date:d do dd e E}}", "6 6th Sa 6 6"), ("{{date:DDD DDDo DDDD Mo}}", "325 325th 325 11th"),
    ("{{date:h:mm a, hhA H m s ZZ}}", "9:30 am, 09AM 9 30 0 +0100"),
    ("{{date +1d:Do gggg w WW}}", "22nd 2026 48 47"), ("{{date -18d:Do}}", "3rd"),
    ("{{date -8d:Do}}", "13th"),
    ("{{date +36d:gggg ww GGGG WW}}", "2027 01 2026 52"),
    ("{{date:M/D}}", "11/21"), ("{{date:YYYY-MM-DD[T]HH:mm:ssZ}}", "2026-11-21T09:30:00+01:00"),
    ("\\{{title}}", "{{title}}"), ("\\\\{{title}}", "\\{{title}}"), ("{ {title} }", "{ {title} }"),
    ("{{selection}}", "one\ntwo"), ("> {{selection}} <", "> one\ntwo <"),
    ("{{field:author}}", "Ada"), ("{{field:Author}}", "Ada"), ("{{field:tags}}", "a, b"),
    ("{{field:none}}.", "."), ("{{field: author }}", "Ada"), ("{{title}}{{title}}", "BreadBread"),
    ("}} {", "}} {"), ("é{{title}}界", "éBread界"), ("{{title}}\r\nx\r\n", "Bread\r\nx\r\n"),
  ])
  func fills(_ template: String, _ filled: String) throws {
    let note = "---\nauthor: Ada\ntags: [a, b]\n---\n"
    #expect(try Self.body(template, try Self.values(selection: "one\ntwo\n", note: note)) == filled)
  }

  @Test(arguments: [
    ("x\n{{foo}}\n", 2, "unknown placeholder {{foo}}"), ("{{}}", 1, "unknown placeholder {{}}"),
    ("a\n\n {{title", 3, "{{ without }} on its line"), ("{{title\n}}", 1, "{{ without }} on its line"),
    ("{{title}} {{", 1, "{{ without }} on its line"), ("{{title:x}}", 1, "unknown placeholder {{title:x}}"),
    ("{{field:}}", 1, "{{field:}} matches no field"), ("{{field}}", 1, "unknown placeholder {{field}}"),
    ("{{date:}}", 1, "the date format is empty"), ("{{date:QQ}}", 1, "QQ is not a date format"),
    ("{{date:YYY}}", 1, "YYY is not a date format"), ("{{date:[x}}", 1, "[ without ] in the format [x"),
    ("{{date 1d}}", 1, "1d in {{date 1d}} is not an offset such as +1d or -2w"),
    ("{{date tomorrow}}", 1, "tomorrow in {{date tomorrow}} is not an offset"),
    ("{{{title}}}", 1, "unknown placeholder {{{title}}"),
    ("---\na: 1\nb: {{foo}}\n---\n", 3, "unknown placeholder {{foo}}"),
    ("---\na: \"{{title\"\n---\n", 2, "{{ without }} on its line"),
    ("---\n{{title}}: 1\n---\n", 2, "a placeholder can't be used in a field's name"),
    ("---\na:\n  b: {{title}}\n---\n", 2, "a: a placeholder can't be used in a map"),
    ("---\na: [x, [{{title}}]]\n---\n", 2, "a: a placeholder can't be used in a map, or in a list inside"),
    ("---\na: [{{title}}, {b: c}]\n---\n", 2, "a: a placeholder can't be used in a list that holds maps"),
    ("---\na: [\n---\n", 3, "did not find expected"),
    ("---\na: 1\n", 1, "front matter begins here without a closing line of dashes"),
    ("+++\na = 1\n+++\n", 2, "TOML front matter is read-only"), ("---\na: 1\na: {{title}}\n---\n", 3, ""),
    ("a\nb \u{0}", 2, "a NUL byte"),
  ])
  func refuses(_ template: String, _ line: Int, _ message: String) {
    let problem = #expect(throws: Problem.self) { try NoteTemplate(Array(template.utf8)) }
    #expect(problem?.line == line && problem?.message.contains(message) ?? false, "\(problem as Any)")
  }

  @Test func whatIsNotTextIsRefused() {
    let problem = #expect(throws: Problem.self) { try NoteTemplate(Array("a\n".utf8) + [0xFF]) }
    #expect(problem?.line == 2)
  }

  /// Comments, order and quotes stay; braces need no quotes; an escape and a comment are no placeholders.
  @Test func frontMatterKeepsItsSpelling() throws {
    let template = """
      ---
      # for {{title}} and {{unknown}}
      title: {{title}} # {{date}}
      quoted: '{{title}}, {{date}}'
      near: x{{title}}-{{date}}
      tags: [meeting, {{date:YYYY}}]
      list:
        - {{title}} # why
        - "{{field:none}}"
      gone: {{field:none}}
      braces: \\{{x}}
      plain:   two  blanks
      ---
      text {{title}}

      """
    let head = try Self.head(template, try Self.values())
    #expect(
      head == """
        ---
        # for {{title}} and {{unknown}}
        title: Bread # {{date}}
        quoted: 'Bread, 2026-11-21'
        near: xBread-2026-11-21
        tags: [meeting, 2026]
        list:
          - Bread # why
        braces: "{{x}}"
        plain:   two  blanks
        ---
        text {{title}}

        """)
  }

  @Test func lineEndsAndMarksStay() throws {
    let template = "\u{FEFF}---\r\ntitle: {{title}}\r\n---\r\ntext"
    #expect(try Self.head(template, try Self.values()) == "\u{FEFF}---\r\ntitle: Bread\r\n---\r\ntext")
  }

  @Test func saysWhatItAsksFor() throws {
    #expect(try NoteTemplate(Array("{{selection}}".utf8)).holdsSelection)
    #expect(try NoteTemplate(Array("---\na: {{selection}}\n---\n".utf8)).holdsSelection)
    #expect(try !NoteTemplate(Array("---\n# {{selection}}\n---\n".utf8)).holdsSelection)
    #expect(try NoteTemplate(Array("---\na: {{field:b}}\n---\n".utf8)).asksFields)
    #expect(try NoteTemplate(Array("---\nkind: task\n---\n".utf8)).kind == "task")
    #expect(try NoteTemplate(Array("---\nkind: {{field:x}}\n---\n".utf8)).kind == nil)
  }

  /// What is put in is one value and nothing else, whatever it looks like.
  @Test(arguments: [
    "{{date}}", "a: b", "# no comment", "x # y", "---", "...", "line\n---\nid: z", "\"", "'", "\\", "- a",
    "[a", "{a}",
    "no", "null", "~", "012", "*a", "&a", "!t", "%d", "|", ">", "@x", "`", " led", "trailed ", "a\tb", "\r\n",
    "?", ":",
    "placeholdern0e", "placeholder", "é\u{301}界🎈", "\u{FEFF}", "\u{85}\u{2028}", "\u{7F}", "a\n\nb\n",
  ])
  func hostileValuesAreValues(_ value: String) throws {
    let forms = [
      "a: {{title}}", "a: \"{{title}}\"", "a: '{{title}}'", "a: |\n  {{title}}", "a: >-\n  {{title}}",
      "a: [{{title}}]", "a:\n- {{title}}", "a: {{title}} # remark",
    ]
    for form in forms {
      let template = "---\nfirst: 1 # one\n\(form)\nlast: 'x'\n---\nbody\n"
      let text = NoteText(Array(try Self.head(template, try Self.values(value)).utf8))
      let read = FrontMatter(text)
      #expect(read.problems.isEmpty, "\(form)")
      let isBlock = form.contains("|\n")
      let wanted = isBlock ? value + "\n" : value
      #expect(read["a"]?.strings == [wanted], "\(form): \(text.string)")
      #expect(read["first"] == .text("1") && read["last"] == .text("x"))
      #expect(text.string.contains("first: 1 # one\n") && text.string.hasSuffix("last: 'x'\n---\nbody\n"))
    }
  }

  /// Random front-matter with places in random values: the others stay byte for byte.
  @Test func everythingElseStaysByteForByte() throws {
    var generator = FrontMatterGenerator(seed: 29)
    for _ in 0..<400 {
      let text = generator.note()
      let title = generator.text()
      guard text.frontMatter != nil, !text.string.contains("{{") else { continue }
      guard let asking = try? text.setting("asks", to: .text("PLACE")) else { continue }
      let template = Array(asking.string.replacingOccurrences("PLACE", by: "{{title}}").utf8)
      guard let made = try? NoteTemplate(template) else { continue }
      let filled = try made.head(try Self.values(title))
      #expect(FrontMatter(filled)["asks"]?.text ?? "" == title)
      let back = title.isEmpty ? filled : try filled.clearing("asks")
      #expect(try back == asking.clearing("asks"), "\(asking.string)")
    }
  }

  @Test func weeksAreThoseOfTheStandard() throws {
    for (day, year, number) in [
      ("2026-01-01", 2026, 1), ("2027-01-03", 2026, 53), ("2024-12-30", 2025, 1), ("2021-01-03", 2020, 53),
      ("2016-01-03", 2015, 53), ("2026-12-31", 2026, 53), ("2025-12-29", 2026, 1),
    ] {
      let week = try #require(CivilDate(day)).isoWeek
      #expect(week.year == year && week.number == number, "\(day)")
    }
  }

  /// These ids are in boxes: they may never change.
  @Test func computedIDsStay() {
    #expect(NoteID.computed(from: "daily 2026-11-21").description == "djgnvcwn")
    #expect(NoteID.computed(from: "inbox Inbox").description == "xgmwxtwm")
    let days = (0..<20_000).map { NoteID.computed(from: "daily \(CivilDate(dayNumber: $0))") }
    #expect(Set(days).count == days.count)
  }
}

extension String {
  fileprivate func replacingOccurrences(_ word: String, by other: String) -> String {
    split(separator: word, omittingEmptySubsequences: false).joined(separator: other)
  }
}
