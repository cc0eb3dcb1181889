package import Notes
import Synchronization
import Text

/// Finds the notes that links mean: names by `NameRule.link`, paths also from the folder of the note that holds the link.
///
/// In an Obsidian vault the names of files precede ids, and `SameNames` chooses among several files of one name. Titles and
/// aliases, which Obsidian does not resolve, count if no file has the name.
package final class LinkResolver: Sendable {
  private let names: NameTable
  private let sameNames: SameNameRule
  /// The meanings of names that match several notes, independent of the linking note.
  private let shared = Mutex<[[UInt8]: LinkMeaning]>([:])
  /// The files that match a name, for names that match several.
  private let files = Mutex<[[UInt8]: SameNames<Int>]>([:])

  /// Makes a resolver of all notes.
  ///
  /// - Complexity: O(n) in the number of notes.
  package convenience init(_ entries: Entries, executor: ParallelExecutor?) {
    self.init(entries, among: nil, executor: executor)
  }

  /// Makes a resolver of all notes, or of those at some places, which have to be all that the links may mean.
  ///
  /// - Complexity: O(n) in the number of places.
  init(_ entries: Entries, among places: [Int]?, executor: ParallelExecutor?) {
    names = NameTable(entries, among: places, uses: NameUse.ofLinks, executor: executor)
    sameNames = entries.sameNames
  }

  /// The meaning of a link in the note with a path.
  package func meaning(of link: BodyScan.Link, from path: [UInt8]) -> LinkMeaning {
    match(of: link, from: path).meaning
  }

  /// The meaning of a link in the note with a path, and the number of the reading of its target that has it.
  package func match(of link: BodyScan.Link, from path: [UInt8]) -> (meaning: LinkMeaning, reading: Int) {
    switch LinkAddress(link) {
    case .itself: return (.itself, 0)
    case .url: return (.url, 0)
    case .name(let name):
      for (number, reading) in name.readings.enumerated() {
        let meaning = meaning(of: reading, name.base, from: path)
        if meaning != .dangling { return (meaning, number) }
      }
      return (.dangling, name.readings.count - 1)
    }
  }

  private func meaning(of name: [UInt8], _ base: LinkName.Base, from path: [UInt8]) -> LinkMeaning {
    let folder = LinkPath.folder(of: path)
    if base == .box { return file(named: name, from: folder).map { .note($0) } ?? meaning(of: name) }
    let isPathAlone = base == .onlyFolder
    // An id takes precedence over a file in the folder.
    if !isPathAlone, isIdentifier(name) { return meaning(of: name) }
    let inFolder = LinkPath.normalised(name, from: folder)
    if let meaning = inFolder.flatMap(meaning(ofPath:)) { return meaning }
    let near = inFolder.flatMap(note(ofFoldedPath:))
    guard isPathAlone else {
      if sameNames == .obsidian, let place = near ?? file(named: name, from: folder) { return .note(place) }
      return meaning(of: name, near: near)
    }
    let fromRoot = LinkPath.normalised(name)
    if let meaning = fromRoot.flatMap(meaning(ofPath:)) { return meaning }
    return (near ?? fromRoot.flatMap(note(ofFoldedPath:))).map { .note($0) } ?? .dangling
  }

  /// The note whose file has a name in an Obsidian vault, for a link in a note of a folder; nil in other boxes.
  private func file(named name: [UInt8], from folder: ArraySlice<UInt8>) -> Int? {
    guard sameNames == .obsidian, let path = LinkPath.normalised(name) else { return nil }
    if let known = files.withLock({ $0[name] }) { return known.file(from: folder) }
    let places = places(named: path)
    if places.count < 2 { return places.first }
    let found = SameNames(places.map { ($0, names.entries.path(at: $0)) }, named: path)
    files.withLock { $0[name] = found }
    return found.file(from: folder)
  }

  /// The notes whose paths end with a name but for case and diacritics.
  private func places(named name: [UInt8]) -> [Int] {
    let folded = Folding.fold(name[...])
    let files = names.files(.pathEnd, folded) { LinkPath.hasEnd(Folding.fold($0[...])[...], folded) }
    return files.withEnding.isEmpty ? files.withoutEnding : files.withEnding
  }

  /// Whether a link names only its file, regardless of the folder of the link.
  func isUnique(_ link: BodyScan.Link) -> Bool {
    guard sameNames == .obsidian, case .name(let name) = LinkAddress(link), name.base == .box else {
      return true
    }
    return name.readings.compactMap { LinkPath.normalised($0) }.allSatisfy { path in
      let places = places(named: path)
      return places.count < 2
        || SameNames(places.map { ($0, names.entries.path(at: $0)) }, named: path).isUnique
    }
  }

  /// The one note whose path differs from a path in case and diacritics alone.
  private func note(ofFoldedPath path: [UInt8]) -> Int? {
    let folded = Folding.fold(path[...])
    let files = names.files(.pathEnd, folded) { LinkPath.isAlike($0, path) }
    let places =
      files.withEnding.isEmpty
      ? files.withoutEnding.filter {
        LinkPath.withoutEndings(names.entries.path(at: $0)).contains { LinkPath.isAlike($0, path) }
      } : files.withEnding
    return places.count == 1 ? places[0] : nil
  }

  private func meaning(ofPath path: [UInt8]) -> LinkMeaning? {
    let places = names.places(path: path)
    return places.isEmpty ? nil : Self.meaning(places)
  }

  /// Returns the meaning of a name.
  ///
  /// - Parameter near: the note in the folder of the link whose path matches but for case and diacritics, if there is
  ///   one. It takes precedence over notes elsewhere.
  private func meaning(of name: [UInt8], near: Int? = nil) -> LinkMeaning {
    if name.count == NoteID.length {
      let places = names.places(.id, name[...])
      if places.count == 1 { return .note(places[0]) }
    }
    if near == nil, let known = shared.withLock({ $0[name] }) { return known }
    let matches = NameMatches(name, in: names)
    var hasSeveral = false
    let places = NameRule.link.decide { way in
      let places =
        way == .foldedPathEnd
        ? near.map { [$0] } ?? matches.places(way, isStepwise: true)
        : matches.places(way, isStepwise: true)
      hasSeveral = hasSeveral || places.count > 1
      return places
    }
    let meaning = Self.meaning(places)
    if near == nil, hasSeveral { shared.withLock { $0[name] = meaning } }
    return meaning
  }

  private static func meaning(_ places: [Int]) -> LinkMeaning {
    switch places.count {
    case 0: .dangling
    case 1: .note(places[0])
    default: .ambiguous(places)
    }
  }

  private func isIdentifier(_ name: [UInt8]) -> Bool {
    name.count == NoteID.length && !names.places(.id, name[...]).isEmpty
      || !names.places(.foreignID, name[...]).isEmpty
  }
}

