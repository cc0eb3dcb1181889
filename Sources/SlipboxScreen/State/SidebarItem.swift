import NoteIndex
import Notes
import SlipboxCore

/// A line of the sidebar: a filter, a view, a kind or a tag, with the query that lists it; or the heading of some.
struct SidebarItem: Sendable, Equatable {
  let label: String
  /// Nil for a heading.
  let query: String?
  /// The saved view that it shows.
  var view: String?
  /// How many notes it lists; nil where its query can't be read, and for a heading.
  let count: Int?

  /// The lines of a box: filters, kinds, tags of active notes.
  ///
  /// - Complexity: O(n) in all notes, one pass for all.
  static func all(in snapshot: BoxSnapshot) throws -> [SidebarItem] {
    let filters = snapshot.allFilters.map { (label: $0.name, query: "@\($0.name)") }
    let kinds = snapshot.schema().kinds.map { (label: $0.name, query: "kind:\($0.name)") }
    let listed = filters + kinds
    // One filter that can't be read is no reason to show none.
    let queries = listed.map { try? snapshot.query([$0.query]) }
    let readable = queries.compactMap { $0 }
    var counts = zip(readable, try snapshot.places(ofEach: readable)).map { query, places in
      min(places.count, query.limit ?? .max)
    }[...]
    let items = zip(listed, queries).map { item, query in
      SidebarItem(label: item.label, query: item.query, count: query.flatMap { _ in counts.popFirst() })
    }
    let tags = try snapshot.activeTags()
    let views = snapshot.settings.viewLines.map { saved in
      SidebarItem(label: saved.name, query: "", view: saved.name, count: nil)
    }
    return [heading("Filters")] + items.prefix(filters.count) + (views.isEmpty ? [] : [heading("Views")])
      + views + [heading("Kinds")]
      + items.dropFirst(filters.count) + (tags.isEmpty ? [] : [heading("Tags")])
      + tags.map { SidebarItem(label: "#\($0.name)", query: "+\($0.name)", count: $0.count) }
  }

  private static func heading(_ label: String) -> SidebarItem {
    SidebarItem(label: label, query: nil, count: nil)
  }
}
