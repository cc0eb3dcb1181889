import ArgumentParser
import NoteIndex
import Notes
import Presentation
import SlipboxCore
import Text

/// The command `slip export`.
struct Export: SlipCommand {
  static let configuration = CommandConfiguration(
    commandName: "export",
    abstract: "Export notes: JSON, CSV, a web site, Markdown, taskwarrior, todo.txt, iCalendar.",
    discussion: """
      The arguments after the format are a query; all notes by default. Without -o, the result is written to \
      standard output; a site needs a folder.

        json, jsonl, csv   as slip list writes them, with the text; slip import
                           reads them
        html               a site of plain files in a folder: a page for each note
                           with its fields, links and backlinks, pages of tags and
                           kinds, the graph, recent changes, a feed of the newest
                           notes (Atom), a search that runs in the browser without
                           a server, and the files that notes link to
        markdown           one text: each note under its title, with its headings a
                           level deeper and its fields as a list. Links between the
                           notes become links inside of the text, labels of
                           footnotes are numbered, and paths of files start at the
                           root of the box
        taskwarrior        records of a kind that declares active:, for task import:
                           title, state, dates (due, wait, scheduled, until),
                           priority, tags, dependencies, recurrence, the record that
                           they belong to as project, the lines of the text as
                           annotations, other fields as attributes of their names
                           (UDA)
        todotxt            the same records as lines of todo.txt: title, state,
                           priority, dates, tags as contexts, the record that they
                           belong to as project, other fields as key:value. slip
                           import of the file changes nothing
        ical               notes with a date in the field due, or in that of --date:
                           records that can be done as to-dos, others as days. A
                           field such as due-time (17:30) sets the time of day of
                           the date and its alarm; the field reminder (30min,
                           1h30m, 1d, or a list) sets how long before, counted from
                           9:00 for a date without a time. scheduled is the
                           beginning, recur and until become a rule (RRULE)

      A site contains no information about notes that are not exported: links to them become plain text, and \
      references and backlinks are omitted. Notes with draft: true, private: true or publish: false are left \
      out; with the setting publish: required, so are all without publish: true. So are notes that a git \
      filter encrypts, unless they have publish: true. A filter that .gitattributes names counts even if it is \
      not configured here; lfs and annex don't count. Any value but a word for false keeps a note with draft \
      or private off the site, as an empty flag and a YAML merge key (<<) do. In git's conflict, the flag of one \
      side counts. A note that is not UTF-8 text is left out. In Logseq, public:: false counts. In a Hugo site, \
      so do publishDate in the future, expiryDate in the past, either of them with an unreadable date, headless: true, build: \
      {render: never}, and these flags in the cascade of an _index.md or of the configuration; the notes of a \
      leaf bundle are hidden with its index.md. Notes outside of the content (contentDir) and those that \
      ignoreFiles may match are left out, too. In a Jekyll site, so are notes in _drafts, posts of the future, posts \
      without a date in their name, folders with _ but collections with output: true, and the files that exclude and \
      defaults hide. A note that slip split or slip promote makes from a note without a page gets draft: true, in \
      Jekyll published: false. Drawings (.excalidraw.md) need publish: true. Comments (%% and HTML) and the metadata of \
      pictures (JPEG, PNG, WebP, GIF, AVIF, SVG) and MP4 films are removed; other files are copied as they are. \
      Not copied are files that git ignores or a git filter encrypts, Markdown files that are not \
      notes of the box, and views of notes (.canvas, .base, .excalidraw); links to them become plain text. \
      The page of a note shows the fields of its kind and those of the setting publish.fields. If description or \
      summary is one of them, it is the description of the page, also in feeds and previews. An embed of a \
      private note is an error (exit code 65) unless --skip is set.

      --check writes nothing and lists the words about notes and files that are not on the site: the note or \
      file, the note with the words, the line, the form (link, embed, mention, title or a field) and the words, \
      separated by tabs; exit code 65 if there are any. It also lists comments that nothing closes (comment), \
      permalinks that no page can have, and addresses of pages with a title that the note had only while it was \
      hidden (address), with a dash for the note.

      Pages keep their addresses: the path of a note, or its field permalink (about/) or slug. The earlier \
      paths of a note, from history, and its aliases redirect to its page. So do its earlier permalinks, as \
      long as it has a permalink, a slug or an alias. An alias that was the title or the path of the note only while it was hidden does not; earlier settings and \
      git attributes count. A shallow clone has no earlier paths and makes none of these redirects. The note with permalink: / is shown on \
      the front page, else README.md, index.md or _index.md at the root of the box. Search engines list the front \
      page in place of its own. With --url, feeds, a feed \
      for each tag, sitemap.xml, canonical links and pictures for messengers have absolute URLs. --template \
      takes a page of HTML with the placeholders {{head}}, {{header}}, {{content}}, {{title}}, {{site}} and \
      {{root}} (the relative path to the root, such as ../).

      Embedded notes, headings and blocks (![[note#heading]]) are shown in a paragraph of their own, up to \
      four levels deep; others are links. Math becomes MathML if Debian's packages libjs-katex and nodejs are \
      installed; otherwise it stays as it is written. --highlight colors code with Debian's package \
      python3-pygments. Notes can't run scripts: HTML is shown as text, but for simple tags such as <b> \
      and <br>, javascript: and similar links are removed, remote images become links, and linked HTML files are copied as text.

      The folder must be empty or contain an earlier export: changed files are written, files of earlier \
      exports that are no longer needed are removed, other files are not touched. A folder of the box is \
      refused unless git ignores it. A site without notes is refused (exit code 73).

      --commit commits the site to a branch of the box's repository, for hosts that publish a branch. The work \
      tree and the current branch stay as they are, and an unchanged site makes no commit. The branch must be \
      new or contain an earlier export, and no work tree may have it checked out. Push it with git push. Earlier \
      commits of the branch keep the pages of notes that were hidden later. With --as-of, notes that are hidden \
      today are on the site if they were public then; one line tells how many.

      --serve shows the site at 127.0.0.1 until Ctrl-C. The address has an access token. Pages change when the \
      box does, and the browser loads them again. Without -o, the pages are in a temporary folder.

      Examples:
        slip export json > notes.json
        slip export html 'NOT +inbox' -o ../site --title "My garden"
        slip export html --check
        slip export html --serve
        slip export html --commit gh-pages --url https://example.org/
        slip export html -o ../site --url https://example.org/
        slip export csv kind:issue -o issues.csv
        slip export markdown +food --sort title > food.md
        slip export taskwarrior kind:task is:active > tasks.json
        slip export ical --date due -o due.ics

      \(PastOptions.help)
      """)

