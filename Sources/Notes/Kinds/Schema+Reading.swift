internal import Text

extension Schema {
  /// Reads the files of `.slipbox/kinds`, which declare, extend or replace the kinds they are named after.
  ///
  /// A file with a mistake declares nothing, and its kind is among the schema's faults; a built-in kind of its name stays
  /// in force. Queries are not read here; nothing in a file is ever executed.
  /// - Parameter files: Names such as `book.yaml`, with folders or without, and contents.
  package static func reading(_ files: [(name: String, bytes: [UInt8])]) -> (
    schema: Schema, problems: [KindProblem]
  ) {
    var reading = SchemaReading()
    for file in files.sorted(by: { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }) {
      reading.take(file.name, file.bytes)
    }
    return reading.result()
  }

  /// Returns the kind that a file declares by its name, with folders or without; nil if it declares none.
  package static func kindName(ofFile file: String) -> String? { SchemaReading.kindName(file) }

  /// Returns the line, from 1, of a key at the top of a kind's file, for faults in its queries.
  package static func line(ofKey key: String, in bytes: [UInt8]) -> Int? {
    self.node(ofKey: key, in: bytes)?.line
  }

  /// Returns the line, from 1, of an element of a list at the top of a kind's file, counted from 0.
  package static func line(ofElement index: Int, of key: String, in bytes: [UInt8]) -> Int? {
    guard let node = node(ofKey: key, in: bytes), case .list(let elements) = node.value,
      elements.indices.contains(index)
    else { return nil }
    return elements[index].line
  }

  private static func node(ofKey key: String, in bytes: [UInt8]) -> KindNode? {
    guard let node = try? KindNodeReader.read(bytes), case .map(let entries) = node.value else { return nil }
    return entries.first { $0.key.hasSameBytes(as: key) }?.node
  }
}

/// Puts the kinds of several files together.
private struct SchemaReading {
  /// Longer chains of `extends:` are refused.
  private static let longestChain = 16

  /// The files by the lower-case names of their kinds.
  private var files: [String: KindFile] = [:]
  /// The finished kinds; nil for a file with a mistake.
  private var finished: [String: Kind?] = [:]
  private var problems: [KindProblem] = []
  /// The names of all kinds, once all files are read.
  private var kindNames = KindNames([])

  mutating func take(_ file: String, _ bytes: [UInt8]) {
    guard let name = Self.kindName(file) else {
      let message = "the file name must be NAME.yaml with a NAME of letters, digits and '-'"
      return problems.append(KindProblem(file: file, line: 1, message: message))
    }
    if let other = files[name.lowercased()] {
      let message = "kind \(name) is already declared by \(Visible.escape(other.file))"
      return problems.append(KindProblem(file: file, line: 1, message: message))
    }
    files[name.lowercased()] = KindFile(name: name, file: file, bytes: bytes)
  }

  static func kindName(_ file: String) -> String? {
    let base = file.utf8.split(separator: UInt8(ascii: "/")).last ?? file[...].utf8
    for ending in [".yaml", ".yml"] where base.count > ending.utf8.count {
      guard base.suffix(ending.utf8.count).elementsEqual(ending.utf8) else { continue }
      let name = String(decoding: base.dropLast(ending.utf8.count), as: UTF8.self)
      return name.isKindName ? name : nil
    }
    return nil
  }

  mutating func result() -> (schema: Schema, problems: [KindProblem]) {
    let names = files.keys.sorted()
    kindNames = KindNames(Schema.builtIn.kinds.map(\.name) + files.values.map(\.kind.name).sorted())
    for name in names { finish(name) }
    var kinds = Schema.builtIn.kinds
    let builtIn = kinds.indices
    for name in names {
      guard case .some(.some(let kind)) = finished[name] else { continue }
      // No two files have one name.
      if let index = builtIn.first(where: { kinds[$0].name.isSameName(as: name) }) {
        kinds[index] = kind
      } else {
        kinds.append(kind)
      }
    }
    let ordered = problems.sorted { ($0.file, $0.line) < ($1.file, $1.line) }
    let faults = ordered.compactMap { KindFault(file: $0.file, message: $0.description) }
    return (Schema(kinds: kinds, faults: faults), ordered)
  }

