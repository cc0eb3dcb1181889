internal import Text

/// The names of many kinds, found without regard to case.
struct KindNames {
  /// Above this many names no other one is suggested: each look takes in all of them.
  private static let mostForSuggestions = 500

  private let all: [String]
  private let keys: Set<[UInt8]>

  init(_ names: [String]) {
    all = names
    keys = Set(names.map(Self.key))
  }

  /// What two names that are equal but for case have in common.
  static func key(_ name: String) -> [UInt8] { Array(name.lowercased().utf8) }

  /// Whether a kind has a name.
  func contain(_ name: String) -> Bool { keys.contains(Self.key(name)) }

  /// The name most like another one, but for one that is left out.
  func nearest(to name: String, except left: String? = nil) -> String? {
    guard all.count <= Self.mostForSuggestions else { return nil }
    return Spelling.nearest(to: name, among: all.filter { $0 != left })
  }
}
