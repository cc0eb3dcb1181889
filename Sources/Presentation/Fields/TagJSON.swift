package import SlipboxCore

/// Tags with their numbers of notes as JSON.
package enum TagJSON {
  /// A list of tags.
  package static func list(_ tags: [TagCount]) -> [UInt8] {
    JSONDocument.list("tags", tags) { tag, writer in
      writer.object { members(of: tag, to: &$0) }
    }
  }

  /// Tags under their parents.
  package static func tree(_ branches: [TagBranch]) -> [UInt8] {
    JSONDocument.list("tags", branches, write)
  }

  private static func write(_ branch: TagBranch, to writer: inout JSONWriter) {
    writer.object { writer in
      members(of: branch.tag, to: &writer)
      if !branch.children.isEmpty { writer.member("children", of: branch.children, write) }
    }
  }

  private static func members(of tag: TagCount, to writer: inout JSONWriter) {
    writer.member("tag", tag.name)
    writer.member("active", tag.active)
    writer.member("all", tag.all)
    if tag.isDeclared { writer.member("declared", true) }
  }
}

/// Filters as JSON.
package enum FilterJSON {
  /// A list of filters with their queries.
  package static func list(_ filters: [(name: String, query: String)]) -> [UInt8] {
    JSONDocument.list("filters", filters) { filter, writer in
      writer.object {
        $0.member("name", filter.name)
        $0.member("query", filter.query)
      }
    }
  }
}
