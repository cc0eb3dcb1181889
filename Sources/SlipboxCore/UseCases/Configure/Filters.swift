import NoteIndex
import Notes
import Text

/// Smart filters: named queries of the box, kept in its settings file.
extension BoxSnapshot {
  /// The user's own filters by name.
  package var filters: [String: String] { settings.filters }

  /// The built-in filters, then the box's own by name.
  package var allFilters: [(name: String, query: String)] {
    SmartFilters.builtIn + filters.map { (name: $0.key, query: $0.value) }.sorted { $0.name < $1.name }
  }

  /// The plan that saves a filter, or takes one out where there is no query.
  ///
  /// - Throws: `.usage` for a name that can't be one or is built in, `.notFound` for one to take out that is not there,
  ///   and what is wrong with the query.
  package func savingFilter(_ name: String, query: String?) throws -> Plan {
    let isName =
      !name.isEmpty
      && name.utf8.allSatisfy { byte in
        byte >= 0x80 || byte == UInt8(ascii: "-") || byte == UInt8(ascii: "_")
          || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
          || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
      }
    guard isName else {
      throw SlipboxError(
        .usage, "\(Visible.escape(name)) can't name a filter", hints: ["use letters, digits, - and _"])
    }
    guard !SmartFilters.builtIn.contains(where: { $0.name == name }) else {
      throw SlipboxError(
        .usage, "the filter \(name) is built in", hints: [query == nil ? "it stays" : "choose another name"])
    }
    var filters = filters
    if let query {
      guard !query.utf8.allSatisfy({ $0 == UInt8(ascii: " ") }) else {
        throw SlipboxError(.usage, "a query is missing", hints: ["slip filter rm \(name) removes the filter"])
      }
      filters[name] = query
      // Read once, so that a fault or a circle is found now and not at its use.
      _ = try self.query(["@\(name)"], filters: filters)
    } else if filters.removeValue(forKey: name) == nil {
      let near = Spelling.nearest(to: name, among: Array(filters.keys)).map { ["did you mean: \($0)"] } ?? []
      throw SlipboxError(.notFound, "there is no filter \(Visible.escape(name)) of yours", hints: near)
    }
    if query == nil { try refuseMissing(name, in: filters) }
    let edit = FileEdit(path: Settings.boxFile) { bytes throws(SlipboxError) in
      try Settings.settingFilter(name, to: query, in: bytes ?? [])
    }
    return Plan(command: "filter", edits: [edit]) { _ in
      query == nil ? "Remove filter: \(name)" : "Save filter: \(name)"
    }
  }
}

extension BoxSnapshot {
  /// A filter that others ask for stays: without it they could not be read.
  private func refuseMissing(_ name: String, in filters: [String: String]) throws(SlipboxError) {
    for other in filters.keys.sorted() where canRead(other, self.filters) && !canRead(other, filters) {
      throw SlipboxError(
        .badData, "can't remove the filter \(name): the filter \(other) uses it",
        hints: ["slip filter rm \(other) first, or redefine it"])
    }
  }

  private func canRead(_ name: String, _ filters: [String: String]) -> Bool {
    (try? Query.parse(["@\(name)"], clock: clock, schema: schema(), filters: filters)) != nil
  }
}

extension Settings {
  /// The prefix of the settings that are filters: `filter-NAME: QUERY`, flat, so that each merges on its own.
  private static let filterPrefix = "filter-"

  /// The filters of the file by name.
  package var filters: [String: String] {
    var filters: [String: String] = [:]
    for (name, value) in values where name.hasPrefix(Self.filterPrefix) {
      filters[String(name.dropFirst(Self.filterPrefix.count))] = value
    }
    return filters
  }

  fileprivate static func settingFilter(
    _ name: String, to query: String?, in bytes: [UInt8]
  ) throws(SlipboxError) -> [UInt8] {
    do throws(EditError) {
      return try Settings(bytes).setting(filterPrefix + name, to: query ?? "")
    } catch {
      throw SlipboxError(error, note: ".slipbox/config.yaml")
    }
  }
}
