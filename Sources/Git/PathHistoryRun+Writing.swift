extension PathHistoryRun {
  /// Puts a run together; nil where there is more than one can hold.
  /// - Parameter base: the run that it follows on.
  init?(_ rows: PathHistoryRows, cut: ObjectID, on base: PathHistoryRun?) {
    var parts = Parts(rows)
    let layout = PathHistoryLayout(parts.counts)
    guard (layout.counts.all + [rows.end]).allSatisfy({ $0 < Int(Self.none) }) else { return nil }
    var bytes: [UInt8] = []
    let sums = PathHistoryLayout.headerSize
    let start = sums + PagedBytes.pages(of: layout.end) * 8
    bytes.reserveCapacity(start + layout.end)
    bytes.append(little: PathHistoryLayout.magic)
    bytes.append(little: UInt64(0))
    bytes.append(little: base?.sum ?? 0)
    cut.append(to: &bytes)
    for number in [rows.first] + layout.counts.all {
      bytes.append(little: UInt32(truncatingIfNeeded: number))
    }
    bytes.append(contentsOf: repeatElement(0, count: start - bytes.count))
    parts.append(to: &bytes, rows)
    bytes.withUnsafeMutableBytes { buffer in
      let whole = UnsafeRawBufferPointer(buffer)
      for page in 0..<PagedBytes.pages(of: layout.end) {
        let from = start + page * PagedBytes.pageSize
        let sum = whole[rebased: from..<min(from + PagedBytes.pageSize, whole.count)].sum(from: 0)
        buffer.storeBytes(of: sum.littleEndian, toByteOffset: sums + page * 8, as: UInt64.self)
      }
      let sum = whole[rebased: 0..<start].sum(from: 16)
      buffer.storeBytes(of: sum.littleEndian, toByteOffset: 8, as: UInt64.self)
    }
    self.init(FileBytes(bytes))
  }

  /// The columns of variable length.
  private struct Parts {
    private(set) var counts = PathHistoryLayout.Counts()
    private var merges: [UInt8] = []
    private var others: [UInt8] = []
    private var paths: [UInt8] = []
    private var names: [UInt8] = []
    private var postings: [UInt8] = []

    init(_ rows: PathHistoryRows) {
      for merge in rows.merges {
        for other in merge.others { others.append(little: other) }
        merges.append(little: merge.number)
        merges.append(little: UInt32(truncatingIfNeeded: others.count / 4))
      }
      for (path, numbers) in zip(rows.paths, rows.postings) {
        names.append(contentsOf: path)
        append(numbers, from: rows.first)
        paths.append(little: UInt32(truncatingIfNeeded: names.count))
        paths.append(little: UInt32(truncatingIfNeeded: postings.count))
      }
      counts.commits = rows.ids.count
      counts.starts = rows.starts.count
      counts.merges = rows.merges.count
      counts.others = others.count / 4
      counts.unknown = rows.unknown.count
      counts.paths = rows.paths.count
      counts.nameBytes = names.count
      counts.postingBytes = postings.count
    }

    private mutating func append(_ numbers: [UInt32], from first: Int) {
      var last = first
      for number in numbers {
        var distance = Int(number) - last
        while distance > 0x7F {
          postings.append(UInt8(distance & 0x7F) | 0x80)
          distance >>= 7
        }
        postings.append(UInt8(distance))
        last = Int(number)
      }
    }

    mutating func append(to bytes: inout [UInt8], _ rows: PathHistoryRows) {
      for id in rows.ids { id.append(to: &bytes) }
      for date in rows.dates { bytes.append(little: UInt64(bitPattern: date)) }
      let order = rows.ids.indices.sorted { rows.ids[$0] < rows.ids[$1] }
      for number in order { bytes.append(little: UInt32(truncatingIfNeeded: number)) }
      var level = rows.dates
      while level.count > PathHistoryLayout.fanOut {
        level = stride(from: 0, to: level.count, by: PathHistoryLayout.fanOut).map { from in
          level[from..<min(from + PathHistoryLayout.fanOut, level.count)].min() ?? .max
        }
        for date in level { bytes.append(little: UInt64(bitPattern: date)) }
      }
      for start in rows.starts {
        bytes.append(little: start.number)
        bytes.append(little: start.parent ?? PathHistoryRun.none)
      }
      bytes.append(contentsOf: merges)
      bytes.append(contentsOf: others)
      for number in rows.unknown { bytes.append(little: number) }
      for part in [paths, names, postings] { bytes.append(contentsOf: part) }
    }
  }

  /// All rows of the run, to be put together with others.
  func rows() throws(PathHistoryFailure) -> PathHistoryRows {
    var rows = PathHistoryRows(first: first)
    for number in first..<end {
      rows.ids.append(try id(number))
      rows.dates.append(Int64(bitPattern: try pages.little64(at: layout.dates + (number - first) * 8)))
    }
    for place in 0..<layout.counts.starts { rows.starts.append(try start(place)) }
    for place in 0..<layout.counts.merges { rows.merges.append(try merge(place)) }
    rows.unknown = try unknown()
    for place in 0..<layout.counts.paths {
      rows.paths.append(Array(try path(place)))
      rows.postings.append(try posting(place))
    }
    return rows
  }
}
