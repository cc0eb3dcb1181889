package import NoteIndex
import Notes
import Text

/// A list of notes with its form, written as a line: `table kind:book --by status --columns 'count,sum(pages)'`.
package struct View: Sendable, Equatable {
  /// The form in which the notes are shown.
  package enum Form: String, Sendable, CaseIterable {
    case list, table, board, calendar, agenda, todos

    /// The forms of saved views.
    package static let ofViews: [Form] = [.list, .table, .board, .calendar, .agenda]
    /// The forms of blocks in notes.
    package static let ofBlocks: [Form] = [.list, .table, .agenda, .todos]
  }

  package var form: Form
  /// The terms of the query.
  package var query: [String] = []
  package var columns: String?
  /// The field by which notes are grouped; for a calendar the date field.
  package var by: String?
  package var sort: String?
  package var limit: Int?
  /// The days of an agenda.
  package var days: Int?
  package var hasTotal = false
  package var isReversed = false

  package init(_ form: Form) { self.form = form }

  /// Parses a line.
  /// - Parameter forms: the forms that it may have.
  /// - Throws: `.badData` for another form, for an option that only prints elsewhere, and for a quote that is not closed.
  package init(line: String, forms: [Form]) throws(SlipboxError) {
    var words = try Self.words(in: line)[...]
    guard let name = words.popFirst() else { throw SlipboxError(.badData, "the command is missing") }
    guard let form = Form(rawValue: name.text), forms.contains(form) else {
      let names = forms.map(\.rawValue).joined(separator: ", ")
      throw SlipboxError(.badData, "\(name.text) is not allowed here; use one of: \(names)")
    }
    self.form = form
    while let word = words.popFirst() {
      guard word.isOption else {
        query.append(word.text)
        continue
      }
      let parts = word.text.split(separator: "=", maxSplits: 1).map(String.init)
      guard form != .todos || Self.ofTodos.contains(parts[0]) else {
        throw SlipboxError(.badData, "\(parts[0]) is not allowed with todos")
      }
      switch parts[0] {
      case "--total": hasTotal = true
      case "--reverse": isReversed = true
      default:
        guard Self.valued.contains(parts[0]) else {
          throw SlipboxError(.badData, "\(parts[0]) is not allowed here")
        }
        guard let value = parts.count > 1 ? parts[1] : words.popFirst()?.text else {
          throw SlipboxError(.badData, "\(parts[0]) takes a value")
        }
        try set(parts[0], value)
      }
    }
  }

  private static let valued = ["--columns", "--by", "--sort", "--limit", "-n", "--days"]
  private static let ofTodos = ["--by", "--limit", "-n"]

  private mutating func set(_ option: String, _ value: String) throws(SlipboxError) {
    switch option {
    case "--columns": columns = value
    case "--by": by = value
    case "--sort": sort = value
    default:
      guard let number = Int(value), (0...100_000).contains(number) else {
        throw SlipboxError(.badData, "\(option) takes a number from 0")
      }
      if option == "--days" { days = number } else { limit = number }
    }
  }

  /// Returns the order of a list of check boxes.
  /// - Throws: `.badData` if there is no such order.
  package func todoOrder() throws(SlipboxError) -> TodoOrder {
    guard let by else { return .note }
    guard let order = TodoOrder(rawValue: by) else {
      let names = TodoOrder.allCases.map(\.rawValue).joined(separator: ", ")
      throw SlipboxError(
        .badData, "--by \(by) is not allowed with todos; use one of: \(names)")
    }
    return order
  }

  /// The line that is parsed as this view.
  package var line: String {
    var words = [form.rawValue] + query.map(Self.quoted)
    for (option, value) in [("--columns", columns), ("--by", by), ("--sort", sort)] {
      if let value { words += [option, Self.quoted(value)] }
    }
    if let limit { words += ["--limit", String(limit)] }
    if let days { words += ["--days", String(days)] }
    if hasTotal { words.append("--total") }
    if isReversed { words.append("--reverse") }
    return words.joined(separator: " ")
  }
}

