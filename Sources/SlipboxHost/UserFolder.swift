import Platform

/// A folder of slip's own in the user's home.
///
/// Source: XDG Base Directory Specification 0.8.
package enum UserFolder: Sendable {
  /// Settings of the user.
  case configuration
  /// What may be lost: which servers are running.
  case state

  /// The absolute path; nil where the user has no home.
  package var path: [UInt8]? {
    let (variable, place) =
      switch self {
      case .configuration: ("XDG_CONFIG_HOME", ".config")
      case .state: ("XDG_STATE_HOME", ".local/state")
      }
    if let folder = environment(variable), folder.hasPrefix("/") { return Array("\(folder)/slipbox".utf8) }
    guard let home = environment("HOME"), home.hasPrefix("/") else { return nil }
    return Array("\(home)/\(place)/slipbox".utf8)
  }
}
