import NoteIndex
import Notes
import Platform
import SlipboxTesting
import Platform

@testable import SlipboxCore
import Text

/// All that a box answers, as lines, so that two answers can be held against each other.
struct FreshnessAnswers {
  /// What people ask of a box; those with words are searches.
  static let queries = [
    [], ["+greek"], ["kind:fruit"], ["NOT has:id"], ["colour:red", "sort:title"],
    ["sort:modified", "limit:5"],
    ["modified:today"], ["status:open"], ["path:sub/*"],
  ]
  static let searches = [["alpha"], ["body", "+greek"], ["w3*"]]

  /// The lines under the names of the answers.
  let lines: [(name: String, lines: [String])]

  /// Asks a box that is opened for it, as a command does.
  ///
  /// - Parameter query: the place of one of the queries, and `search` of one of the searches.
  init(of root: [UInt8], _ surroundings: CommandContext, query: Int, search: Int) throws {
    let box = try BoxInTest(at: root, surroundings)
    let catalogue = try box.now.catalogue()
    let entries = Array(catalogue.entries)
    let snapshot = try box.now
    var lines = [
      (name: "entries", lines: try entries.map(Self.line)),
      (
        name: "modified",
        lines: entries.map { Self.path($0.note) + " " + Self.text(snapshot.modified($0)) }
      ),
      (
        name: "unreadable",
        lines: try box.now.unreadableNotes().map { Self.text($0.path) + ": " + $0.reason.description }
      ),
      (name: "ids", lines: entries.compactMap(\.note.id).map { "\($0) \(catalogue.shortestPrefix(of: $0))" }),
    ]
    let list = Self.queries[query]
    let found = try box.now.matches(try box.now.query(list)).map { Self.path($0.entry.note) }
    lines.append((name: "list \(list)", lines: found))
    let words = Self.searches[search]
    let ranked = try box.now.search(try box.now.query(words)).map { match -> String in
      let snippets = match.snippets.map(\.text).joined(separator: " / ")
      return "\(Self.path(match.entry.note)) \(match.score) \(snippets)"
    }
    lines.append((name: "search \(words)", lines: ranked))
    self.lines = lines
  }

  /// What differs from other answers, a line each; nothing where both are the same.
  func differences(from other: FreshnessAnswers) -> [String] {
    var differences: [String] = []
    for (own, others) in zip(lines, other.lines) where own.lines != others.lines {
      let (first, second) = (Set(own.lines), Set(others.lines))
      differences += own.lines.filter { !second.contains($0) }.map { "\(own.name): only kept: \($0)" }
      differences += others.lines.filter { !first.contains($0) }.map { "\(own.name): only anew: \($0)" }
      if first == second {
        differences.append("\(own.name): another order: \(own.lines) and \(others.lines)")
      }
    }
    return differences
  }

  private static func line(_ entry: Entry) throws -> String {
    let note = entry.note
    let bytes = try note.text.bytes
    let fields = note.frontMatter.fields.map { "\($0.name)=\($0.value)" }
    return [
      path(note), note.id?.description ?? "-", note.title, entry.kind, text(entry.created),
      "\(note.tags)", "\(note.aliases)", "\(fields)", "\(bytes.count)",
      String(decoding: bytes.prefix(1_000), as: UTF8.self),
    ].joined(separator: "|")
  }

  private static func path(_ note: Note) -> String { text(note.path) }

  private static func text(_ time: Timestamp) -> String { "\(time.seconds) \(time.offsetSeconds)" }

  private static func text(_ path: [UInt8]) -> String { String(decoding: path, as: UTF8.self) }
}

extension FreshnessAnswers {
  /// The notes of a box, each read from its file: those that git tracks or does not ignore.
  private static func plainNotes(of box: BoxInTest) throws -> [Note] {
    let folder = String(decoding: box.root, as: UTF8.self)
    let listed = try run(
      "git", ["ls-files", "-z", "--cached", "--others", "--exclude-standard", "--deduplicate"], in: folder
    ).output
    let names = Set(listed.split(separator: "\0").map(String.init))
    let walk = DirectoryWalk.files(under: box.root, include: { FileName.isNote(Array($0)) })
    var paths = walk.files.map(\.path).filter { names.contains(String(decoding: $0, as: UTF8.self)) }
    // A file that is ignored stays so by whatever name a link gives to it.
    var known = Set(walk.files.map(\.path))
    for link in walk.links {
      if let target = box.box.target(of: link.path), known.insert(target.path).inserted {
        paths.append(target.path)
      }
    }
    let readable = paths.compactMap { path in
      (try? box.box.folder.read(path, limit: NoteReader.sizeLimit)).map { (path, $0.bytes) }
    }
    return readable.map { Note(path: $0, text: NoteText($1)) }
  }

  /// What differs from the files, read by the plainest of code: whatever the catalogue shares with another made by
  /// itself, it does not share with this.
  static func differences(of root: [UInt8], _ surroundings: CommandContext) throws -> [String] {
    let box = try BoxInTest(at: root, surroundings)
    let plain = try plainNotes(of: box)
    let found = try box.now.catalogue().entries.map {
      (path($0.note), $0.note.title, try $0.note.text.bytes)
    }
    let wanted = plain.map { (path($0), $0.title, $0.head.bytes) }
    let kept = Dictionary(found.map { ($0.0, $0) }, uniquingKeysWith: { first, _ in first })
    var differences: [String] = []
    if found.count != wanted.count { differences.append("\(found.count) notes, \(wanted.count) files") }
    for file in wanted {
      guard let note = kept[file.0] else {
        differences.append("plainly read: \(file.0) is missing")
        continue
      }
      if note.1 != file.1 || note.2 != file.2 {
        differences.append("plainly read: \(file.0): \(note) \(file)")
      }
    }
    return differences
  }
}
