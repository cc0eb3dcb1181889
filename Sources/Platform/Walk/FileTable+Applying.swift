extension FileTable {
  /// Writes the table that tells what a walk saw.
  ///
  /// Its rows are those of this table without the removed ones, and with the added ones where they sort. A
  /// stamp is racy by the clock at the start of the walk: that holds for contents read after it.
  ///
  /// - Parameter changes: Of a walk held against this table.
  package func applying(_ changes: TableChanges) -> [UInt8] {
    let racyWindow = changes.racyWindow
    let added = changes.added.map { found in
      let stamp = FileStamp(found.status)
      return File(path: found.path, stamp: stamp, isRacy: racyWindow.isRacy(stamp))
    }
    var renewed = (changes.changed + changes.suspect).map { change in
      let stamp = FileStamp(change.status)
      return RenewedRow(row: change.row, stamp: stamp, isRacy: racyWindow.isRacy(stamp))
    }
    renewed.sort { $0.row < $1.row }
    return TableContents(
      base: self, kept: rows(without: changes.removed), renewed: renewed, added: added,
      folders: changes.folders(of: self)
    ).encoded()
  }

  private func rows(without removed: [Int]) -> [Range<Int>] {
    var kept: [Range<Int>] = []
    var start = 0
    for row in removed where row >= start && row < count {
      if start < row { kept.append(start..<row) }
      start = row + 1
    }
    if start < count { kept.append(start..<count) }
    return kept
  }
}
