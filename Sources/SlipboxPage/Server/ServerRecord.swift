import Bytes
import Git
package import Platform

/// Where the server of a box listens, and the secret by which the user's browser is known: kept so that a second
/// `slip page` finds the first, and that a page goes on when its server was started again.
package struct ServerRecord: Sendable, Equatable {
  package let port: Int
  /// 32 hexadecimal digits.
  package let token: String

  package init(port: Int, token: String) {
    self.port = port
    self.token = token
  }

  /// A new secret of 128 bits.
  package static func newToken() -> String {
    var random = SystemRandomNumberGenerator()
    return Hexadecimal.text((0..<16).map { _ in random.next() as UInt8 })
  }

  /// The address that opens the page.
  package var address: String { "http://127.0.0.1:\(port)/#token=\(token)" }
}

extension ServerRecord {
  /// The file of the record of a box.
  ///
  /// - Parameter folder: the folder of what slip keeps for the user.
  package static func file(ofBox root: [UInt8], isReadOnly: Bool, in folder: [UInt8]) -> [UInt8] {
    let name = String(ObjectID(ofBlob: root).hex.prefix(16))
    return BytePath.join(folder, Array("page-\(name)\(isReadOnly ? "-read-only" : "")".utf8))
  }

  /// Reads a record; nil where there is none, where it is damaged, or where others could read it.
  package init?(at file: [UInt8]) {
    guard let bytes = Files.readPrivate(file) else { return nil }
    let words = String(decoding: bytes, as: UTF8.self).split(whereSeparator: { $0 == " " || $0 == "\n" })
    guard words.count == 2, let port = Int(words[0]), (1...65_535).contains(port),
      let secret = Hexadecimal.bytes(words[1]), secret.count == 16, Hexadecimal.text(secret) == words[1]
    else { return nil }
    self.init(port: port, token: String(words[1]))
  }

  /// Keeps the record where only the user can read it.
  package func write(to file: [UInt8]) throws(SystemError) {
    try Files.writePrivate(Array("\(port) \(token)\n".utf8), to: file)
  }
}
