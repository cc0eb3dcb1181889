package import Git
import Text

/// Remotes with their addresses, for people.
package enum RemoteRows {
  /// A line a remote; passwords in addresses are left out.
  package static func lines(_ remotes: [Repository.Remote], _ display: Display) -> [String] {
    var table = Table(columns: [.init(), .init()], style: display.style, width: display.width)
    for remote in remotes {
      let push = remote.pushAddress.map { " (sends to \(Visible.escape($0.shown)))" } ?? ""
      table.add([Visible.escape(remote.name), Visible.escape(remote.address?.shown ?? "") + push])
    }
    return table.lines()
  }
}
