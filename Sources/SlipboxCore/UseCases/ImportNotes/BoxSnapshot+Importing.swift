import Foreign
import Notes

extension BoxSnapshot {
  /// Works out what an import does to the box; nothing is written.
  ///
  /// What can't be imported is among the failures of the result, with its place.
  /// - Parameter mayBring: asked before linked files of more than 100 MB in all come along, with their bytes.
  /// - Throws: where nothing can be imported at all: `.usage` for a folder in the box itself, `.configuration` for a kind or
  ///   a setting with a mistake.
  /// - Complexity: linear in the sources; for each note that differs from its source also that of its history.
  package func importing(
    _ request: ImportRequest, _ context: CommandContext, mayBring: @escaping (Int64) -> Bool = { _ in true }
  ) throws(SlipboxError) -> ImportResult {
    if !request.files.isEmpty { try settings.refuseBad("path") }
    try warnOfNearDuplicates(request.changes)
    var planning = try ImportPlanning(self, request, context, mayBring: mayBring)
    for folder in request.folders { try planning.add(folder) }
    for file in request.files { try planning.add(file) }
    try planning.findVanished()
    planning.nameUnknownKinds()
    var result = planning.result
    let order = request.files.map(\.name)
    result.failures.sort { left, right in
      let (one, two) = (
        order.firstIndex(of: left.place.file) ?? -1, order.firstIndex(of: right.place.file) ?? -1
      )
      return (one, left.place.line ?? 0) < (two, right.place.line ?? 0)
    }
    result.plan = planning.plan(named: request.folders.map(\.name) + request.files.map(\.name))
    return result
  }
}
