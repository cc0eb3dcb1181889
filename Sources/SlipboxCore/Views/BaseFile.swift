import Notes
package import Text

/// A `.base` file of Obsidian: filters, formulas and views of notes.
///
/// Parsing never fails: any bytes give a file and its problems. A part that slip does not know is reported, never
/// guessed.
package struct BaseFile: Sendable {
  /// A part of the file that slip can't read or does not know.
  package struct Problem: Sendable, Equatable {
    package let line: Int
    package let message: Phrase
    /// The number of the view that has it; nil for one of the whole file.
    fileprivate(set) var view: Int?
  }

  /// A condition of notes.
  indirect enum Filter: Sendable {
    case all([Filter])
    case any([Filter])
    case none([Filter])
    case test(BaseExpression)

    var expressions: [BaseExpression] {
      switch self {
      case .all(let parts), .any(let parts), .none(let parts): parts.flatMap(\.expressions)
      case .test(let expression): [expression]
      }
    }
  }

  /// A column, or the property by which notes are sorted or grouped.
  struct Property: Sendable, Equatable {
    /// The name in the file.
    let name: String
    let expression: BaseExpression
  }

  struct Order: Sendable {
    let property: Property
    let isDescending: Bool
  }

  struct BaseView: Sendable {
    var name: String
    var filter: Filter?
    var columns: [Property] = []
    var group: Order?
    var order: [Order] = []
    var limit: Int?
    /// The summary of each column, by its property.
    var summaries: [(property: BaseExpression, summary: BaseSummary)] = []
    /// The places of filters that can't be read: without them the view would show other notes.
    var unreadFilters: [Problem] = []
  }

  private(set) var filter: Filter?
  private(set) var formulas: [String: BaseExpression] = [:]
  /// The formulas that can't be read, or that name one of these.
  private var unreadFormulas: Set<String> = []
  private var customSummaries: [String: BaseExpression] = [:]
  private var displayNames: [String: String] = [:]
  private(set) var views: [BaseView] = []
  private var unreadFilters: [Problem] = []
  /// The number of the view that is being parsed; nil outside of views.
  private var viewNumber: Int?
  private var problems: [Problem] = []

  /// The maximum numbers of problems that are stored and shown.
  private static let (mostProblems, mostShownProblems) = (4_000, 40)
  private static let deepestFilter = 12

  package init(_ bytes: [UInt8]) {
    do throws(KindNodeReader.Fault) {
      guard let node = try KindNodeReader.read(bytes, deepest: 32) else { return }
      take(node)
    } catch {
      refuse(error.line, Phrase(error.message))
    }
  }

  /// The names of the views.
  package var viewNames: [String] { views.map(\.name) }

  /// Returns the problems of the whole file and of a view by its name; nil means the first view.
  package func problems(of name: String?) -> [Problem] {
    let shown = name.map { name in views.firstIndex { $0.name == name } } ?? 0
    return Array(problems.filter { $0.view == nil || $0.view == shown }.prefix(Self.mostShownProblems))
  }

  /// Returns the heading of a property.
  func heading(of property: Property) -> String {
    displayNames[Self.withoutNote(property.name)] ?? property.name
  }

  /// Returns the name of a property; `note.` before it has no meaning.
  private static func withoutNote(_ name: String) -> String {
    name.hasPrefix("note.") ? String(name.dropFirst(5)) : name
  }

  /// Returns the places of the filters that a view needs and that can't be read.
  func unreadFilters(of view: BaseView) -> [Problem] { unreadFilters + view.unreadFilters }

  private mutating func refuse(_ line: Int, _ message: Phrase) {
    if problems.count < Self.mostProblems {
      problems.append(Problem(line: line, message: message, view: viewNumber))
    }
  }

  private mutating func entries(_ node: KindNode, _ what: String) -> [(key: String, node: KindNode)] {
    switch node.value {
    case .map(let entries): return entries
    case .empty: return []
    case .text, .list:
      refuse(node.line, "\(what) is not a map")
      return []
    }
  }

  private mutating func take(_ node: KindNode) {
    let entries = entries(node, "the file")
    // Formulas are parsed before the filters and views that name them.
    for (key, node) in entries where key == "formulas" { takeFormulas(node) }
    for (key, node) in entries {
      switch key {
      case "formulas", "views": break
      case "properties": takeProperties(node)
      case "summaries": takeSummaries(node)
      case "filters":
        let (filter, unread) = readFilter(node, 0)
        (self.filter, unreadFilters) = (filter, unread)
      default: refuse(node.line, "\(key) isn't supported")
      }
    }
    for (key, node) in entries where key == "views" {
      guard case .list(let nodes) = node.value else {
        refuse(node.line, "views is not a list")
        continue
      }
      for node in nodes.prefix(200) { takeView(node) }
    }
  }

  private mutating func expression(_ node: KindNode, _ what: String) -> BaseExpression? {
    guard let text = node.text else {
      refuse(node.line, "\(what) is not a text")
      return nil
    }
    do throws(BaseFault) {
      return try BaseExpression(text)
    } catch {
      refuse(node.line, "\(what): \(error.message)")
      return nil
    }
  }

  private mutating func takeFormulas(_ node: KindNode) {
    var lines: [String: Int] = [:]
    for (name, node) in entries(node, "formulas") {
      formulas[name] = expression(node, "formula \(name)")
      if formulas[name] == nil { unreadFormulas.insert(name) }
      lines[name] = node.line
    }
    refuseCircles(lines)
    refuseFormulasOfUnread(lines)
  }

  private mutating func takeSummaries(_ node: KindNode) {
    for (name, node) in entries(node, "summaries") {
      customSummaries[name] = expression(node, "summary \(name)")
    }
  }

  private mutating func takeProperties(_ node: KindNode) {
    for (name, node) in entries(node, "properties") {
      for (key, node) in entries(node, name) where key == "displayName" {
        displayNames[Self.withoutNote(name)] = node.text
      }
    }
  }

  /// Refuses formulas that name each other in a cycle: they have no value.
  private mutating func refuseCircles(_ lines: [String: Int]) {
    for name in formulas.keys.sorted() {
      var (seen, next): (Set<String>, [String]) = ([], formulas[name]?.formulas ?? [])
      while let one = next.popLast() {
        if one == name {
          refuse(lines[name] ?? 1, "formula \(name) depends on itself")
          formulas[name] = nil
          unreadFormulas.insert(name)
          break
        }
        if seen.insert(one).inserted { next += formulas[one]?.formulas ?? [] }
      }
    }
  }

  /// Refuses formulas that name one without a value: they have none either.
  private mutating func refuseFormulasOfUnread(_ lines: [String: Int]) {
    var dependents: [String: [String]] = [:]
    for (name, expression) in formulas {
      for part in expression.formulas { dependents[part, default: []].append(name) }
    }
    var waiting = dependents.keys.filter { formulas[$0] == nil }.sorted(by: >)
    while let missing = waiting.popLast() {
      for name in dependents[missing]?.sorted() ?? [] {
        guard let expression = formulas[name], let message = missingFormula(of: expression) else { continue }
        refuse(lines[name] ?? 1, "formula \(name): \(message)")
        formulas[name] = nil
        unreadFormulas.insert(name)
        waiting.append(name)
      }
    }
  }

  /// Returns the message that an expression names a formula without a value; nil if it names none.
  private func missingFormula(of expression: BaseExpression) -> Phrase? {
    guard let name = expression.formulas.first(where: { formulas[$0] == nil }) else { return nil }
    let shown: Phrase = "formula.\(name)"
    return unreadFormulas.contains(name) ? "\(shown) can't be read" : "there is no \(shown)"
  }
}

