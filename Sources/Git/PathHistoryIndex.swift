/// The graph of commits with the paths that each changed: a long run, and a short one of what came since.
///
/// With a commit it holds all that can be reached from there, up to the cut of a shallow clone; it may hold more, such as
/// what a branch was before it was rewritten. So it stays right for every head that is in it.
struct PathHistoryIndex {
  /// A short run is written anew with each new commit, so it is made part of the long one when it weighs more.
  private static let heaviestRecent = 4_096

  let base: PathHistoryRun
  let recent: PathHistoryRun?

  init(_ base: PathHistoryRun, recent: PathHistoryRun? = nil) {
    self.base = base
    self.recent = recent
  }

  /// The number after the last.
  var end: Int { recent?.end ?? base.end }

  private var runs: [PathHistoryRun] { recent.map { [base, $0] } ?? [base] }

  private func run(of number: Int) -> PathHistoryRun {
    if let recent, number >= recent.first { recent } else { base }
  }

  /// The number of a commit; nil where it is not known.
  /// - Complexity: O(log n).
  func number(of id: ObjectID) throws(PathHistoryFailure) -> Int? {
    if let number = try recent?.number(of: id) { return number }
    return try base.number(of: id)
  }

  func id(_ number: Int) throws(PathHistoryFailure) -> ObjectID { try run(of: number).id(number) }

  /// The lowest date of some commits of one chain.
  func oldest(_ range: ClosedRange<Int>) throws(PathHistoryFailure) -> Int64 {
    try run(of: range.lowerBound).oldest(range)
  }

  /// Where the chain begins that a commit is in, and the first parent of that.
  func chain(of number: Int) throws(PathHistoryFailure) -> (start: Int, parent: Int?) {
    let start = try run(of: number).start(ofChainWith: number)
    return (Int(start.number), start.parent.map { Int($0) })
  }

  /// More than there are chains.
  var chainLimit: Int { runs.reduce(1) { $0 + $1.layout.counts.starts } }

  /// The parents of a commit, as they are numbered.
  func parents(of number: Int) throws(PathHistoryFailure) -> [Int] {
    let chain = try chain(of: number)
    guard let first = chain.start == number ? chain.parent : number - 1 else { return [] }
    return [first] + (try run(of: number).others(of: number)).map { Int($0) }
  }

  /// The commits that differ from their first parents in some path, ascending; those below a folder count as its own.
  func changes(of paths: [[UInt8]]) throws(PathHistoryFailure) -> [Int] {
    var result: [Int] = []
    for run in runs {
      var found: [[UInt32]] = []
      for path in paths {
        for place in try run.places(of: path) { found.append(try run.posting(place)) }
      }
      result.append(contentsOf: Self.united(found))
    }
    return result
  }

  /// Commits that could not be compared with their first parents, ascending.
  func unknown() throws(PathHistoryFailure) -> [Int] {
    var result: [Int] = []
    for run in runs { result.append(contentsOf: try run.unknown().map { Int($0) }) }
    return result
  }

  private static func united(_ lists: [[UInt32]]) -> [Int] {
    guard lists.count != 1 else { return lists[0].map { Int($0) } }
    var result: [Int] = []
    for number in lists.joined().sorted() where result.last != Int(number) { result.append(Int(number)) }
    return result
  }

  /// The index with rows that follow on it.
  func appending(_ rows: PathHistoryRows) throws(PathHistoryFailure) -> PathHistoryIndex? {
    var newer = rows
    if let recent {
      newer = try recent.rows()
      newer.append(rows)
    }
    if newer.weight <= Self.heaviestRecent {
      return PathHistoryRun(newer, cut: base.cut, on: base).map { PathHistoryIndex(base, recent: $0) }
    }
    var all = try base.rows()
    all.append(newer)
    return PathHistoryRun(all, cut: base.cut, on: nil).map { PathHistoryIndex($0) }
  }
}
