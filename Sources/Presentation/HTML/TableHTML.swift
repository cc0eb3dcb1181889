import CCmark

/// The rows and cells of a table.
struct TableHTML {
  private let alignments: [UInt8]
  private var isHeader = true
  private var hasBody = false
  private var column = 0

  init(_ node: OpaquePointer) {
    let count = Int(cmark_gfm_extensions_get_table_columns(node))
    alignments = Array(
      UnsafeBufferPointer(start: cmark_gfm_extensions_get_table_alignments(node), count: count))
  }

  mutating func enterRow(_ node: OpaquePointer, _ out: inout MarkupWriter) {
    isHeader = cmark_node_previous(node) == nil
    column = 0
    if isHeader {
      out.add("<thead>\n")
    } else if !hasBody {
      out.add("<tbody>\n")
      hasBody = true
    }
    out.add("<tr>")
  }

  mutating func leaveRow(_ out: inout MarkupWriter) {
    out.add("</tr>\n")
    if isHeader { out.add("</thead>\n") }
  }

  mutating func enterCell(_ out: inout MarkupWriter) {
    out.add(isHeader ? "<th" : "<td")
    switch alignments.indices.contains(column) ? alignments[column] : 0 {
    case UInt8(ascii: "r"): out.add(" class=\"right\"")
    case UInt8(ascii: "c"): out.add(" class=\"centre\"")
    default: break
    }
    out.add(">")
  }

  mutating func leaveCell(_ out: inout MarkupWriter) {
    out.add(isHeader ? "</th>" : "</td>")
    column += 1
  }

  func leave(_ out: inout MarkupWriter) {
    if hasBody { out.add("</tbody>\n") }
  }
}