// MARK: Views

extension BaseFile {
  private static let viewKeys = [
    "type", "name", "filters", "order", "sort", "groupBy", "limit", "summaries",
  ]
  /// Keys that set the width or height of drawn elements.
  private static let layoutKeys = [
    "columnSize", "rowHeight", "cardSize", "image", "imageFit", "imageAspectRatio", "indentProperties",
    "markers", "separator",
  ]

  private mutating func takeView(_ node: KindNode) {
    viewNumber = views.count
    defer { viewNumber = nil }
    var view = BaseView(name: "view \(views.count + 1)")
    let entries = entries(node, "a view")
    if let name = entries.first(where: { $0.key == "name" })?.node.text { view.name = name }
    let label = "view \(view.name)"
    for (key, node) in entries {
      switch key {
      case "name": break
      case "type":
        if node.text != "table" {
          refuse(node.line, "\(label): type \(node.text ?? "") is shown as a table")
        }
      case "filters":
        let (filter, unread) = readFilter(node, 0)
        (view.filter, view.unreadFilters) = (filter, unread)
      case "order":
        for text in node.texts ?? [] {
          if let property = property(text, node.line, "\(label): column") { view.columns.append(property) }
        }
        if node.texts == nil { refuse(node.line, "\(label): order is not a list") }
      case "sort": takeSort(node, label, &view)
      case "groupBy": view.group = order(node, "\(label): groupBy")
      case "limit":
        view.limit = node.text.flatMap { Int($0) }.flatMap { $0 >= 0 ? $0 : nil }
        if view.limit == nil { refuse(node.line, "\(label): limit is not a number") }
      case "summaries": takeSummaries(node, label, &view)
      default:
        if !Self.layoutKeys.contains(key) {
          refuse(node.line, "\(label): \(key) isn't supported")
        }
      }
    }
    views.append(view)
  }