  @Argument(
    help: ArgumentHelp(
      "\(Sentence.list(ExportFormat.allCases.map(\.rawValue), "or")).", valueName: "export-format"))
  var formatName: Word

  /// The format; validated before its first use.
  var format: ExportFormat { ExportFormat(name: formatName.text) ?? .json }

  @Argument(help: ArgumentHelp("The notes; all by default.", valueName: "query"))
  var query: [Word] = []

  @Option(
    name: .option(.output), parsing: .unconditional,
    help: ArgumentHelp("The file to write; for html the folder.", valueName: "path"))
  var output: Word?

  @Option(
    name: .option(.sort), parsing: .unconditional,
    help: ArgumentHelp(
      "Sort by fields; a dash means descending: -created,title.", valueName: "fields"))
  var sort: Word?

  @Flag(name: .option(.reverse), help: "Reverse the order.")
  var reverse = false

  @Option(
    name: .option(.limit), parsing: .unconditional,
    help: ArgumentHelp("The maximum number of notes.", valueName: "n"))
  var limit: Int?

  @Option(
    name: .option(.date), parsing: .unconditional,
    help: ArgumentHelp("The date field for ical; due by default.", valueName: "field"))
  var date: Word?

  @Flag(name: .option(.json), help: "Print a summary as JSON.")
  var json = false

  @OptionGroup var schema: SchemaOption

  @OptionGroup(title: "Options of a site (html)") var site: SiteOptions

