package import SlipboxCore

/// The result of an export, in a line and as JSON.
package enum ExportSummary {
  /// Such as `336 notes: 12 files written, 3 removed, 543 unchanged`; the files are all those of the site.
  package static func line(_ result: ExportResult, count: Int) -> String {
    let files = EnglishWord.count(result.written, "file")
    return "\(Count.notes(count)): \(files) written, \(result.removed) removed, \(result.unchanged) unchanged"
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

  /// A site on a branch.
  ///
  /// - Parameter commit: nil if the branch had the site already.
  package static func site(_ result: ExportResult, branch: String, _ commit: String?, count: Int) -> [UInt8] {
    JSONDocument.object { writer in
      writer.member("format", "html")
      writer.member("branch", branch)
      if let commit { writer.member("commit", commit) }
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