// MARK: Words

extension View {
  private struct LineWord {
    var text = ""
    var isQuoted = false

    /// Whether it is an option: two dashes, or a dash and one letter; `-later` is a tag.
    var isOption: Bool { !isQuoted && (text.hasPrefix("--") || text.hasPrefix("-") && text.count == 2) }
  }

  /// Splits a line into words, as a shell would: quotes of both kinds, and a backslash before a character.
  private static func words(in line: String) throws(SlipboxError) -> [LineWord] {
    var (words, word): ([LineWord], LineWord?) = ([], nil)
    var quote: Character?
    var isEscaped = false
    for character in line {
      if isEscaped {
        word = word ?? LineWord()
        word?.text.append(character)
        isEscaped = false
      } else if character == "\\", quote != "'" {
        isEscaped = true
      } else if let open = quote {
        if character == open { quote = nil } else { word?.text.append(character) }
      } else if character == "'" || character == "\"" {
        if word == nil { word = LineWord(text: "", isQuoted: true) }
        quote = character
      } else if character == " " || character == "\t" {
        if let word { words.append(word) }
        word = nil
      } else {
        word = word ?? LineWord()
        word?.text.append(character)
      }
    }
    guard quote == nil, !isEscaped else { throw SlipboxError(.badData, "a quote is not closed") }
    return words + (word.map { [$0] } ?? [])
  }

  private static func quoted(_ word: String) -> String {
    let isPlain = word.utf8.allSatisfy { byte in
      byte >= 0x80 || byte &- 0x30 < 10 || (byte | 0x20) &- 0x61 < 26 || "_@%+:,./-".utf8.contains(byte)
    }
    if isPlain, !word.isEmpty, !word.hasPrefix("--"), !(word.hasPrefix("-") && word.count == 2) {
      return word
    }
    if !word.contains("'") { return "'\(word)'" }
    return "\"" + word.map { "\"\\".contains($0) ? "\\\($0)" : String($0) }.joined() + "\""
  }
}

extension View {
  /// Returns a line with another name for a filter that its query uses; a line that can't be parsed stays unchanged.
  /// - Parameters:
  ///   - names: the names of all filters of the box.
  ///   - forms: the forms that the line may have.
  static func line(
    _ line: String, renamingFilter old: String, to name: String, among names: [String],
    forms: [Form] = Form.ofViews
  ) -> String {
    guard let view = try? View(line: line, forms: forms) else { return line }
    var renamed = view
    renamed.query = view.query.map { Query.renaming(filter: old, to: name, in: $0, among: names) }
    guard renamed != view else { return line }
    // Quotes and the order of options stay as they were written if only the name has to change.
    let edited = line.replacing("@\(old)", with: "@\(name)")
    return (try? View(line: edited, forms: forms)) == renamed ? edited : renamed.line
  }
}

// MARK: In the settings

extension Settings {
  /// The prefix of the settings that are views: `view-NAME: LINE`, flat, so that each merges on its own.
  private static let viewPrefix = "view-"

  /// The lines of the saved views, by name.
  package var viewLines: [(name: String, line: String)] {
    values.filter { $0.name.hasPrefix(Self.viewPrefix) }
      .map { (String($0.name.dropFirst(Self.viewPrefix.count)), $0.value) }.sorted { $0.0 < $1.0 }
  }

  static func settingView(
    _ name: String, to line: String?, in bytes: [UInt8]
  ) throws(SlipboxError) -> [UInt8] {
    do throws(EditError) {
      return try Settings(bytes).setting(viewPrefix + name, to: line ?? "")
    } catch {
      throw SlipboxError(error, note: ".slipbox/config.yaml")
    }
  }
}

