package import Notes

/// How links find folders and the files that are no notes, before and after some of them get other paths.
package struct LinkedFileFinder: Sendable {
  /// Finds the folder, or file other than a note, that a link leads to, in the note with a path.
  package typealias Finder = @Sendable (_ link: BodyScan.Link, _ path: [UInt8]) -> [UInt8]?

  package let before: Finder
  package let after: Finder
  /// The new paths of the files and folders that move, by their paths before.
  package let moves: [[UInt8]: [UInt8]]

  package init(moves: [[UInt8]: [UInt8]], before: @escaping Finder, after: @escaping Finder) {
    (self.moves, self.before, self.after) = (moves, before, after)
  }

  /// Files that stay where they are.
  package init(_ find: @escaping Finder) { self.init(moves: [:], before: find, after: find) }
}

extension LinkMending {
  /// A link that leads to no note, but maybe to a file.
  func decisionOnFile(
    _ link: BodyScan.Link, _ number: Int, from path: [UInt8], to newPath: [UInt8]
  ) -> Decision {
    let now = new.meaning(of: link, from: newPath)
    let isAsked = path != newPath || now != .dangling || !files.moves.isEmpty
    let file = isAsked ? files.before(link, path) : nil
    guard let file else { return now == .dangling || now == .itself || now == .url ? .same : .gained }
    let plain = LinkSpelling(link, reading: 1)
    let target = files.moves[file] ?? file
    let isKept = LinkStanding(plain, to: file, from: path).isKept(
      by: LinkStanding(plain, to: target, from: newPath))
    if now == .dangling, isKept, files.after(link, newPath) == target { return .same }
    // A mark of a query or a heading belongs to the name only if the file has it too.
    let whole = LinkSpelling(link, reading: 0)
    let isWhole = LinkPath.isAlike(FileName.lastPart(of: whole.name), FileName.lastPart(of: file))
    for spelling in isWhole ? [whole, plain] : [plain, whole] {
      let slash = spelling.name.last == UInt8(ascii: "/") ? [UInt8(ascii: "/")] : []
      for name in Self.names(of: target, spelling, before: file, from: newPath)
      where !spelling.isWiki || Self.canName(name, like: spelling.name) {
        let written = spelling.target(name + slash, isBracketed: false)
        let changed = link.with(target: written)
        guard new.meaning(of: changed, from: newPath) == .dangling, files.after(changed, newPath) == target
        else {
          continue
        }
        return .edit(LinkEdit(number: number, spelling: spelling, name: name + slash))
      }
    }
    return .refused(
      plain.isWiki && !Self.canName(target, like: plain.name)
        ? "a wiki link can't name a file with #, |, ^, [ or ]"
        : "no path would identify its file unambiguously")
  }

  /// Whether a wiki link can have a name; marks that its name has already are not new.
  private static func canName(_ name: [UInt8], like old: [UInt8]) -> Bool {
    !"#|^[]".utf8.contains { name.contains($0) && !old.contains($0) }
  }

  /// - Parameter old: the path of the file so far.
  private static func names(
    of file: [UInt8], _ spelling: LinkSpelling, before old: [UInt8], from path: [UInt8]
  ) -> [[UInt8]] {
    let here = Array("./".utf8)
    let relative = LinkPath.relative(file, from: LinkPath.folder(of: path))
    let isFromRoot = spelling.name.first == UInt8(ascii: "/")
    if spelling.isWiki || isFromRoot {
      let isName = !spelling.name.contains(UInt8(ascii: "/"))
      let served = isFromRoot ? LinkPath.served(file, as: Array(spelling.name.dropFirst()), of: old) : nil
      return (isName ? [Array(FileName.lastPart(of: file))] : []) + [served].compactMap { $0 }
        + [isFromRoot ? [UInt8(ascii: "/")] + file : file, relative]
    }
    let hasMark = spelling.name.starts(with: here) && !relative.starts(with: Array("../".utf8))
    return [hasMark ? here + relative : relative, here + relative, [UInt8(ascii: "/")] + file]
  }
}
