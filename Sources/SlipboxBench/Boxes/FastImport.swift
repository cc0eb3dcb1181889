import Glibc

/// A stream of objects and commits into a repository. Wraps git fast-import.
final class FastImport {
  private let stream: UnsafeMutablePointer<FILE>
  private var marks = 0
  private var isOpen = true
  private var isComplete = true
  private var time = 1_767_225_600  // 2026-01-01T00:00:00Z

  /// Begins a branch `main` in the repository that is the folder.
  init(in folder: String) throws {
    guard chdir(folder) == 0 else { throw BenchError.system(folder) }
    guard let stream = popen("exec git fast-import --quiet", "w") else {
      throw BenchError.system("fast-import")
    }
    self.stream = stream
    setvbuf(stream, nil, _IOFBF, 1 << 20)
  }

  deinit { if isOpen { pclose(stream) } }

  /// Adds the contents of a file and returns their mark.
  func blob(_ text: String) -> Int {
    marks += 1
    write("blob\nmark :\(marks)\n")
    data(text)
    return marks
  }

  /// Adds a commit, a minute after the last, that puts the contents of marks at paths.
  func commit(_ subject: String, _ files: [(path: String, mark: Int)]) {
    beginCommit(subject)
    for file in files { write("M 100644 :\(file.mark) \(file.path)\n") }
    write("\n")
  }

  /// Adds a commit that changes one file.
  func commit(_ subject: String, path: String, text: String) {
    beginCommit(subject)
    write("M 100644 inline \(path)\n")
    data(text)
    write("\n")
  }

  /// Waits until all is stored.
  func finish() throws {
    isOpen = false
    guard pclose(stream) == 0, isComplete else { throw BenchError("git fast-import failed") }
  }

  private func beginCommit(_ subject: String) {
    time += 60
    write("commit refs/heads/main\ncommitter bench <bench@example.invalid> \(time) +0000\n")
    data(subject)
  }

  private func data(_ text: String) {
    write("data \(text.utf8.count)\n")
    write(text)
    write("\n")
  }

  private func write(_ text: String) {
    var text = text
    let isWritten = text.withUTF8 { fwrite($0.baseAddress, 1, $0.count, stream) == $0.count }
    isComplete = isComplete && isWritten
  }
}
