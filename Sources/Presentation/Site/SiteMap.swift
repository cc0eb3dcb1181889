import Bytes
import NoteIndex
import Notes
import SlipboxCore

/// The notes of a site, their pages, and the files that come with them.
///
/// A note that is not exported is not in here: no page can say more of it than a note that links to it says itself.
struct SiteMap: Sendable {
  /// A file beside the notes.
  struct File: Sendable {
    let path: [UInt8]
    /// Its path in the site.
    let copy: [UInt8]
    let media: PageTarget.Media
  }

  /// The places of the notes in the catalogue, newest first; numbers of notes are places in here.
  let places: [Int]
  /// The paths of the notes' pages, by their numbers.
  let pages: [[UInt8]]
  /// The linked files by their paths in the box.
  let files: [[UInt8]: File]
  /// The number of a note by its place in the catalogue; -1 for one that is not exported.
  private let numbers: [Int]

  /// - Parameter exported: the places of the notes, in any order.
  init(_ entries: Entries, exported: [Int], files: [File]) {
    places = Set(exported).sorted()
    var numbers = [Int](repeating: -1, count: entries.count)
    for (number, place) in places.enumerated() { numbers[place] = number }
    self.numbers = numbers
    pages = Self.pages(of: places.map { entries.path(at: $0) })
    self.files = Dictionary(files.map { ($0.path, $0) }, uniquingKeysWith: { first, _ in first })
  }

  /// The number of the note at a place of the catalogue; nil where it is not exported.
  func number(ofPlace place: Int) -> Int? { numbers[place] < 0 ? nil : numbers[place] }

  /// The order in which notes choose their pages: those in `.md` first, then by path.
  private static func precedes(_ left: [UInt8], _ right: [UInt8]) -> Bool {
    let usual = Array(".md".utf8)
    let areUsual = (left.suffix(3).elementsEqual(usual), right.suffix(3).elementsEqual(usual))
    return areUsual.0 == areUsual.1 ? ByteOrder.precedes(left, right) : areUsual.0
  }

  private static func pages(of paths: [[UInt8]]) -> [[UInt8]] {
    var folders: Set<[UInt8]> = []
    for path in paths {
      var folder = BytePath.folder(of: SiteNames.note(path))
      while !folder.isEmpty, folders.insert(folder).inserted { folder = BytePath.folder(of: folder) }
    }
    var taken = folders
    var pages = [[UInt8]](repeating: [], count: paths.count)
    // In the order of the paths, so that which of two notes gets the plain name does not depend on the query's order.
    for number in paths.indices.sorted(by: { Self.precedes(paths[$0], paths[$1]) }) {
      var page = SiteNames.note(paths[number])
      if taken.contains(page) { page = SiteNames.note(paths[number], isWhole: true) }
      while !taken.insert(page).inserted { page = page.dropLast(5) + Array("_.html".utf8) }
      pages[number] = page
    }
    return pages
  }
}