  /// Finishes a kind after those that it extends.
  private mutating func finish(_ name: String) {
    var chain: [String] = []
    var next: String? = name
    while let link = next, finished[link] == nil, let file = files[link] {
      if let start = chain.firstIndex(of: link) {
        refuse(chain[start...], "these kinds extend each other")
        chain.removeSubrange(start...)
        break
      }
      if chain.count == Self.longestChain {
        return refuse(chain[...], "more than \(Self.longestChain) kinds in a chain")
      }
      chain.append(link)
      let base = file.base?.lowercased()
      next = base == link ? nil : base
    }
    for link in chain.reversed() { finished[link] = .some(merged(link)) }
  }

  private mutating func refuse(_ chain: ArraySlice<String>, _ why: String) {
    let path = chain.map { Visible.escape($0) }.joined(separator: " extends ")
    for link in chain {
      finished[link] = .some(nil)
      guard let file = files[link] else { continue }
      problems += file.problems
      refuse(file, file.lines[.key("extends")] ?? 1, "extends: \(why): \(path)")
    }
  }

  /// Returns the whole kind of a file, nil if there is a mistake in it.
  private mutating func merged(_ name: String) -> Kind? {
    guard let file = files[name] else { return nil }
    problems += file.problems
    var kind = file.kind
    var base: Kind?
    let baseLine = file.lines[.key("extends")] ?? 1
    if let wanted = file.base {
      base = self.base(wanted, of: name)
      guard let base else {
        let hint = kindNames.nearest(to: wanted, except: name).map { "; did you mean \($0)?" } ?? ""
        let isFile = files[wanted.lowercased()] != nil && !wanted.isSameName(as: name)
        let why = isFile ? "the file of kind \(Visible.escape(wanted)) is invalid" : "there is no kind"
        let tail =
          isFile ? "" : " \(Visible.escape(wanted))\(wanted.isSameName(as: name) ? " to extend" : hint)"
        refuse(file, baseLine, "extends: \(why)\(tail)")
        return nil
      }
      kind = kind.extending(base)
    }
    guard file.problems.isEmpty else { return nil }
    let faults = KindCheck.faults(of: kind, among: kindNames)
    for fault in faults.prefix(KindFile.mostProblems) {
      refuse(file, file.lines[fault.place.own(after: base)] ?? baseLine, fault.message)
    }
    return faults.isEmpty ? kind : nil
  }

  /// The kind that another extends: a file's if it has no mistake, else a built-in one.
  private func base(_ wanted: String, of name: String) -> Kind? {
    if !wanted.isSameName(as: name), case .some(.some(let kind)) = finished[wanted.lowercased()] {
      return kind
    }
    return Schema.builtIn.kind(named: wanted)
  }

  private mutating func refuse(_ file: KindFile, _ line: Int, _ message: String) {
    problems.append(KindProblem(file: file.file, line: line, message: message))
  }
}

extension KindPlace {
  /// The same place counted in the file alone, whose rules follow those of the kind that it extends.
  fileprivate func own(after base: Kind?) -> KindPlace {
    guard let base else { return self }
    return switch self {
    case .constraint(let index): .constraint(index - base.constraints.count)
    case .transition(let index): .transition(index - base.transitions.count)
    case .key, .field, .action, .urgency, .column: self
    }
  }
}

extension Kind {
  /// Returns the kind with all that another declares and this one does not.
  ///
  /// Fields and actions of the same name are replaced, as are terms of the urgency with the same query. Rules and other
  /// terms come after those of the other kind. A `match` is
  /// for one kind only, so it is taken over by a kind of the same name alone.
  fileprivate func extending(_ base: Kind) -> Kind {
    var kind = base
    kind.name = name
    kind.comment = comment ?? base.comment
    kind.active = active ?? base.active
    kind.waiting = waiting ?? base.waiting
    kind.match = match ?? (name.isSameName(as: base.name) ? base.match : nil)
    kind.key = key ?? base.key
    kind.sort = sort ?? base.sort
    kind.constraints += constraints
    kind.transitions += transitions
    kind.urgency = base.urgency.filter { term in !urgency.contains { $0.query == term.query } } + urgency
    if !row.isEmpty { kind.row = row }
    for field in fields {
      if let index = kind.fields.firstIndex(where: { $0.name.isSameName(as: field.name) }) {
        kind.fields[index] = field
      } else {
        kind.fields.append(field)
      }
    }
    for action in actions {
      if let index = kind.actions.firstIndex(where: { $0.name.isSameName(as: action.name) }) {
        kind.actions[index] = action
      } else {
        kind.actions.append(action)
      }
    }
    return kind
  }
}