extension View {
  /// Reads the saved view of a name.
  /// - Throws: `.notFound` if there is none, `.configuration` if its line can't be read.
  package init(named name: String, in snapshot: BoxSnapshot) throws(SlipboxError) {
    let lines = snapshot.settings.viewLines
    guard let line = lines.first(where: { $0.name == name })?.line else {
      throw Self.missing(name, in: snapshot)
    }
    do throws(SlipboxError) {
      try self.init(line: line, forms: Form.ofViews)
    } catch {
      throw SlipboxError(
        .configuration, ".slipbox/config.yaml: view-\(name): \(error.message)",
        hints: [Phrase(line)]
      ).naming(originOf: Settings.boxFile, in: snapshot.box)
    }
  }

  fileprivate static func missing(_ name: String, in snapshot: BoxSnapshot) -> SlipboxError {
    let names = snapshot.settings.viewLines.map(\.name)
    let near = Spelling.nearest(to: name, among: names).map { ["did you mean: \($0)" as Phrase] } ?? []
    let save: Phrase = "\(slip: "view save", "NAME", "QUERY") saves one"
    return SlipboxError(
      .notFound, "there is no view \(name)", hints: near.isEmpty ? [save] : near)
  }
}

/// Saves, removes and renames the views of a box.
package struct ChangeViews {
  private let snapshot: BoxSnapshot

  package init(in snapshot: BoxSnapshot) { self.snapshot = snapshot }

  /// Returns the plan that saves a view.
  /// - Throws: `.usage` for an invalid name, and for a query or a column that can't be read.
  package func plan(saving view: View, as name: String) throws -> Plan {
    try Self.refuseName(name)
    _ = try snapshot.query(view.query)
    _ = try view.columns.map { (text) throws(SlipboxError) in try TableColumn.read(text) }
    _ = try view.by.map { (text) throws(SlipboxError) in try TableColumn.read(text, option: "--by") }
    let isNew = !snapshot.settings.viewLines.contains { $0.name == name }
    return Self.plan([(name, view.line)], "\(isNew ? "Save" : "Replace") view: \(name)")
  }

  /// Returns the plan that removes a view.
  /// - Throws: `.notFound` if there is none.
  package func plan(removing name: String) throws(SlipboxError) -> Plan {
    guard snapshot.settings.viewLines.contains(where: { $0.name == name }) else {
      throw View.missing(name, in: snapshot)
    }
    return Self.plan([(name, nil)], "Remove view: \(name)")
  }

  /// Returns the plan that renames a view.
  /// - Throws: `.notFound` if there is no such view, `.usage` if the new name is taken or invalid.
  package func plan(renaming old: String, to name: String) throws(SlipboxError) -> Plan {
    let lines = snapshot.settings.viewLines
    guard let line = lines.first(where: { $0.name == old })?.line else {
      throw View.missing(old, in: snapshot)
    }
    try Self.refuseName(name)
    guard !lines.contains(where: { $0.name == name }) else {
      throw SlipboxError(.usage, "there is a view \(name) already", hints: ["choose another name"])
    }
    return Self.plan([(name, line), (old, nil)], "Rename view: \(old) to \(name)")
  }

  private static func plan(_ changes: [(name: String, line: String?)], _ subject: String) -> Plan {
    let edit = FileEdit(path: Settings.boxFile) { bytes throws(SlipboxError) in
      var bytes = bytes ?? []
      for change in changes { bytes = try Settings.settingView(change.name, to: change.line, in: bytes) }
      return bytes
    }
    return Plan(command: "view", edits: [edit]) { _ in subject }
  }

  private static func refuseName(_ name: String) throws(SlipboxError) {
    let isName =
      !name.isEmpty
      && name.utf8.allSatisfy { byte in
        byte >= 0x80 || byte &- 0x30 < 10 || (byte | 0x20) &- 0x61 < 26 || "-_".utf8.contains(byte)
      }
    guard isName else {
      throw SlipboxError(
        .usage, "\(name) can't name a view", hints: ["use letters, digits, - and _"])
    }
    guard !["show", "save", "remove", "rm", "rename", "list", "help"].contains(name) else {
      throw SlipboxError(.usage, "\(name) can't name a view: it is a command of \(slip: "view")")
    }
  }
}

