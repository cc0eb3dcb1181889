import NoteIndex
import Notes
import Text

/// Saves, renames and removes smart filters: named queries of the box, stored in its settings file.
package struct ChangeFilters {
  private let snapshot: BoxSnapshot

  package init(in snapshot: BoxSnapshot) { self.snapshot = snapshot }

  private var filters: [String: String] { snapshot.settings.filters }

  /// Returns the plan that saves a filter, or removes one if there is no query.
  ///
  /// - Throws: `.usage` for an invalid or built-in name, `.notFound` if the filter to remove does not exist, and the
  ///   errors of the query.
  package func plan(saving name: String, query: String?) throws -> Plan {
    let isName =
      !name.isEmpty
      && name.utf8.allSatisfy { byte in
        byte >= 0x80 || byte == UInt8(ascii: "-") || byte == UInt8(ascii: "_")
          || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
          || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
      }
    guard isName else {
      throw SlipboxError(
        .usage, "\(name) can't name a filter", hints: ["use letters, digits, - and _"])
    }
    guard !SmartFilters.builtIn.contains(where: { $0.name == name }) else {
      throw SlipboxError(
        .usage, "the filter \(name) is built in",
        hints: [query == nil ? "built-in filters can't be removed" : "choose another name"])
    }
    var filters = filters
    if let query {
      guard !query.utf8.allSatisfy({ $0 == UInt8(ascii: " ") }) else {
        throw SlipboxError(
          .usage, "a query is missing", hints: ["\(slip: "filter rm", .value(name)) removes the filter"])
      }
      filters[name] = query
      // The query is parsed once, so that a fault or a cycle is found now and not at its use.
      _ = try snapshot.query(["@\(name)"], filters: filters)
    } else if filters.removeValue(forKey: name) == nil {
      let near =
        Spelling.nearest(to: name, among: Array(filters.keys)).map { ["did you mean: \($0)" as Phrase] } ?? []
      throw SlipboxError(.notFound, "there is no filter \(name) of yours", hints: near)
    }
    if query == nil { try refuseMissing(name, in: filters) }
    let edit = FileEdit(path: Settings.boxFile) { bytes throws(SlipboxError) in
      try Settings.settingFilter(name, to: query, in: bytes ?? [])
    }
    return Plan(command: "filter", edits: [edit]) { _ in
      query == nil ? "Remove filter: \(name)" : "Save filter: \(name)"
    }
  }

  /// Returns the plan that renames one of the box's own filters, in one commit.
  ///
  /// Filters, views, and lists in notes and templates that use it follow.
  ///
  /// - Parameter query: the new query; nil to keep the present one.
  /// - Throws: as `plan(saving:query:)`, and `.usage` if a filter has the new name.
  package func plan(renaming old: String, to name: String, query: String? = nil) throws -> Plan {
    guard let present = filters[old] else {
      throw SlipboxError(.notFound, "there is no filter \(old) of yours")
    }
    guard filters[name] == nil else {
      throw SlipboxError(
        .usage, "there is a filter \(name) already", hints: ["choose another name"])
    }
    let query = query ?? present
    _ = try plan(saving: name, query: query)
    let edit = FileEdit(path: Settings.boxFile) { bytes throws(SlipboxError) in
      try Settings.renamingFilter(old, to: name, query: query, in: bytes ?? [])
    }
    let edits = try [edit] + blockEdits(renaming: old, to: name)
    return Plan(command: "filter", edits: edits) { _ in "Rename filter: \(old) to \(name)" }
  }

  /// Edits that give the lists of notes and templates the new name of a filter; all other bytes stay.
  private func blockEdits(renaming old: String, to name: String) throws(SlipboxError) -> [FileEdit] {
    let names = Array(filters.keys)
    let renamed = { (text: NoteText) -> NoteText in
      NoteText(
        BakedBlock.replacingCommands(in: text.bytes, text.body) { block in
          let line = View.line(
            block.command, renamingFilter: old, to: name, among: names, forms: View.Form.ofBlocks)
          return line == block.command ? nil : line
        })
    }
    var edits: [FileEdit] = []
    for note in try BakeLists(in: snapshot).entries().map(\.note) {
      let text = try note.text
      guard renamed(text).bytes != text.bytes else { continue }
      edits.append(FileEdit.changing(note) { note throws(SlipboxError) in renamed(try note.text) })
    }
    for path in Templates(in: snapshot).paths() where !edits.contains(where: { $0.path == path }) {
      guard let bytes = try snapshot.bytes(at: path), renamed(NoteText(bytes)).bytes != bytes else {
        continue
      }
      edits.append(FileEdit(path: path) { bytes in bytes.map { renamed(NoteText($0)).bytes } })
    }
    return edits
  }

  /// Refuses to remove a filter that other filters and views use: without it they could not be read.
  private func refuseMissing(_ name: String, in filters: [String: String]) throws(SlipboxError) {
    for other in filters.keys.sorted() where canRead(other, self.filters) && !canRead(other, filters) {
      throw SlipboxError(
        .badData, "can't remove the filter \(name): the filter \(other) uses it",
        hints: ["\(slip: "filter rm", .value(other)) first, or redefine it"])
    }
    for (other, line) in snapshot.settings.viewLines {
      guard let query = (try? View(line: line, forms: View.Form.ofViews))?.query else { continue }
      guard canRead(query, self.filters), !canRead(query, filters) else { continue }
      throw SlipboxError(
        .badData, "can't remove the filter \(name): the view \(other) uses it",
        hints: ["\(slip: "view remove", .value(other)) first, or save the view with another query"])
    }
  }

  private func canRead(_ name: String, _ filters: [String: String]) -> Bool {
    canRead(["@\(name)"], filters)
  }

  private func canRead(_ query: [String], _ filters: [String: String]) -> Bool {
    (try? Query.parse(query, clock: snapshot.clock, schema: snapshot.schema(), filters: filters)) != nil
  }
}

extension Settings {
  fileprivate static func settingFilter(
    _ name: String, to query: String?, in bytes: [UInt8]
  ) throws(SlipboxError) -> [UInt8] {
    do throws(EditError) {
      return try Settings(bytes).setting(filterPrefix + name, to: query ?? "")
    } catch {
      throw SlipboxError(error, note: ".slipbox/config.yaml")
    }
  }

  /// Returns the settings with another name for a filter, also in the filters and views that use it.
  fileprivate static func renamingFilter(
    _ old: String, to name: String, query: String, in bytes: [UInt8]
  ) throws(SlipboxError) -> [UInt8] {
    let settings = try Settings.of(bytes, file: ".slipbox/config.yaml")
    let names = Array(settings.filters.keys)
    let renamed = { (text: String) in Query.renaming(filter: old, to: name, in: text, among: names) }
    var result = try settingFilter(name, to: renamed(query), in: bytes)
    result = try settingFilter(old, to: nil, in: result)
    for (other, text) in settings.filters.sorted(by: { $0.key < $1.key }) where other != old {
      let new = renamed(text)
      if new != text { result = try settingFilter(other, to: new, in: result) }
    }
    for (view, line) in settings.viewLines {
      let renamed = View.line(line, renamingFilter: old, to: name, among: names)
      if renamed != line { result = try settingView(view, to: renamed, in: result) }
    }
    return result
  }
}
