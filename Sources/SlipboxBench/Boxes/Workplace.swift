import Glibc

/// The folder of all boxes, kept or temporary.
///
/// Every program that the bench starts gets its environment from here: a home of its own, so that the user's
/// settings do not change the figures.
final class Workplace {
  let programs: Programs
  /// The home of the programs.
  var home: String { root + "/home" }
  private let root: String
  private let isTemporary: Bool
  private var copies: [String] = []

  /// Makes the folder if it does not exist.
  init(programs: Programs, folder: String?) throws {
    self.programs = programs
    isTemporary = folder == nil
    root = try folder.map(Programs.absolute) ?? Self.temporaryFolder()
    try TextFile.makeFolder(root + "/home")
    try Self.setEnvironment(home: root + "/home")
  }

  private static func temporaryFolder() throws -> String {
    let folder = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
    var template = Array("\(folder)/slipbox-bench.XXXXXX".utf8CString)
    guard let path = mkdtemp(&template) else { throw BenchError.system(folder) }
    return String(cString: path)
  }

  private static func setEnvironment(home: String) throws {
    let path = getenv("PATH").map { String(cString: $0) } ?? "/usr/local/bin:/usr/bin:/bin"
    clearenv()
    for (name, value) in [
      ("PATH", path), ("HOME", home), ("LC_ALL", "C.UTF-8"), ("TZ", "UTC"), ("GIT_CONFIG_NOSYSTEM", "1"),
    ] {
      setenv(name, value, 1)
    }
    try TextFile.write("[user]\n\tname = bench\n\temail = bench@example.invalid\n", to: home + "/.gitconfig")
  }

  /// Removes a temporary folder, or only the copies in a folder of the user.
  func close() {
    do {
      for path in isTemporary ? [root] : copies { try remove(path) }
    } catch {
      Progress.say("not all was removed: \(RowRunner.reason(error))")
    }
  }

  /// Removes a folder with all that is in it.
  func remove(_ path: String) throws {
    guard path.hasPrefix(root) else { throw BenchError("\(path) is not in \(root)") }
    try Command(["/bin/rm", "-rf", "--", path], in: "/", timeoutSeconds: 1_800).checked()
  }

  /// The box of a kind. Builds it if it is missing or was changed.
  func box(_ kind: BoxKind) throws -> BenchBox {
    let path = root + "/" + kind.name
    if let box = try existing(path) { return box }
    Progress.say("making the box \(kind.name)")
    try remove(path)
    try remove(path + ".facts")
    try remove(path + ".fts")
    // Building 1,000,000 notes and their history takes most of an hour on a slow disk.
    let maker = Command(
      [try Programs.own(), "--make", kind.option, "--dir", root, "--slip", programs.slip], in: "/",
      timeoutSeconds: 7_200)
    try maker.checked()
    guard let box = try existing(path) else { throw BenchError("the box \(path) is not as it was made") }
    return box
  }

  /// Makes a box in this process.
  func make(_ kind: BoxKind) throws {
    let path = root + "/" + kind.name
    try BoxMaker(programs: programs, folder: path).make(kind, at: path)
  }

  private func existing(_ path: String) throws -> BenchBox? {
    guard let text = try? TextFile.read(path + ".facts") else { return nil }
    let box = BenchBox(path: path, facts: BoxFacts(text: text))
    guard box.facts[count: "version"] == BoxMaker.version else { return nil }
    let head = try Command([programs.git, "rev-parse", "HEAD"], in: path).checked()
    let changes = try Command([programs.git, "status", "--porcelain"], in: path).checked()
    return head == box.facts["head"] && changes.isEmpty ? box : nil
  }

  /// A copy of a box that a row may change. It goes with `close`, when no figure suffers by it.
  func copy(of box: BenchBox, _ purpose: String) throws -> BenchBox {
    let path = box.path + "." + purpose
    try remove(path)
    copies.append(path)
    try Command(["/bin/cp", "-a", "--reflink=auto", box.path, path], in: "/", timeoutSeconds: 1_800).checked()
    // The index knows the inodes of the original.
    try Command([programs.git, "update-index", "-q", "--refresh"], in: path).checked()
    return BenchBox(path: path, facts: box.facts)
  }

  /// An empty folder for a row that makes boxes of its own; it goes with `close`.
  func emptyFolder(_ name: String) throws -> String {
    let path = root + "/" + name
    try remove(path)
    if !copies.contains(path) { copies.append(path) }
    try TextFile.makeFolder(path)
    return path
  }

  /// The SQLite database with all notes of a box for full-text search. Builds it if it is missing.
  func textIndex(of box: BenchBox, sqlite: String) throws -> String {
    let path = box.path + ".fts"
    if TextFile.exists(path) { return path }
    try Command(Self.indexing(box, into: path + ".part", sqlite), in: box.path, timeoutSeconds: 1_800)
      .checked()
    guard rename(path + ".part", path) == 0 else { throw BenchError.system(path) }
    return path
  }

  /// The words of the command that makes such a database.
  static func indexing(_ box: BenchBox, into path: String, _ sqlite: String) -> [String] {
    [
      sqlite, path,
      """
      CREATE VIRTUAL TABLE notes USING fts5(path UNINDEXED, text);
      INSERT INTO notes SELECT name, CAST(data AS TEXT) FROM fsdir('.')
      WHERE name LIKE '%.md' AND name NOT LIKE './.git/%';
      """,
    ]
  }
}
