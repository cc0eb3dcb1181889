/// The texts that are open in the editor.
struct Documents: Sendable {
  private var byURI: [String: OpenDocument] = [:]
  private var byPath: [[UInt8]: String] = [:]

  subscript(uri: String) -> OpenDocument? { byURI[uri] }

  /// The document of a file with an absolute path.
  subscript(path path: [UInt8]) -> OpenDocument? { byPath[path].flatMap { byURI[$0] } }

  var all: [OpenDocument] { byURI.values.sorted { $0.uri < $1.uri } }

  mutating func put(_ document: OpenDocument) {
    byURI[document.uri] = document
    if let path = document.path { byPath[path] = document.uri }
  }

  mutating func remove(_ uri: String) {
    guard let document = byURI.removeValue(forKey: uri) else { return }
    if let path = document.path, byPath[path] == uri { byPath[path] = nil }
  }
}
