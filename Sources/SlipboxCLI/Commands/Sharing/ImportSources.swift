import Bytes
import Foreign
import Notes
import Platform
import Presentation
import SlipboxCore
import Text

/// The sources that the words of `slip import` name, and the CHANGEs behind them.
struct ImportSources {
  private let sources: [Word]
  private let changes: [Change]
  private let typedChanges: [String]
  private let format: ForeignFormat?
  private let columns: ColumnNames
  private let hasColumns: Bool
  private let session: Session

  /// - Throws: `.usage` for words that are neither, and for a format that there is none of.
  init(_ words: [Word], _ format: Word?, _ maps: [Word], _ session: Session) throws(SlipboxError) {
    var fields: [(column: String, field: String)] = []
    for map in maps {
      guard let mark = map.text.lastIndex(of: "="), mark > map.text.startIndex,
        map.text.index(after: mark) < map.text.endIndex
      else {
        throw SlipboxError(
          .usage, "\(OptionName.map.typed) takes COLUMN=FIELD, not \(Visible.escape(map.text))",
          hints: ["such as \(OptionName.map.typed) Name=title"])
      }
      fields.append((String(map.text[..<mark]), String(map.text[map.text.index(after: mark)...])))
    }
    columns = ColumnNames(fields)
    hasColumns = !fields.isEmpty
    let split = words.firstIndex { Change($0.text) != nil && !Self.isThere($0, session) } ?? words.count
    sources = Array(words[..<split])
    typedChanges = words[split...].map(\.text)
    changes = try Changes.parse(typedChanges)
    self.session = session
    self.format = try format.map { (word) throws(SlipboxError) in
      if let format = ForeignFormat(name: word.text) { return format }
      throw SlipboxError(.usage, "there is no format \(Visible.escape(word.text))", hints: [Self.formats])
    }
    guard !sources.isEmpty else {
      throw SlipboxError(
        .usage, "the source is missing", hints: ["slip import FILE, FOLDER or -, then CHANGEs"])
    }
  }

  /// The request with all that the sources hold.
  func request(adding options: (inout ImportRequest) -> Void) throws(SlipboxError) -> ImportRequest {
    var request = ImportRequest()
    request.changes = changes
    request.typedChanges = typedChanges
    options(&request)
    for source in sources { try add(source, to: &request) }
    if request.place != nil, request.folders.isEmpty {
      throw SlipboxError(
        .usage, "\(OptionName.into.typed) works only for folders of Markdown",
        hints: ["the paths of records follow slip config path"])
    }
    return request
  }

  private static let formats =
    "the formats: \(ForeignFormat.allCases.map(\.rawValue).joined(separator: ", "))"

  private static func isThere(_ word: Word, _ session: Session) -> Bool {
    let path = BytePath.join(session.context.workingDirectory, word.bytes)
    // What can't be looked at is refused where it is read.
    return (try? Files.status(path, followLinks: true)) != nil
  }

  private func add(_ word: Word, to request: inout ImportRequest) throws(SlipboxError) {
    let path = BytePath.join(session.context.workingDirectory, word.bytes)
    let shown = Visible.escape(word.bytes)
    if word.text == "-", !word.isLiteral {
      return try add(try session.console.readInput(), name: "-", shown: "standard input", to: &request)
    }
    guard Self.isThere(word, session) else {
      throw SlipboxError(.notFound, "there is no file or folder \(shown)", hints: formatHint(word))
    }
    if Files.isFolder(path) {
      try refuse(otherThan: .folder, shown)
      let name = shown.hasSuffix("/") && shown != "/" ? String(shown.dropLast()) : shown
      request.folders.append(try ImportFolder(at: path, name: name))
      return
    }
    let bytes: [UInt8]
    do throws(SystemError) { bytes = try Files.read(path) } catch { throw SlipboxError(error) }
    let name = ByteText.text(of: BytePath.name(of: path))
    let chosen = format ?? ForeignFormat.guess(name: name, bytes)
    if chosen == .folder {
      guard FileName.isNote(BytePath.name(of: path)) else {
        throw SlipboxError(
          .usage, "\(shown) is neither a folder nor a Markdown file (.md, .markdown)",
          hints: [Self.formats])
      }
      request.folders.append(try ImportFolder(file: path, name: shown))
      return
    }
    try add(bytes, name: name, shown: shown, to: &request)
  }

  private func add(
    _ bytes: [UInt8], name: String, shown: String, to request: inout ImportRequest
  ) throws(SlipboxError) {
    guard let chosen = format ?? ForeignFormat.guess(name: name == "-" ? "" : name, bytes) else {
      throw SlipboxError(
        .usage, "\(shown): unknown format",
        hints: ["give the format with --as FORMAT", Self.formats])
    }
    guard !hasColumns || chosen.hasOwnNames else {
      throw SlipboxError(
        .usage, "\(OptionName.map.typed) works only for tables and JSON; \(shown) is \(chosen.rawValue)")
    }
    guard let contents = chosen.read(bytes, name: name, clock: session.context.clock, columns: columns) else {
      throw SlipboxError(.usage, "\(shown) is not a folder", hints: [Self.formats])
    }
    request.files.append(.init(name: shown, contents: contents, format: chosen))
  }

  /// The command with the option, if a word is the name of a format.
  private func formatHint(_ word: Word) -> [String] {
    guard format == nil, let named = ForeignFormat(name: word.text) else { return [] }
    let rest = sources.filter { $0.text != word.text }.map { ShellWord.quoted($0.bytes) }
    let files = rest.isEmpty ? "FILE" : rest.joined(separator: " ")
    return ["the format is an option: slip import \(OptionName.as.typed) \(named.rawValue) \(files)"]
  }

  private func refuse(otherThan format: ForeignFormat, _ shown: String) throws(SlipboxError) {
    guard let typed = self.format, typed != format else { return }
    throw SlipboxError(.usage, "\(shown) is a folder, not a file of \(typed.rawValue)", hints: [Self.formats])
  }
}
