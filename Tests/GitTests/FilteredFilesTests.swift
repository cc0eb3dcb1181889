import Bytes
import Git
import SlipboxTesting
import Testing

/// Files behind a filter are stored and read as git itself does it.
@Suite struct FilteredFilesTests {
  private static let plain = Array("A marker word.\n\nUmläute, and no line feed at the end".utf8)
  private static let rules = "secret/** filter=turn\n"

  /// A repository with a filter that swaps letters and marks its output, so that both ways differ.
  private func repository(required: Bool = true) throws -> TestRepository {
    let test = try TestRepository()
    try test.git("config", "filter.turn.clean", "echo stored %f; tr a-z n-za-m")
    try test.git("config", "filter.turn.smudge", "sed 1d | tr a-z n-za-m")
    try test.git("config", "filter.turn.required", "\(required)")
    try test.folder.write(".gitattributes", Self.rules)
    return test
  }

  @Test(arguments: ["secret/a.md", "secret/deep er/ü $x.md", "secret/--b.md"])
  func theStoredFormIsThatOfGit(path: String) throws {
    let test = try repository()
    let name = Array(path.utf8)
    try test.folder.write(path, String(decoding: Self.plain, as: UTF8.self))
    let expected = try test.line("hash-object", "--", path)
    #expect(try test.repository.attributes.isFiltered(name))
    #expect(try test.repository.conversion.contentID(of: Self.plain, path: name).hex == expected)
    let id = try test.repository.conversion.writeBlob(Self.plain, path: name)
    #expect(id.hex == expected)
    #expect(try test.git("cat-file", "blob", id.hex).hasPrefix("stored "))
    // Another instance has to ask the filter again.
    let again = try test.reopened()
    #expect(try again.conversion.content(of: id, at: name) == Self.plain)
    #expect(try again.blob(id) != Self.plain)
  }

  @Test(arguments: ["secret/a.md filter=turn", "*.md text eol=crlf"])
  func versionsOfOneFileAreCheckedOutEach(rule: String) throws {
    let test = try repository()
    try test.folder.write(".gitattributes", rule + "\n")
    let path = Array("secret/a.md".utf8)
    let texts = ["one\n", "two\n", "three\n"].map { Array($0.utf8) }
    let files = try (texts + [texts[0]]).map { text in
      CheckoutFile(
        path: path, blob: try test.repository.conversion.writeBlob(text, path: path), mode: 0o100644)
    }
    let plain = try test.repository.conversion.checkedOut(files).map { $0.filter { $0 != 13 } }
    #expect(plain == texts + [texts[0]])
  }

  @Test func otherFilesAreAsTheyAreStored() throws {
    let test = try repository()
    let id = try test.repository.conversion.writeBlob(Self.plain, path: Array("open.md".utf8))
    #expect(try !test.repository.attributes.isFiltered(Array("open.md".utf8)))
    #expect(try test.repository.conversion.content(of: id, at: Array("open.md".utf8)) == Self.plain)
    #expect(id == ObjectID(ofBlob: Self.plain))
  }

  @Test(arguments: [true, false]) func aFilterThatFailsStoresNothing(required: Bool) throws {
    let test = try repository(required: required)
    let path = Array("secret/a.md".utf8)
    let id = try test.repository.conversion.writeBlob(Self.plain, path: path)
    try test.git("config", "filter.turn.clean", "false")
    try test.git("config", "filter.turn.smudge", "false")
    let again = try test.reopened()
    let other = Array("another text\n".utf8)
    #expect(gitError { try again.conversion.writeBlob(other, path: path) }?.reason == .filterFailed)
    #expect(gitError { try again.conversion.content(of: id, at: path) }?.reason == .filterFailed)
    #expect(gitError { try again.blob(ObjectID(ofBlob: other)) }?.reason == .missing)
  }

