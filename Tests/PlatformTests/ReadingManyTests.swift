import Platform
import SlipboxTesting
import Testing

@Suite struct ReadingManyTests {
  private func texts(_ folder: TemporaryFolder, _ paths: [[UInt8]], limit: Int? = nil) throws -> [String] {
    try BoxFolder(folder.bytes).readAll(paths, limit: limit) { index, reading in
      switch reading {
      case .success(let file): "\(index) \(s(file.bytes) ?? "") \(file.status.size)"
      case .failure(let error): "\(index) \(error.code)"
      }
    }
  }

  @Test(arguments: [0, 1, 40, 1_000]) func keepsTheOrder(count: Int) throws {
    let folder = try TemporaryFolder()
    let names = (0..<count).map { "d\($0 % 7)/n\($0).md" }
    for name in names { try folder.write(name, name) }
    let expected = names.enumerated().map { "\($0.offset) \($0.element) \($0.element.utf8.count)" }
    #expect(try texts(folder, names.map(b)) == expected)
  }

  @Test func readsAsOneByOne() throws {
    let folder = try TemporaryFolder()
    let outside = try TemporaryFolder()
    try outside.write("secret.md", "secret")
    try folder.write("d/a.md", "abc")
    folder.link("in.md", to: "d/a.md")
    folder.link("out.md", to: outside.path + "/secret.md")
    folder.link("o", to: outside.path)
    let paths = ["d/a.md", "in.md", "out.md", "o/secret.md", "none.md", "d", "../x", "/etc/passwd", ""].map(b)
    let box = try BoxFolder(folder.bytes)
    for limit in [nil, 2] {
      let single = paths.enumerated().map { index, path -> String in
        do throws(SystemError) {
          let file = try box.read(path, limit: limit)
          return "\(index) \(s(file.bytes) ?? "") \(file.status.size)"
        } catch {
          return "\(index) \(error.code)"
        }
      }
      #expect(try texts(folder, paths, limit: limit) == single)
      let many = Array(repeating: paths, count: 20).flatMap { $0 }
      let numbered = many.indices.map { single[$0 % paths.count].drop { $0 != " " } }
      #expect(try texts(folder, many, limit: limit).map { $0.drop { $0 != " " } } == numbered)
      #expect(!single.contains { $0.contains("secret") })
    }
  }
}