  @OptionGroup var past: PastOptions
  @OptionGroup var global: GlobalOptions

  func validate() throws {
    guard ExportFormat(name: formatName.text) != nil else {
      let names = ExportFormat.allCases.map(\.rawValue)
      let near = Spelling.nearest(to: formatName.text, among: names).map { "; did you mean \($0)?" } ?? ""
      throw ValidationError(
        "\(formatName.text) is not an export format: \(Sentence.list(names, "or"))\(near)")
    }
    if format != .html, let option = site.first {
      throw ValidationError("\(option.typed) needs the format html: slip export html.")
    }
    if format != .ical, date != nil {
      throw ValidationError("\(OptionName.date.typed) needs the format ical: slip export ical.")
    }
    if format == .html {
      try validateSite()
    } else if json, output == nil {
      throw ValidationError(
        "\(OptionName.json.typed) prints a summary of a written file: add \(OptionName.output.short). "
          + "The notes as JSON are slip export json.")
    }
    if output?.text.isEmpty == true { throw ValidationError("\(OptionName.output.typed) takes a path.") }
    guard limit ?? 0 >= 0 else { throw ValidationError("\(OptionName.limit.typed) takes a number from 0.") }
  }

  private func validateSite() throws {
    if output == nil || output?.text == "-", !site.check, !site.serve, site.commit == nil {
      throw ValidationError("A site takes a folder: slip export html \(OptionName.output.short) FOLDER.")
    }
    if output != nil, site.commit != nil {
      throw ValidationError(
        "\(OptionName.commit.typed) and \(OptionName.output.short) can't be combined.")
    }
    let pastOption = past.asOf == nil ? nil : OptionName.asOf
    if site.serve, let option = pastOption ?? (json ? .json : nil) {
      throw ValidationError("\(OptionName.serve.typed) and \(option.typed) can't be combined.")
    }
  }

  /// The notes that the query selects.
  func notes(in snapshot: BoxSnapshot) throws -> (query: Query, notes: [Match]) {
    var query = try snapshot.query(query.texts)
    if let sort { query.sort = try SortKey.parse(sort.text) }
    if let limit { query.limit = limit }
    let found = try snapshot.matches(query)
    return (query, reverse ? found.reversed() : found)
  }

  func run(in session: Session) throws {
    let snapshot = try session.openBox(past)
    let (query, notes) = try notes(in: snapshot)
    session.warnOfUnreadableNotes(in: snapshot)
    let hints = QueryHints(query, in: snapshot)
    session.say(notes.isEmpty ? hints.emptyList(isQueried: !self.query.isEmpty) : hints.unknownNames())
    if let date { session.say(hints.unknownField(date.text)) }
    if format == .html {
      let export = try SiteExport(self, session, snapshot)
      if site.serve { return try SitePreview(export).run(notes) }
      try session.showingProgress { try export.run(notes) }
    } else {
      let output = ExportOutput(export: self, session: session, snapshot: snapshot, kind: query.kindName)
      try session.showingProgress { try output.write(notes) }
    }
  }
}

/// A form in which notes leave the box.
enum ExportFormat: String, CaseIterable {
  case json, jsonl, csv, html, markdown, taskwarrior, todotxt, ical

  /// Reads a name, also as other programs call the form.
  init?(name: String) {
    let others: [String: ExportFormat] = [
      "md": .markdown, "site": .html, "ics": .ical, "icalendar": .ical, "task": .taskwarrior,
      "ndjson": .jsonl, "todo.txt": .todotxt, "todo": .todotxt,
    ]
    let name = name.lowercased()
    guard let format = ExportFormat(rawValue: name) ?? others[name] else { return nil }
    self = format
  }

  /// A short description for completion.
  var summary: String {
    switch self {
    case .json: "one object, as slip list --json --with body"
    case .jsonl: "one object per line"
    case .csv: "comma-separated values"
    case .html: "a site of plain files, with a search and a feed"
    case .markdown: "one text with all notes"
    case .taskwarrior: "records with an end state, for task import"
    case .todotxt: "records with an end state, one per line"
    case .ical: "notes with a date, for a calendar"
    }
  }
}