  @Test(arguments: ["info", "nested", "configured"]) func attributesMayStandElsewhere(place: String) throws {
    let test = try repository()
    try test.folder.write(".gitattributes", "* text=auto\n")
    switch place {
    case "info": try test.folder.write(".git/info/attributes", Self.rules)
    case "nested": try test.folder.write("secret/.gitattributes", "*.md filter=turn\n")
    default:
      try test.folder.write("rules", Self.rules)
      try test.git("config", "core.attributesFile", test.folder.path + "/rules")
    }
    #expect(try test.reopened().attributes.isFiltered(Array("secret/a.md".utf8)))
    #expect(try !test.reopened().attributes.isFiltered(Array("a.md".utf8)))
  }

  @Test func attributesThatAnotherProgramWroteAreSeenAfterForgettingFilters() throws {
    let test = try repository()
    try test.folder.write(".gitattributes", "* text=auto\n")
    let (repository, path) = (test.repository, Array("secret/a.md".utf8))
    #expect(try !repository.attributes.isFiltered(path))
    try test.folder.write(".gitattributes", Self.rules)
    #expect(try !repository.attributes.isFiltered(path))
    repository.attributes.forget()
    #expect(try repository.attributes.isFiltered(path))
  }

  @Test(arguments: [
    ("\0GITCRYPT\0abc", StoredForm.gitCrypt), ("age-encryption.org/v1\n-> X25519 a\n", .age),
    ("-----BEGIN AGE ENCRYPTED FILE-----\nYWdl\n", .age),
    ("version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 1\n", .lfsPointer),
  ]) func knownHeadersAreStoredForms(text: String, form: StoredForm) throws {
    let test = try TestRepository()
    let found = try test.repository.attributes.storedForm(
      in: Array(text.utf8), of: Array("open.md".utf8), isInWorkTree: true)
    #expect(found == form)
  }

  @Test func bytesThatAreNoTextAreAStoredFormIfTheFilterDidNotRun() throws {
    let test = try TestRepository()
    try test.folder.write(".gitattributes", Self.rules)
    let (cipher, path) = ([UInt8]([0x80, 0xFF, 0, 0x41]), Array("secret/a.md".utf8))
    let form = { (repository: Repository, path: [UInt8], bytes: [UInt8], isInWorkTree: Bool) in
      try repository.attributes.storedForm(in: bytes, of: path, isInWorkTree: isInWorkTree)
    }
    #expect(try form(test.repository, path, cipher, true) == .unknown(filter: "turn"))
    #expect(try form(test.repository, path, cipher, false) == .unknown(filter: "turn"))
    #expect(try form(test.repository, path, Self.plain, true) == nil)
    #expect(try form(test.repository, Array("open.md".utf8), cipher, true) == nil)
    // With the filter, the note itself may have such bytes, but not those of the blob.
    let blob = try test.repository.writeBlob(asStored: cipher)
    try test.git("config", "filter.turn.smudge", "cat")
    #expect(try form(test.reopened(), path, cipher, true) == nil)
    try test.git("update-index", "--add", "--cacheinfo", "100644,\(blob.hex),secret/a.md")
    #expect(try form(test.reopened(), path, cipher, true) == .unknown(filter: "turn"))
    #expect(try form(test.reopened(), path, cipher, false) == nil)
  }

  @Test func aFilterNeedsAProgramForEachUse() throws {
    let test = try TestRepository()
    try test.git("config", "filter.one.clean", "cat")
    try test.git("config", "filter.two.smudge", "cat")
    try test.git("config", "filter.both.process", "cat")
    try test.git("config", "filter.none.clean", "")
    let repository = try test.reopened()
    let uses: [FileAttributes.FilterUse] = [.storing, .checkingOut, .either]
    let found = { (setting: String) in uses.map { repository.attributes.hasProgram(for: setting, $0) } }
    #expect(found("filter=one") == [true, false, true])
    #expect(found("filter=two") == [false, true, true])
    #expect(found("filter=both") == [true, true, true])
    #expect(found("filter=none") == [false, false, false])
    #expect(found("working-tree-encoding=UTF-16") == [false, true, false])
  }
}
