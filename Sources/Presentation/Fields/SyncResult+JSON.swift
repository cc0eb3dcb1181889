import Bytes
package import Git
package import Notes
package import SlipboxCore

extension SyncResult {
  /// What was done as a JSON object with its line end.
  ///
  /// - Parameter prefix: the path of the box in its repository.
  package func json(under prefix: [UInt8]) -> [UInt8] {
    JSONDocument.object { writer in
      writer.member("remote", target.remote.name)
      writer.member("branch", target.branchThere ?? target.branch)
      writer.member("committedFiles", committedCount)
      writer.member("notCommitted", of: refusals) { refusal, writer in
        writer.object {
          $0.member("path", bytes: refusal.path)
          $0.member("message", refusal.reason.message)
        }
      }
      writer.member("commitsReceived", cameCommits)
      writer.member("received", of: came) { $0.write(to: &$1) }
      writer.member("commitsSent", wentCommits)
      writer.member("sent", of: went) { $0.write(to: &$1) }
      writer.member("conflicts", of: conflicts) { conflict, writer in
        writer.object { conflict.write(to: &$0, under: prefix) }
      }
      for (name, findings) in [("repaired", healed.repaired), ("damaged", healed.left)] {
        writer.member(name, of: findings) { finding, writer in
          writer.object {
            $0.member("path", bytes: finding.path)
            $0.member("title", finding.title)
          }
        }
      }
      writer.member("kept", keptName)
      writer.key("messages")
      writer.strings(words)
    }
  }
}

extension SyncStatus {
  /// The status as a JSON object with its line end.
  package var json: [UInt8] {
    JSONDocument.object { writer in
      writer.member("remote", target.remote.name)
      writer.member("branch", target.branchThere ?? target.branch)
      writer.member("ahead", ahead)
      writer.member("behind", behind)
      writer.member("uncommittedFiles", uncommittedCount)
      writer.member("fetched", fetchedSeconds.map(Int.init))
    }
  }
}

extension SyncResult.File {
  fileprivate func write(to writer: inout JSONWriter) {
    writer.object {
      $0.member("path", bytes: path)
      $0.member("change", change.rawValue)
      $0.member("title", title)
    }
  }
}

extension MergeConflict {
  fileprivate func write(to writer: inout JSONWriter, under prefix: [UInt8]) {
    writer.member("path", bytes: Array(path.dropFirst(prefix.count)))
    switch kind {
    case .parts(let names):
      writer.key("parts")
      writer.strings(names)
    case .deleted: writer.member("deleted", true)
    case .joined: writer.member("joined", true)
    case .renamed(let path): writer.member("renamedFrom", bytes: Array(path.dropFirst(prefix.count)))
    case .apart(let other): writer.member("other", bytes: Array(other.dropFirst(prefix.count)))
    }
  }
}

extension NoteConflict {
  /// What is in conflict in a note as JSON, with the numbers by which versions are chosen.
  package static func json(_ conflicts: [NoteConflict], of note: Note) -> [UInt8] {
    JSONDocument.object { writer in
      writer.member("id", note.id?.description)
      writer.member("path", bytes: note.path)
      writer.member("conflicts", of: conflicts) { conflict, writer in
        writer.object { writer in
          writer.member("name", conflict.name)
          writer.member("versions", of: Array(conflict.versions.enumerated())) { version, writer in
            version.element.write(number: version.offset + 1, to: &writer)
          }
        }
      }
    }
  }
}

extension NoteConflict.Version {
  fileprivate func write(number: Int, to writer: inout JSONWriter) {
    writer.object { writer in
      writer.member("number", number)
      if let text {
        writer.member("value", bytes: text)
      } else if let value {
        writer.key("value")
        writer.json(value.json)
      }
      for (name, text) in [("when", when), ("device", device), ("who", who)] where !text.isEmpty {
        writer.member(name, text)
      }
    }
  }
}

/// Remotes as JSON.
package enum RemoteJSON {
  /// A list of remotes; passwords in addresses are left out.
  package static func list(_ remotes: [Repository.Remote]) -> [UInt8] {
    JSONDocument.list("remotes", remotes) { remote, writer in
      writer.object {
        $0.member("name", remote.name)
        $0.member("url", remote.address?.shown)
        $0.member("pushURL", remote.pushAddress?.shown)
      }
    }
  }
}
