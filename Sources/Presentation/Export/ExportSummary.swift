package import SlipboxCore

/// What an export has written, in a line and as JSON.
package enum ExportSummary {
  /// Such as `812 pages written, 3 removed, 809 unchanged`; the pages are all files of the site.
  package static func line(_ result: ExportResult) -> String {
    let pages = result.written == 1 ? "1 page" : "\(result.written) pages"
    return "\(pages) written, \(result.removed) removed, \(result.unchanged) unchanged"
  }

  /// A site in a folder.
  package static func site(_ result: ExportResult, _ path: [UInt8], count: Int) -> [UInt8] {
    JSONDocument.object { writer in
      writer.member("format", "html")
      writer.member("path", bytes: path)
      writer.member("notes", count)
      writer.member("written", result.written)
      writer.member("removed", result.removed)
      writer.member("unchanged", result.unchanged)
    }
  }

  /// One file.
  package static func file(_ format: String, _ path: [UInt8], count: Int) -> [UInt8] {
    JSONDocument.object { writer in
      writer.member("format", format)
      writer.member("path", bytes: path)
      writer.member("notes", count)
    }
  }
}
