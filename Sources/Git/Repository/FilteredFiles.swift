/// Contents of files behind filters, and which files are behind one, as far as a repository has looked.
struct FilteredFiles {
  /// A file before its filter.
  struct Plain: Hashable {
    let path: [UInt8]
    let id: ObjectID
  }

  /// The most contents that are kept; with more, all are forgotten.
  private static let limit = 512

  /// Whether a file of attributes that holds for all files names a filter; nil if it was not looked for.
  var isNamedForAll: Bool?
  /// Whether the file of attributes in a folder names a filter.
  var folders: [[UInt8]: Bool] = [:]
  /// Contents by the blobs as which they are stored.
  private(set) var contents: [ObjectID: [UInt8]] = [:]
  /// Stored forms by the files.
  private(set) var stored: [Plain: [UInt8]] = [:]

  mutating func remember(_ content: [UInt8], for id: ObjectID) {
    if contents.count == Self.limit { contents = [:] }
    contents[id] = content
  }

  mutating func remember(_ form: [UInt8], for plain: Plain) {
    if stored.count == Self.limit { stored = [:] }
    stored[plain] = form
  }
}
