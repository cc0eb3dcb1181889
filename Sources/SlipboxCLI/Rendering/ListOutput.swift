import NoteIndex
import Notes
import Platform
import Rendering
import SlipboxCore
import Text

/// Writes a list of notes in the form that was asked for.
struct ListOutput {
  let options: ListOptions
  let session: Session
  let box: Slipbox
  /// Whether scores and snippets belong to it.
  let isSearch: Bool
  /// How many rows can be seen; nil: all. What is one whole, such as JSON, is never cut.
  var most: Int?

  /// Writes a list, and returns how many of its notes were left out.
  @discardableResult
  func write(_ matches: [Match], kind: String? = nil) throws -> Int {
    let ordered = options.reverse ? matches.reversed() : matches
    let isWhole = options.count || options.json || options.csv
    let matches = isWhole ? ordered : Array(ordered.prefix(most ?? .max))
    if options.count {
      Console.write("\(matches.count)\n")
    } else if options.json || options.jsonl {
      try writeJSON(matches)
    } else if options.csv {
      try writeCSV(matches)
    } else if options.paths {
      for match in matches { writePath(match) }
    } else if let template = options.format {
      try writeLines(matches, template.text)
    } else if Console.outputIsTerminal {
      try writeTable(matches, kind: kind.flatMap { box.schema().kind(named: $0) })
    } else {
      try writeRows(matches)
    }
    try Console.flush()
    return ordered.count - matches.count
  }

  private var end: String { options.nulSeparated ? "\0" : "\n" }

  private func writeJSON(_ matches: [Match]) throws(SlipboxError) {
    let shape = try NoteJSON(box, includesBody: options.withBody, links: try links(of: matches))
    let times = try box.noteTimes().modified(of: matches)
    let (isSearch, isWhole) = (isSearch, options.json)
    if isWhole { Console.write("{\"schema\":\(NoteJSON.schema),\"notes\":[") }
    writeInParts(matches) { range in
      var writer = JSONWriter()
      for place in range {
        let match = matches[place]
        shape.write(match.entry, modified: times[place], found: isSearch ? match : nil, to: &writer)
        if !isWhole { writer.newLine() }
      }
      let bytes = writer.takeBytes()
      return isWhole && range.lowerBound > 0 ? [UInt8(ascii: ",")] + bytes : bytes
    }
    if isWhole { Console.write("]}\n") }
  }

  private func writeCSV(_ matches: [Match]) throws(SlipboxError) {
    var names = NoteColumns.standard
    var seen = Set(names)
    for match in matches {
      for field in NoteJSON.otherFields(of: match.entry.note) where seen.insert(field.name).inserted {
        names.append(field.name)
      }
    }
    let (withBody, links) = (options.withBody, try links(of: matches))
    if withBody, seen.insert("body").inserted { names.append("body") }
    for part in links?.parts ?? [] where seen.insert(part.rawValue).inserted { names.append(part.rawValue) }
    writeCSVRow(names)
    for (match, modified) in zip(matches, try box.noteTimes().modified(of: matches)) {
      let (entry, columns) = (match.entry, NoteColumns(modified: modified))
      writeCSVRow(
        names.map { name in
          if name == "body" && withBody { return Self.body(of: entry.note) }
          if let links, let part = links.parts.first(where: { $0.rawValue == name }) {
            return links.names(part, of: entry.note)
          }
          return columns.value(name, of: entry)
        })
    }
  }

  /// The links that are asked for.
  private func links(of matches: [Match]) throws(SlipboxError) -> NoteLinks? {
    let parts = options.linkParts
    return parts.isEmpty ? nil : try NoteLinks(of: matches, parts, in: box)
  }

  private static func body(of note: Note) -> String {
    String(decoding: note.text.bytes[note.text.body], as: UTF8.self)
  }

  private func writeCSVRow(_ cells: [String]) {
    let row = CSVWriter.row(cells)
    if Console.outputIsTerminal {
      Console.write(Visible.escape(row, keepingLines: true))
    } else {
      Console.write(row)
    }
  }

  private func writePath(_ match: Match) {
    let path = match.entries.path(at: match.place)
    if Console.outputIsTerminal {
      Console.write(Visible.escape(path))
    } else {
      Console.write(path)
    }
    Console.write(end)
  }

  private func writeLines(_ matches: [Match], _ template: String) throws(SlipboxError) {
    let times = template.contains("{modified}") ? try box.noteTimes().modified(of: matches) : []
    let (end, isTerminal) = (end, Console.outputIsTerminal)
    writeInParts(matches) { range in
      var text = ""
      for place in range {
        let columns = NoteColumns(modified: times.isEmpty ? nil : times[place])
        text += columns.line(template, of: matches[place].entry, isTerminal: isTerminal) + end
      }
      return Array(text.utf8)
    }
  }

  private func writeRows(_ matches: [Match]) throws(SlipboxError) {
    let columns = NoteColumns(modified: nil)
    let (end, isSearch) = (end, isSearch)
    writeInParts(matches) { range in
      var text = ""
      for match in matches[range] {
        let entry = match.entry
        text += columns.row(entry) + end
        guard isSearch else { continue }
        let name = columns.value("name", of: entry)
        for snippet in match.snippets {
          text += "\(name)\t\(snippet.line)\t\(Visible.escape(snippet.text))\(end)"
        }
      }
      return Array(text.utf8)
    }
  }

  private func writeTable(_ matches: [Match], kind: Kind?) throws {
    box.rememberList(matches.map(\.entry))
    let rows = NoteRows(
      style: session.style, width: session.width, catalogue: try box.catalogue(), schema: box.schema())
    let lines = isSearch ? rows.found(matches) : rows.listed(matches.map(\.entry), as: kind)
    try Pager.show(lines, session)
  }
}

extension ListOutput {
  /// The notes of one part, and the parts that may wait to be written.
  private static let partLength = 128
  private static let mostWaiting = 32

  /// Writes a list part by part, as they are made on all processors; only a few are in memory at a time.
  private func writeInParts(_ matches: [Match], _ make: @escaping @Sendable (Range<Int>) -> [UInt8]) {
    let starts = stride(from: 0, to: matches.count, by: Self.partLength)
    let parts = starts.map { $0..<min($0 + Self.partLength, matches.count) }
    concurrentStream(parts, ahead: Self.mostWaiting, make) { Console.write($0) }
  }
}
