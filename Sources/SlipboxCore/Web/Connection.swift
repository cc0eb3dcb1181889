import Bytes
package import NoteIndex
package import Notes
import Synchronization

/// A link of a note, or a value of a reference field of a record, with its target.
package struct Connection: Sendable {
  /// The target of a connection.
  package enum Target: Sendable {
    /// A note, by its place in the catalogue.
    case note(Int)
    /// Several notes that match equally well.
    case ambiguous([Int])
    /// Another file of the box, by its path.
    case file([UInt8])
    /// A place that is not a file of the box.
    case url([UInt8])
    /// No existing target.
    case broken
  }

  /// The place of the note that contains it.
  package let source: Int
  /// The syntax of the link; nil for the value of a reference field.
  package let form: BodyScan.Link.Form?
  /// The field that contains it; nil in the body.
  package let field: String?
  /// The target as it is written.
  package let text: String
  /// The line of the file in which it begins, from 1.
  package let line: Int
  /// Its bytes in the file; for a reference those of the whole field.
  package let range: Range<Int>
  package let target: Target
  /// The heading or block that it names and its note does not have; nil if it names none, or an existing one.
  package var missing: LinkedPart?
  /// The heading or block that it names; nil if it names none.
  package var part: LinkedPart?

  /// Whether it is ambiguous, or its target or the named part of its target is missing.
  package var isUnresolved: Bool { if case .ambiguous = target { true } else { isBroken } }

  /// Whether its target or the named part of its target is missing.
  package var isBroken: Bool { if case .broken = target { true } else { missing != nil } }
}

extension Connection {
  init(
    _ link: BodyScan.Link, from source: Int, field: String?, _ target: Target, missing: LinkedPart? = nil,
    part: LinkedPart? = nil
  ) {
    self.init(
      source: source, form: link.form, field: field, text: link.target, line: link.line, range: link.range,
      target: target, missing: missing, part: part)
  }
}

/// Connections in a compact encoding, without the parts of notes that they name.
package struct PackedConnections: Sendable {
  private static let forms: [BodyScan.Link.Form] = [
    .wiki, .embed, .markdown, .image, .reference, .html, .path,
  ]

  private let bytes: [UInt8]

  /// - Complexity: linear in the connections.
  package init(_ connections: [Connection]) {
    guard !connections.isEmpty else {
      bytes = []
      return
    }
    var packer = BytePacker()
    for connection in connections {
      packer.append(connection.source)
      packer.append(connection.form.flatMap { Self.forms.firstIndex(of: $0) }.map { $0 + 1 } ?? 0)
      packer.append(connection.field.map { [0] + Array($0.utf8) } ?? [])
      packer.append(connection.text.utf8)
      packer.append(connection.line)
      packer.append(connection.range.lowerBound)
      packer.append(connection.range.count)
      Self.append(connection.target, to: &packer)
    }
    bytes = packer.bytes
  }

  /// The connections; each is decoded again at every use.
  ///
  /// - Complexity: linear in them.
  package var connections: [Connection] {
    guard !bytes.isEmpty else { return [] }
    return bytes.withUnsafeBytes { bytes in
      var unpacker = ByteUnpacker(bytes)
      var connections: [Connection] = []
      while let connection = Self.connection(&unpacker) { connections.append(connection) }
      return connections
    }
  }

  private static func append(_ target: Connection.Target, to packer: inout BytePacker) {
    switch target {
    case .broken: packer.append(0)
    case .note(let place):
      packer.append(1)
      packer.append(place)
    case .ambiguous(let places):
      packer.append(2)
      packer.append(places.count)
      for place in places { packer.append(place) }
    case .file(let path):
      packer.append(3)
      packer.append(path)
    case .url(let address):
      packer.append(4)
      packer.append(address)
    }
  }

  private static func connection(_ unpacker: inout ByteUnpacker) -> Connection? {
    guard let source = unpacker.number(), let form = unpacker.number(), let field = unpacker.array(),
      let text = unpacker.text(), let line = unpacker.number(), let start = unpacker.number(),
      let count = unpacker.number(), let target = target(&unpacker)
    else { return nil }
    return Connection(
      source: source, form: form == 0 ? nil : forms[form - 1],
      field: field.isEmpty ? nil : String(decoding: field.dropFirst(), as: UTF8.self), text: text,
      line: line, range: start..<start + count, target: target)
  }

  private static func target(_ unpacker: inout ByteUnpacker) -> Connection.Target? {
    switch unpacker.number() {
    case 0: .broken
    case 1: unpacker.number().map { .note($0) }
    case 2: .ambiguous((0..<(unpacker.number() ?? 0)).compactMap { _ in unpacker.number() })
    case 3: unpacker.array().map { .file($0) }
    case 4: unpacker.array().map { .url($0) }
    default: nil
    }
  }
}

/// References of records as connections of the catalogue's notes.
extension RecordTable {
  /// Returns the references of the record at a place, field by field, without those to the record itself.
  func connections(
    at place: Int, in entries: Entries, _ memo: ReferenceMemo = ReferenceMemo()
  ) -> [Connection] {
    let entry = entries[place]
    return references(of: entry).compactMap { reference in
      guard let kind = reference.field.target,
        let field = entry.note.frontMatter.fields.first(where: {
          $0.name.isSameName(as: reference.field.name)
        })
      else { return nil }
      let targets = memo.places(of: kind, named: reference.name) { places(of: kind, named: reference.name) }
      if targets == [place] { return nil }
      return Connection(
        source: place, form: nil, field: field.name, text: reference.name, line: field.line,
        range: field.span,
        target: targets.count == 1 ? .note(targets[0]) : targets.isEmpty ? .broken : .ambiguous(targets))
    }
  }

  /// Returns the references of all records, or only of those that may refer to records of some kinds, by ascending
  /// places.
  ///
  /// - Complexity: linear in the notes whose front matter has the name of a field that may refer to them; none are read
  ///   if no kind refers to these kinds.
  func connections(
    of entries: Entries, toKinds kinds: [String]? = nil, executor: ParallelExecutor?
  ) -> [Connection] {
    let names = Set(
      schema.kinds.flatMap { kind in
        kind.fields.filter { field in
          guard field.type == .reference, let target = field.target else { return false }
          return kinds?.contains { $0.isSameName(as: target) } ?? true
        }.map(\.name)
      })
    guard !names.isEmpty else { return [] }
    let words = FrontMatterFilter(names.sorted())
    let memo = ReferenceMemo()
    return entries.flatMapChunks(executor: executor) { [self] places in
      places.flatMap { place in
        entries.mayHold(words, at: place) ? connections(at: place, in: entries, memo) : []
      }
    }
  }
}

/// A cache of the records that names in fields mean: many records refer to few. Safe for several threads.
final class ReferenceMemo: Sendable {
  private let known = Mutex<[String: [[UInt8]: [Int]]]>([:])

  /// Returns the places of the records of a kind that a name means.
  func places(of kind: String, named name: String, _ find: () -> [Int]) -> [Int] {
    let name = Array(name.utf8)
    if let places = known.withLock({ $0[kind]?[name] }) { return places }
    let places = find()
    known.withLock { $0[kind, default: [:]][name] = places }
    return places
  }
}
