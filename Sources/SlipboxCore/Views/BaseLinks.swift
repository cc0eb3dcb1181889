import NoteIndex
import Notes

/// A link as a value of an expression of a `.base` file.
struct BaseLink: Sendable {
  /// The text that a column shows.
  let text: String
  /// The path of the note that the link leads to; nil if it leads to no note.
  let path: [UInt8]?
}

/// Links are equal if they lead to the same note; links to no note, if they have the same text.
extension BaseLink: Hashable {
  static func == (one: BaseLink, other: BaseLink) -> Bool {
    one.path == other.path && (one.path != nil || one.text == other.text)
  }

  func hash(into hasher: inout Hasher) {
    if let path { hasher.combine(path) } else { hasher.combine(text) }
  }
}

/// Resolves the links of the expressions of a `.base` file. What most files don't need is computed when it is used.
final class BaseLinks {
  private let entries: Entries
  private let graph: LinkGraph
  private var resolver: LinkResolver { graph.resolver() }
  /// The paths that each note links to, by its own path.
  private lazy var targets: [[UInt8]: Set<[UInt8]>] = {
    let all = graph.targets().map { source in
      (entries.path(at: source.place), Set(source.targets.map { entries.path(at: $0.place) }))
    }
    return Dictionary(all, uniquingKeysWith: { first, _ in first })
  }()

  init(_ snapshot: BoxSnapshot) throws(SlipboxError) {
    entries = try snapshot.catalogue().entries
    graph = try snapshot.linkGraph()
  }

  /// Whether a note links to the note that a value names: a link, or a text as in `link()`.
  func hasLink(_ path: [UInt8], to value: BaseValue) -> Bool {
    guard let target = link(value).path else { return false }
    return targets[path]?.contains(target) == true
  }

  /// The link that a value is or names.
  func link(_ value: BaseValue, shown: String? = nil) -> BaseLink {
    if case .link(let link) = value { return BaseLink(text: shown ?? link.text, path: link.path) }
    let text = value.text
    if let link = whole(text, from: []) { return BaseLink(text: shown ?? text, path: link.path) }
    let path = whole("[[\(text)]]", from: [])?.path ?? nil
    return BaseLink(text: shown ?? text, path: path)
  }

  /// The values of a property of a note: a text that is one link as a whole is a link.
  func value(_ value: BaseValue, from path: [UInt8]) -> BaseValue {
    switch value {
    case .text(let text): whole(text, from: path).map { .link($0) } ?? value
    case .list(let elements): .list(elements.map { self.value($0, from: path) })
    default: value
    }
  }

  /// The link of a text that has nothing beside it.
  private func whole(_ text: String, from path: [UInt8]) -> BaseLink? {
    guard text.utf8.first == UInt8(ascii: "["), let link = FieldLinks.links(in: text).first,
      link.range == 0..<text.utf8.count
    else { return nil }
    guard case .note(let place) = resolver.meaning(of: link, from: path) else {
      return BaseLink(text: text, path: nil)
    }
    return BaseLink(text: text, path: entries.path(at: place))
  }
}
