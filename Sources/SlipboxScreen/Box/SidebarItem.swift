import NoteIndex
import Notes
import SlipboxCore

/// A line of the sidebar: a filter, a kind or a tag, with the query that lists it; or the heading of some.
struct SidebarItem: Sendable, Equatable {
  let label: String
  /// Nil for a heading.
  let query: String?
  /// How many notes it lists; nil where its query can't be read, and for a heading.
  let count: Int?

  /// The lines of a box: filters, kinds, tags of active notes.
  ///
  /// - Complexity: O(n) in all notes for each filter that is no simple one.
  static func all(in snapshot: BoxSnapshot) throws -> [SidebarItem] {
    var items = [SidebarItem(label: "Filters", query: nil, count: nil)]
    for filter in snapshot.allFilters {
      items.append(
        SidebarItem(
          label: filter.name, query: "@\(filter.name)", count: try count("@\(filter.name)", snapshot)))
    }
    items.append(SidebarItem(label: "Kinds", query: nil, count: nil))
    for kind in snapshot.schema().kinds {
      let query = "kind:\(kind.name)"
      items.append(SidebarItem(label: kind.name, query: query, count: try count(query, snapshot)))
    }
    let tags = try snapshot.activeTags()
    if !tags.isEmpty { items.append(SidebarItem(label: "Tags", query: nil, count: nil)) }
    return items + tags.map { SidebarItem(label: "#\($0.name)", query: "+\($0.name)", count: $0.count) }
  }

  private static func count(_ text: String, _ snapshot: BoxSnapshot) throws -> Int? {
    // One filter that can't be read is no reason to show none.
    guard let query = try? snapshot.query([text]) else { return nil }
    return try snapshot.count(query)
  }
}
