import Bytes
import Notes
import Platform
import Presentation
import Synchronization

/// A text that is open in the editor, at one moment.
///
/// Immutable; a change makes the next one. What follows from the text is worked out when it is first asked for.
final class OpenDocument: Sendable {
  /// The address as the client writes it.
  let uri: String
  /// The absolute path of the file; nil for a text without one.
  let path: [UInt8]?
  /// The version that the client gave.
  let version: Int
  let bytes: [UInt8]
  let lines: LineTable
  private let encoding: PositionEncoding
  private let computedNote = Mutex<(path: [UInt8], note: Note)?>(nil)

  init(uri: String, path: [UInt8]?, version: Int, bytes: [UInt8], encoding: PositionEncoding) {
    self.uri = uri
    self.path = path
    self.version = version
    self.bytes = bytes
    self.encoding = encoding
    lines = LineTable(bytes, encoding)
  }

  var text: NoteText { NoteText(bytes) }

  /// The note that the text is under a path in its box.
  func note(at path: [UInt8]) -> Note {
    computedNote.withLock { known in
      if let known, known.path == path { return known.note }
      let note = Note(path: path, text: text)
      known = (path, note)
      return note
    }
  }

  /// The document after some changes, each made on the result of the one before.
  func applying(_ changes: [ContentChange], version: Int) -> OpenDocument {
    var bytes = bytes
    var lines = lines
    for (number, change) in changes.enumerated() {
      if let range = change.range {
        bytes.replaceSubrange(lines.offsets(of: range), with: change.text.utf8)
      } else {
        bytes = Array(change.text.utf8)
      }
      if number < changes.count - 1 { lines = LineTable(bytes, encoding) }
    }
    return OpenDocument(uri: uri, path: path, version: version, bytes: bytes, encoding: encoding)
  }

  /// The document with another text of the same version.
  func replacing(_ text: String) -> OpenDocument {
    OpenDocument(uri: uri, path: path, version: version, bytes: Array(text.utf8), encoding: encoding)
  }
}

/// A change of an open text: of a part of it, or of all.
struct ContentChange: Decodable, Sendable {
  let range: PositionRange?
  let text: String
}

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

/// Which text an editor has after a save, where it says another than is known.
enum SavedTextOrigin {
  /// More bytes than this are no note that is read to decide it.
  private static let most = 64 << 20

  /// Whether the text that came with a save is the editor's.
  ///
  /// The file that was just written tells. There are clients whose text of a save is not what they wrote, such as ALE's with a
  /// backslash and an n for each line end.
  static func isOfEditor(_ text: String, _ document: OpenDocument) -> Bool {
    guard let path = document.path, let file = try? Files.read(path, limit: most) else { return true }
    return haveSameLines(file, Array(text.utf8))
  }

  /// Whether two texts differ in nothing but what editors keep from their users: kinds of line ends, the last one, a mark of
  /// the encoding.
  private static func haveSameLines(_ left: [UInt8], _ right: [UInt8]) -> Bool {
    lines(left).elementsEqual(lines(right))
  }

  private static func lines(_ text: [UInt8]) -> [UInt8] {
    let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
    var lines: [UInt8] = []
    lines.reserveCapacity(text.count)
    for byte in text.dropFirst(text.starts(with: mark) ? mark.count : 0) {
      if byte == 0x0A, lines.last == 0x0D { lines.removeLast() }
      lines.append(byte)
    }
    if lines.last == 0x0A { lines.removeLast() }
    return lines
  }
}

/// The address of a file, `file:///path`, and back.
///
/// Source: RFC 8089 and RFC 3986, section 2.
enum DocumentURI {
  /// The absolute path of a file; nil for an address of anything else.
  static func path(_ uri: String) -> [UInt8]? {
    let bytes = Array(uri.utf8)
    let scheme = Array("file://".utf8)
    guard bytes.count > scheme.count, bytes.prefix(scheme.count).map(ASCII.lowerCased) == scheme,
      let slash = bytes[scheme.count...].firstIndex(of: UInt8(ascii: "/"))
    else { return nil }
    let host = String(decoding: bytes[scheme.count..<slash], as: UTF8.self).lowercased()
    guard host.isEmpty || host == "localhost" else { return nil }
    let path = PercentEncoding.decoded(bytes[slash...].prefix { !"?#".utf8.contains($0) })
    return path.contains(0) ? nil : path
  }

  /// The address of a file with an absolute path.
  static func uri(_ path: [UInt8]) -> String { FileURL.text(path) }
}

/// The address of a document in a message.
struct DocumentIdentifier: Codable, Sendable {
  let uri: String
}

/// The document whose text is to be changed, at a version of it where one is known.
struct VersionedDocument: Codable, Sendable {
  let uri: String
  let version: Int?

  private enum CodingKeys: CodingKey { case uri, version }

  init(uri: String, version: Int?) {
    self.uri = uri
    self.version = version
  }

  // The version of a file that is not open is null, and not left out.
  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(uri, forKey: .uri)
    try container.encode(version, forKey: .version)
  }
}

/// The parameters of `textDocument/didOpen`.
struct DidOpenParams: Decodable {
  struct Document: Decodable {
    let uri: String
    let version: Int
    let text: String
  }

  let textDocument: Document
}

/// The parameters of `textDocument/didChange`.
struct DidChangeParams: Decodable {
  let textDocument: VersionedDocument
  let contentChanges: [ContentChange]
}

/// The parameters of `textDocument/didSave`.
struct DidSaveParams: Decodable {
  let textDocument: DocumentIdentifier
  let text: String?
}

/// The parameters of requests about a whole document, and of `textDocument/didClose`.
struct DocumentParams: Decodable, Sendable {
  let textDocument: DocumentIdentifier
}

/// The parameters of requests about a place in a document.
struct PlaceParams: Decodable, Sendable {
  let textDocument: DocumentIdentifier
  let position: Position
}

/// The parameters of requests about a part of a document.
struct RangeParams: Decodable, Sendable {
  let textDocument: DocumentIdentifier
  let range: PositionRange
}

/// The parameters of `textDocument/references`.
struct ReferenceParams: Decodable, Sendable {
  struct Context: Decodable, Sendable {
    let includeDeclaration: Bool
  }

  let textDocument: DocumentIdentifier
  let position: Position
  let context: Context?
}

/// The parameters of `workspace/symbol`.
struct SymbolParams: Decodable, Sendable {
  let query: String
}
