/// Files by their paths: the many of a first look at a box in one run, which takes a third of the memory of a table, those
/// that come later in a table.
struct NoteFiles: Sendable {
  /// By path, each once.
  private var run: [NoteFile] = []
  /// These go before the run.
  private var table: [[UInt8]: NoteFile] = [:]

  init() {}

  init(_ table: [[UInt8]: NoteFile]) { self.table = table }

  /// How many there are at most.
  var count: Int { run.count + table.count }

  /// The files, in no order.
  var values: [NoteFile] {
    table.isEmpty ? run : run.filter { table[$0.path] == nil } + table.values
  }

  var paths: [[UInt8]] { values.map(\.path) }

  /// - Complexity: O(log n); O(n) where one of the run is taken out.
  subscript(path: [UInt8]) -> NoteFile? {
    get { table[path] ?? place(of: path).map { run[$0] } }
    set {
      if newValue == nil, place(of: path) != nil { dissolveRun() }
      table[path] = newValue
    }
  }

  /// Adds a file; those whose paths come in order to an empty table make the run.
  mutating func append(_ file: NoteFile) {
    if table.isEmpty, run.last.map({ $0.path.lexicographicallyPrecedes(file.path) }) ?? true {
      run.append(file)
    } else {
      table[file.path] = file
    }
  }

  mutating func reserveCapacity(_ count: Int) { run.reserveCapacity(count) }

  /// Adds other files, which go before those that are here.
  mutating func merge(_ others: NoteFiles) {
    for file in others.values { table[file.path] = file }
  }

  private mutating func dissolveRun() {
    for file in run where table[file.path] == nil { table[file.path] = file }
    run = []
  }

  private func place(of path: [UInt8]) -> Int? {
    var (low, high) = (0, run.count)
    while low < high {
      let middle = (low + high) / 2
      if run[middle].path.lexicographicallyPrecedes(path) { low = middle + 1 } else { high = middle }
    }
    return low < run.count && run[low].path == path ? low : nil
  }
}
