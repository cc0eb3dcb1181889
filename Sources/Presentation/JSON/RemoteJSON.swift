package import Git

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
