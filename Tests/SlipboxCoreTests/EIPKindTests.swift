import Foundation
import NoteIndex
import Notes
import SlipboxTesting
import Testing

@testable import SlipboxCore

/// Records that another tool writes, described by a kind of the user's own.
@Suite struct EIPKindTests {
  private static let kind = """
    comment: a proposal to improve Ethereum
    match: MATCH
    key: eip
    active: NOT status:final,moved,withdrawn,stagnant
    sort: eip
    fields:
      eip: {type: integer, required: true, min: 1}
      title: {type: text, required: true, not-empty: true}
      author: {type: text, required: true}
      status:
        type: choice
        values: [Draft, Review, Last Call, Final, Living, Stagnant, Withdrawn, Moved]
        required: true
      type: {type: choice, values: [Standards Track, Meta, Informational]}
      category: {type: choice, values: [Core, Networking, Interface, ERC]}
      created: {type: date, looks: back}
      requires: {type: list of reference, to: eip, commas: true}
      withdrawal-reason: text
    row: [eip, status, title]

    """

  /// What a few lines of text processing find in the files, without any of slip's readers.
  private struct Plain {
    let path: String
    let fields: [String: String]

    init?(_ path: String, in folder: String) {
      guard let data = FileManager.default.contents(atPath: folder + "/" + path) else { return nil }
      let lines = String(decoding: data, as: UTF8.self).components(separatedBy: "\n")
      guard lines.first == "---", let end = lines.dropFirst().firstIndex(of: "---") else { return nil }
      var fields: [String: String] = [:]
      for line in lines[1..<end] {
        guard let colon = line.firstIndex(of: ":") else { continue }
        fields[String(line[..<colon])] = line[line.index(after: colon)...].trimmingCharacters(
          in: .whitespaces)
      }
      self.path = path
      self.fields = fields
    }

    var requires: [String] {
      (fields["requires"] ?? "").components(separatedBy: ",").map { $0.trimmingCharacters(in: .whitespaces) }
    }
  }

  @Test(.enabled(if: Machine.hasCorpora, "needs ../shared/corpora"))
  func aKindFileDescribesThem() throws {
    let bundle = try #require(corpus("eips"))
    let folder = try TemporaryFolder()
    try folder.git("clone", "-q", bundle, "box")
    let path = folder.path + "/box"
    try giveIdentity(path)
    _ = try initialise(path, context(in: path))
    let names = try run("git", ["ls-files", "-z", "*.md"], in: path).output.split(separator: "\0").map(
      String.init)
    let plain = names.filter { !$0.hasPrefix(".") }.compactMap { Plain($0, in: path) }
      .filter { $0.fields["eip"]?.isEmpty == false }

    let box = try box(path, in: folder, match: "has:eip")
    try findsWhatAPlainCountFinds(box, plain)
    try reportsWhatBreaksIt(box, plain)
    // Without the proposals that went to another repository, what requires one of them refers to nothing.
    let fewer = try self.box(path, in: folder, match: "has:eip NOT status:moved")
    try reportsWhatBreaksIt(fewer, plain.filter { $0.fields["status"] != "Moved" })
    #expect(try run("git", ["status", "--porcelain"], in: path).output == "?? .slipbox/kinds/\n")
  }

  private func box(_ path: String, in folder: TemporaryFolder, match: String) throws -> BoxInTest {
    let text = Self.kind.replacingOccurrences(of: "MATCH", with: match)
    try folder.write("box/.slipbox/kinds/eip.yaml", text)
    return try BoxInTest(at: Array(path.utf8), context(in: path))
  }

  private func found(_ box: BoxInTest, _ query: String...) throws -> [String] {
    try box.now.matches(try box.now.query(query)).map { String(decoding: $0.entry.note.path, as: UTF8.self) }
  }

  private func findsWhatAPlainCountFinds(_ box: BoxInTest, _ plain: [Plain]) throws {
    #expect(Set(try found(box, "kind:eip")) == Set(plain.map(\.path)))
    let drafts = plain.filter { $0.fields["status"] == "Draft" && $0.fields["type"] == "Standards Track" }
    let sorted = try found(box, "kind:eip", "status:draft", "type:standards track", "sort:-created")
    #expect(sorted.count > 50 && Set(sorted) == Set(drafts.map(\.path)))
    let dates = sorted.map { path in plain.first { $0.path == path }?.fields["created"] ?? "" }
    #expect(dates == dates.sorted(by: >))
    let needing = plain.filter { $0.requires.contains("1559") }.map(\.path)
    let requiring = try found(box, "requires:1559")
    #expect(needing.count > 5 && Set(requiring) == Set(needing))
  }

  private func reportsWhatBreaksIt(_ box: BoxInTest, _ plain: [Plain]) throws {
    // Some proposals link to files that are not in this repository.
    let findings = try BoxCheck(in: try box.now).findings().filter { $0.rule != .links }
    let known = Set(plain.compactMap { $0.fields["eip"] })
    let dangling = plain.flatMap { eip in
      eip.requires.filter { !$0.isEmpty && !known.contains($0) }.map {
        "\(eip.path): requires: there is no eip \($0)"
      }
    }
    #expect(Set(lines(findings.filter { $0.rule == .references })) == Set(dangling))
    let authorless = plain.filter { $0.fields["author"] == nil }.map {
      "\($0.path): author: missing, and kind eip requires it"
    }
    let others = Set(lines(findings.filter { $0.rule != .references })).subtracting(authorless)
    #expect(lines(findings).count == dangling.count + authorless.count + others.count)
    // The template for new proposals is no proposal, and has a text in the place of its date.
    #expect(
      others.count == 1 && others.allSatisfy { $0.hasPrefix("eip-template.md: created: <date") }, "\(others)")
  }

  private func lines(_ findings: [Finding]) -> [String] {
    findings.map { "\(String(decoding: $0.path, as: UTF8.self)): \($0.message)" }
  }
}
