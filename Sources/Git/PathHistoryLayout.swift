/// Where the parts of a run of history lie.
///
/// A header; the sums of the pages; the pages. In these: names of commits by their numbers; dates; the numbers in the
/// order of the names; the lowest dates of each 32 commits, of each 32 of those, and so on; starts of chains; merges and
/// their further parents; commits that are not known; paths with the ends of their names and postings; the names; the
/// postings. Numbers are little-endian.
struct PathHistoryLayout {
  static let magic: UInt64 = 0x3173_6968_7069_6C73  // "sliphis1"
  static let headerSize = 80
  static let fanOut = 32

  /// The numbers of what there is, as the header has them.
  struct Counts {
    var commits = 0
    var starts = 0
    var merges = 0
    var others = 0
    var unknown = 0
    var paths = 0
    var nameBytes = 0
    var postingBytes = 0

    /// All of them, in the order of the header.
    var all: [Int] { [commits, starts, merges, others, unknown, paths, nameBytes, postingBytes] }
  }

  let counts: Counts
  let ids = 0
  let dates: Int
  let order: Int
  /// Dates, then the lowest of them on level after level: where each lies and how many it has.
  let levels: [(offset: Int, count: Int)]
  let starts: Int
  let merges: Int
  let others: Int
  let unknown: Int
  let paths: Int
  let names: Int
  let postings: Int
  let end: Int

  init(_ counts: Counts) {
    self.counts = counts
    dates = counts.commits * 20
    order = dates + counts.commits * 8
    var next = order + counts.commits * 4
    var levels = [(offset: dates, count: counts.commits)]
    var count = counts.commits
    while count > Self.fanOut {
      count = (count + Self.fanOut - 1) / Self.fanOut
      levels.append((next, count))
      next += count * 8
    }
    self.levels = levels
    starts = next
    merges = starts + counts.starts * 8
    others = merges + counts.merges * 8
    unknown = others + counts.others * 4
    paths = unknown + counts.unknown * 4
    names = paths + counts.paths * 8
    postings = names + counts.nameBytes
    end = postings + counts.postingBytes
  }
}