/// The meaning of a link. Notes are given by their places in the catalogue.
package enum LinkMeaning: Sendable, Equatable {
  case note(Int)
  /// Several notes match equally well.
  case ambiguous([Int])
  /// No note matches; a file may.
  case dangling
  /// A place in the note that holds the link.
  case itself
  /// A place that is not a file of the box.
  case url
}

/// A link with its meaning.
package struct ResolvedLink: Sendable {
  package let link: BodyScan.Link
  package let meaning: LinkMeaning
  /// Which of the readings of its target has that meaning.
  package let reading: Int

  /// The heading or block that it names, with its mark; empty if it names the whole of its target.
  package var suffix: [UInt8] { LinkSpelling(link, reading: reading).suffix }
}

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

  /// Makes a finder for files that do not move.
  package init(_ find: @escaping Finder) { self.init(moves: [:], before: find, after: find) }
}

extension LinkRewriting {
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
      for name in Self.names(of: target, spelling, before: file, from: path, newPath)
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

  /// - Parameters:
  ///   - old: the path of the file so far.
  ///   - before: the path of the note with the link, as it was; `path` is the one that it gets.
  private static func names(
    of file: [UInt8], _ spelling: LinkSpelling, before old: [UInt8], from before: [UInt8], _ path: [UInt8]
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
    let all = [hasMark ? here + relative : relative, here + relative, [UInt8(ascii: "/")] + file]
    if LinkStanding.isPath(spelling.name, of: old, from: LinkPath.folder(of: before)) { return all }
    // A path from the root of the box, or of the site, stays one.
    let served = LinkPath.served(file, as: spelling.name, of: old).map { Array($0.dropFirst()) }
    let isFromBox = LinkStanding.isPath(spelling.name, of: old, from: [])
    return (isFromBox ? [file] : [served].compactMap { $0 }) + all
  }
}
