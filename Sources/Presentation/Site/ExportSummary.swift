import NoteIndex
import Notes
import Text
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

/// Exposures as rows and as JSON.
package struct ExposureRows {
  private let site: Site
  private let exposures: [Exposure]

  package init(_ site: Site, _ exposures: [Exposure]) {
    self.site = site
    self.exposures = exposures
  }

  /// A row each with tabs between its columns: the hidden note, the note on the site, the line, the way, the words.
  package func rows() -> [String] {
    exposures.map { exposure in
      NoteColumns.row([
        name(exposure.target), source(exposure).shownName.description,
        String(exposure.line), exposure.way,
        exposure.text,
      ])
    }
  }

  /// The exposures of each hidden note below its title.
  package func table(_ display: Display) -> [String] {
    var lines: [String] = []
    for (index, exposure) in exposures.enumerated() {
      if index == 0 || exposures[index - 1].target != exposure.target {
        lines.append(display.style.bold(heading(exposure.target)))
      }
      let place = "\(Visible.escape(source(exposure).title)):\(exposure.line):"
      lines.append("  \(display.style.dim(place)) \(exposure.way) \(Visible.escape(exposure.text))")
    }
    return lines
  }

  package func json() -> [UInt8] {
    JSONDocument.list("exposures", exposures) { exposure, writer in
      writer.object { writer in
        switch exposure.target {
        case .note(let place): writer.names(of: note(place))
        case .file(let path): writer.member("path", bytes: path)
        case .page: break
        }
        writer.key("shownBy")
        writer.object { $0.names(of: source(exposure)) }
        writer.member("line", exposure.line)
        writer.member("form", exposure.way)
        writer.member("text", exposure.text)
      }
    }
  }

  /// The name of the target of the words; a dash for the note itself.
  private func name(_ target: ExposureTarget) -> String {
    switch target {
    case .note(let place): note(place).shownName.description
    case .file(let path): Visible.escape(path)
    case .page: "-"
    }
  }

  private func heading(_ target: ExposureTarget) -> String {
    switch target {
    case .note(let place): Site.name(note(place))
    case .file(let path): Visible.escape(path)
    case .page: "Open comments, refused permalinks and old titles"
    }
  }

  private func note(_ place: Int) -> Note { site.contents.entries[place].note }
  private func source(_ exposure: Exposure) -> Note { site.contents.entry(exposure.source).note }
}
