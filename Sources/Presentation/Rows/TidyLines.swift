import Git
package import SlipboxCore
import Text

/// The output of `slip tidy`.
package enum TidyLines {
  /// The reasons and the planned work, or that there is no work.
  package static func plan(_ upkeep: Upkeep, force: Bool) -> [String] {
    let reasons = upkeep.reasons.map(\.sentence)
    var lines: [String] = []
    if force || !reasons.isEmpty {
      lines.append("would run git gc and git commit-graph write: " + (reasons.isEmpty ? "--force" : ""))
      if !reasons.isEmpty { lines[0] += Sentence.list(reasons.map(\.description)) }
    } else {
      lines.append("nothing to tidy: \(text(upkeep.storage))")
    }
    if upkeep.leftoverCount > 0 {
      lines.append("would remove \(count(upkeep.leftoverCount, "file")) that nothing uses")
    }
    return lines
  }

  /// The finished work.
  package static func result(_ result: TidyResult) -> [String] {
    var lines: [String] = []
    if let after = result.after {
      lines.append("\(text(result.before)) before")
      lines.append("\(text(after)) now")
      let saved = result.before.bytes - after.bytes
      let files = result.before.looseCount - after.looseCount
      let seconds = "\(result.milliseconds / 1_000).\(result.milliseconds % 1_000 / 100) s"
      let gain = saved > 0 ? "\(size(saved))" : "no space"
      lines.append("saved \(gain) and \(count(max(0, files), "file")) in \(seconds)")
    } else if result.removedFiles == 0, result.removedCommits == 0 {
      lines.append("nothing to tidy: \(text(result.before))")
    }
    if result.removedFiles > 0 {
      lines.append("removed \(count(result.removedFiles, "file")) that nothing used")
    }
    if result.removedCommits > 0 {
      lines.append("removed \(count(result.removedCommits, "unreachable commit")) from the history index")
    }
    return lines
  }

  private static func text(_ storage: ObjectStorage) -> String {
    "\(count(storage.looseCount, "loose object")), \(count(storage.packCount, "pack")), \(size(storage.bytes))"
  }

  private static func count(_ count: Int, _ noun: String) -> String { EnglishWord.count(count, noun) }

  /// A number of bytes in the unit that people read best.
  static func size(_ bytes: Int64) -> String {
    let units = ["kB", "MB", "GB"]
    if bytes < 1_000 { return bytes == 1 ? "1 byte" : "\(bytes) bytes" }
    var (unit, tenths) = (0, (bytes + 50) / 100)
    while tenths >= 10_000, unit < units.count - 1 {
      tenths = (tenths + 500) / 1_000
      unit += 1
    }
    return "\(tenths / 10).\(tenths % 10) \(units[unit])"
  }
}
