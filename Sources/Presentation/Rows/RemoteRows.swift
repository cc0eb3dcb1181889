import Bytes
package import Git
import Text

/// Remotes with their addresses, for people.
package enum RemoteRows {
  /// A line a remote; passwords in addresses are left out.
  package static func lines(_ remotes: [Remote], _ display: Display) -> [String] {
    var table = Table(columns: [.init(), .init()], style: display.style, width: display.width)
    for remote in remotes {
      let push = remote.pushAddress.map { " (pushes to \(Visible.escape($0.shown)))" } ?? ""
      table.add([Visible.escape(remote.name), Visible.escape(remote.address?.shown ?? "") + push])
    }
    return table.lines()
  }
}

/// Remotes as JSON.
package enum RemoteJSON {
  /// A list of remotes; passwords in addresses are left out.
  package static func list(_ remotes: [Remote]) -> [UInt8] {
    JSONDocument.list("remotes", remotes) { remote, writer in
      writer.object {
        $0.member("name", remote.name)
        $0.member("url", remote.address?.shown)
        $0.member("pushURL", remote.pushAddress?.shown)
      }
    }
  }
}
