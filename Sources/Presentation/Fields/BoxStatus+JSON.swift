import Git
package import SlipboxCore

extension BoxStatus {
  /// The status as a JSON object with its line end.
  package var json: [UInt8] {
    JSONDocument.object { writer in
      writer.member("notes", noteCount)
      writer.member("conflicts", conflictCount)
      writer.member("branch", branch)
      writer.member("upstream", upstream?.name)
      writer.member("ahead", upstream?.ahead)
      writer.member("behind", upstream?.behind)
      writer.member("operation", operation?.rawValue)
      writer.member("changes", of: changes) { change, writer in
        writer.object {
          $0.member("path", bytes: change.path)
          $0.member("state", change.difference.rawValue)
        }
      }
      writer.member("hidden", of: hiddenChanges) { change, writer in
        writer.object {
          $0.member("path", bytes: change.path)
          $0.member("flag", change.flag)
        }
      }
      writer.member("leftToGit", of: leftToGit) { change, writer in
        writer.object {
          $0.member("path", bytes: change.path)
          $0.member("change", change.change.rawValue)
        }
      }
      writer.member("settingsFiles", of: settingsFiles) { $1.string(bytes: $0) }
      writer.member("linkedFiles", of: linkedFiles) { $1.string(bytes: $0) }
      writer.member("copies", of: copies) { $1.string(bytes: $0) }
      writer.member("otherFiles", otherFileCount)
      writer.member("drafts", of: keptTexts) { text, writer in
        writer.object {
          $0.member("name", text.name)
          $0.member("path", bytes: text.file)
          $0.member("title", text.title)
        }
      }
    }
  }
}

extension Finding {
  /// Findings of the doctor as a JSON object with its line end.
  package static func json(_ findings: [Finding]) -> [UInt8] {
    JSONDocument.list("findings", findings) { finding, writer in
      writer.object { writer in
        writer.member("path", bytes: finding.path)
        writer.member("line", finding.line)
        writer.member("column", finding.column)
        writer.member("rule", finding.rule.rawValue)
        writer.member("message", finding.message)
        writer.member("fix", finding.fix)
        writer.member("fixable", finding.way != .byHand)
      }
    }
  }
}
