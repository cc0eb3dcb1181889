import Foundation
import SlipboxTesting
import Testing

@testable import SlipboxPage

struct ServerRecordTests {
  @Test func isReadByItsUserAlone() throws {
    let folder = try TemporaryFolder()
    let file = ServerRecord.file(
      ofBox: Array("/box".utf8), isReadOnly: false, in: folder.bytes + Array("/state/slipbox".utf8))
    let record = ServerRecord(port: 4_711, token: ServerRecord.newToken())
    try record.write(to: file)
    #expect(ServerRecord(at: file) == record)
    let path = String(decoding: file, as: UTF8.self)
    #expect(try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int == 0o600)
    try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: path)
    #expect(ServerRecord(at: file) == nil)
  }

  @Test(arguments: [
    "", "4711", "x 0123456789abcdef0123456789abcdef", "0 0123456789abcdef0123456789abcdef", "80 0123",
    "80 0123456789ABCDEF0123456789ABCDEF",
  ])
  func damagedRecordsAreNone(_ text: String) throws {
    let folder = try TemporaryFolder()
    try folder.write("r", text)
    try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: folder.path + "/r")
    #expect(ServerRecord(at: folder.bytes + Array("/r".utf8)) == nil)
  }

  @Test func tokensAreOfTheirForm() {
    let tokens = (0..<50).map { _ in ServerRecord.newToken() }
    #expect(Set(tokens).count == 50)
    #expect(tokens.allSatisfy { $0.utf8.count == 32 && $0.allSatisfy(\.isHexDigit) })
  }

  @Test func eachBoxAndModeHasItsOwn() {
    let files = [("/a", false), ("/a", true), ("/b", false)].map {
      ServerRecord.file(ofBox: Array($0.0.utf8), isReadOnly: $0.1, in: Array("/s".utf8))
    }
    #expect(Set(files).count == 3)
  }
}