/// The notes that a view shows, in its order.
package struct ViewNotes: Sendable {
  package let matches: [Match]
  /// The one kind of the view's notes; nil for none or several.
  package let kind: String?

  /// - Parameter filter: a further query that the notes match; its order and limit take precedence over those of the
  ///   view.
  /// - Throws: `QueryError` and `SlipboxError` if the query or the order can't be read.
  package init(_ view: View, filter: String = "", in snapshot: BoxSnapshot) throws {
    var query = try snapshot.query(view.query)
    if !view.isTable, let sort = view.sort { query.sort = try SortKey.parse(sort) }
    if !view.isTable, let limit = view.limit { query.limit = limit }
    var narrowing: Query?
    if !filter.isEmpty {
      narrowing = try snapshot.query([filter])
      if let narrowing, !narrowing.sort.isEmpty { query.sort = narrowing.sort }
    }
    var found = try snapshot.matches(query)
    if let narrowing {
      let places = Set(try snapshot.places(ofEach: [narrowing])[0])
      found = found.filter { places.contains($0.place) }
      if let limit = narrowing.limit { found = Array(found.prefix(limit)) }
    }
    matches = view.isReversed && !view.isTable ? found.reversed() : found
    kind = query.kindName ?? narrowing?.kindName
  }
}

extension View {
  /// Returns the terms of the query with those of a further one.
  package func query(narrowedBy filter: String) -> [String] {
    if filter.isEmpty { return query }
    return (query.isEmpty ? [] : ["(\(query.joined(separator: " ")))"]) + [filter]
  }

  /// Whether its notes are the rows of a table.
  package var isTable: Bool { form == .table || form == .list && columns != nil }

  /// The form in which the notes are shown: a list with columns is a table.
  package var shownForm: Form { isTable ? .table : form }

  /// Returns the view in another form, without the options that this form can't show.
  package func converted(to other: Form, in snapshot: BoxSnapshot) -> View {
    var view = self
    view.form = other
    if other == .list { view.columns = nil }
    if other == .board, let text = columns {
      let shown = (try? TableColumn.read(text))?.filter(\.expression.isAggregate) ?? []
      view.columns = shown.isEmpty ? nil : shown.map(\.text).joined(separator: ",")
    }
    if !view.isTable, let sort, (try? SortKey.parse(sort)) == nil { view.sort = nil }
    // The date of a calendar does not define columns, and only a date defines a calendar.
    let isOfDates = form == .calendar || other == .calendar
    if isOfDates, form != other, !(other == .calendar && isDate(by, in: snapshot)) { view.by = nil }
    if !view.isTable, let by = view.by, (try? TableColumn.readGroup(by)) == nil { view.by = nil }
    return view
  }

  private func isDate(_ field: String?, in snapshot: BoxSnapshot) -> Bool {
    guard let field else { return false }
    return ["created", "modified"].contains(field)
      || snapshot.schema().kinds.contains { $0.field(field)?.isTime == true }
  }
}

extension TableRequest {
  /// Creates the table of a view.
  /// - Parameter kind: the one kind of the view's notes.
  /// - Throws: `.usage` with a caret for a column that can't be read.
  package init(_ view: View, kind: String?) throws(SlipboxError) {
    self.kind = kind
    if let text = view.columns { columns = try TableColumn.read(text) }
    if let text = view.by { groups = try TableColumn.read(text, option: "--by") }
    hasTotal = view.hasTotal
    sort = view.sort.map { TableSort.read($0) } ?? []
    isReversed = view.isReversed
    limit = view.limit
  }
}
