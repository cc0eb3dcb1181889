import Notes
import Text

/// One name, held against a table of names; each way is looked up when it is first asked for.
final class NameMatches {
  private let table: NameTable
  private let name: [UInt8]
  private lazy var path = LinkPath.normalised(name)
  private lazy var folded = Folding.fold(name[...])
  private lazy var titled = table.places(.title, folded[...])
  private lazy var files: NameTable.Files = path.map(files(pathEnd:)) ?? ([], [])

  init(_ name: [UInt8], in table: NameTable) {
    self.table = table
    self.name = name
  }

  /// The places of the notes that the name fits in a way, ascending; none for the ways that look at all notes.
  ///
  /// - Parameter isStepwise: whether the folded form of a way comes right after the exact one and by itself. Then a
  ///   note that alone fits in the folded form need not be looked at for the exact one.
  func places(_ way: NameWay, isStepwise: Bool) -> [Int] {
    switch way {
    case .key: table.places(.key, name[...])
    case .id: table.places(.id, name[...])
    case .foreignID: table.places(.foreignID, name[...])
    case .path: path.map { table.places(path: $0) } ?? []
    case .title: isStepwise && titled.count == 1 ? titled : titled.filter(isTitle)
    case .foldedTitle: titled
    case .foldedID: table.places(.id, folded[...]) + table.places(.foldedForeignID, folded[...])
    case .pathEnd: isStepwise && allFiles.count == 1 ? allFiles : filesAsTheyStand
    case .foldedPathEnd: files.withEnding.isEmpty ? files.withoutEnding : files.withEnding
    case .fileName: isFileName ? exactFiles.withEnding + exactFiles.withoutEnding : []
    case .foldedFileName: isFileName ? allFiles : []
    case .slug: table.places(.slug, folded[...])
    case .idPrefix, .fuzzyTitle: []
    }
  }

  private var isFileName: Bool { !name.contains(UInt8(ascii: "/")) }

  private func isTitle(of place: Int) -> Bool { NoteNames(of: table.entries.names(at: place)).isTitle(name) }

  /// The notes whose paths end with a name, without case and diacritics.
  private func files(pathEnd name: [UInt8]) -> NameTable.Files {
    let folded = Folding.fold(name[...])
    return table.files(.pathEnd, folded) { LinkPath.hasEnd(Folding.fold($0[...])[...], folded) }
  }

  private var allFiles: [Int] { files.withEnding + files.withoutEnding }

  private var filesAsTheyStand: [Int] {
    let files = exactFiles
    return files.withEnding.isEmpty ? files.withoutEnding : files.withEnding
  }

  private var exactFiles: NameTable.Files {
    guard let path else { return ([], []) }
    return (
      files.withEnding.filter { LinkPath.hasEnd(table.entries.path(at: $0)[...], path) },
      files.withoutEnding.filter {
        LinkPath.hasEnd(LinkPath.withoutEnding(table.entries.path(at: $0)), path)
      }
    )
  }
}