  private mutating func takeSort(_ node: KindNode, _ label: String, _ view: inout BaseView) {
    guard case .list(let nodes) = node.value else { return refuse(node.line, "\(label): sort is not a list") }
    for node in nodes {
      if let order = order(node, "\(label): sort") { view.order.append(order) }
    }
  }

  private mutating func takeSummaries(_ node: KindNode, _ label: String, _ view: inout BaseView) {
    for (name, node) in entries(node, "\(label): summaries") {
      let text = node.text ?? ""
      guard let property = property(name, node.line, "\(label): summary of")?.expression else { continue }
      if let custom = customSummaries[text] {
        view.summaries.append((property, .custom(text, custom)))
      } else if let known = BaseSummary.named(text) {
        view.summaries.append((property, known))
      } else {
        refuse(node.line, "\(label): the summary \(text) is unknown")
      }
    }
  }

  /// Parses the property of a `groupBy` or of a line of `sort`.
  private mutating func order(_ node: KindNode, _ what: String) -> Order? {
    if let text = node.text {
      return property(text, node.line, what).map { Order(property: $0, isDescending: false) }
    }
    var (found, isDescending): (Property?, Bool) = (nil, false)
    for (key, node) in entries(node, what) {
      switch key {
      case "property", "column": found = property(node.text ?? "", node.line, what)
      case "direction": isDescending = node.text?.lowercased() == "desc"
      default: refuse(node.line, "\(what): \(key) isn't supported")
      }
    }
    return found.map { Order(property: $0, isDescending: isDescending) }
  }

  /// Parses a property by its name: `note.age`, `file.name`, `formula.ppu`, `my property`.
  private mutating func property(_ name: String, _ line: Int, _ what: String) -> Property? {
    let expression: BaseExpression
    if name.hasPrefix("formula.") {
      let formula = String(name.dropFirst(8))
      expression = .formula(formula)
      guard formulas[formula] != nil else {
        let isUnread = unreadFormulas.contains(formula)
        let message = isUnread ? "the formula can't be read" : "there is no such formula"
        refuse(line, "\(what) \(name): \(message)")
        return nil
      }
    } else if name.hasPrefix("file.") {
      guard let field = BaseFileField(rawValue: String(name.dropFirst(5))) else {
        refuse(line, "\(what) \(name) isn't supported")
        return nil
      }
      // A column with the name of the file shows the note.
      expression = .file(field == .name || field == .basename ? .file : field)
    } else {
      expression = .note(Self.withoutNote(name))
    }
    return Property(name: name, expression: expression)
  }
}

// MARK: Filters

extension BaseFile {
  /// Returns the filter of a node, and its parts that can't be read.
  private mutating func readFilter(_ node: KindNode, _ depth: Int) -> (Filter?, [Problem]) {
    if case .empty = node.value { return (nil, []) }
    let problem = { (message: Phrase) in (nil as Filter?, [Problem(line: node.line, message: message)]) }
    guard depth < Self.deepestFilter else { return problem("filters are nested too deeply") }
    if let text = node.text {
      do throws(BaseFault) {
        let expression = try BaseExpression(text)
        if let message = missingFormula(of: expression) { throw BaseFault(message: message) }
        return (.test(expression), [])
      } catch {
        return problem("filter \(String(text.prefix(80))): \(error.message)")
      }
    }
    var nodes: [KindNode]
    var make: ([Filter]) -> Filter = { .all($0) }
    switch node.value {
    case .list(let list): nodes = list
    case .map(let entries) where entries.isEmpty: return (nil, [])
    case .map(let entries):
      guard entries.count == 1, let (key, inner) = entries.first else {
        return problem("a filter has one of and, or and not")
      }
      switch key {
      case "and": break
      case "or": make = { .any($0) }
      case "not": make = { .none($0) }
      default: return problem("a filter has one of and, or and not, not \(key)")
      }
      nodes = if case .list(let list) = inner.value { list } else { [inner] }
    case .text, .empty: return (nil, [])
    }
    var (parts, unread): ([Filter], [Problem]) = ([], [])
    for node in nodes {
      let (part, problems) = readFilter(node, depth + 1)
      if let part { parts.append(part) }
      unread += problems
    }
    return (make(parts), unread)
  }
}
