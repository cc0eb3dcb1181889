import Bytes
import Git

/// Where git keeps what the answers of a box follow from, beside its notes.
struct GitPlaces {
  private let box: Box
  private let rules: Set<[UInt8]>
  /// The folders of HEAD, the index, the configuration and the ignore rules outside of the box.
  let folders: Set<[UInt8]>
  /// The folder of the branches.
  let branches: [UInt8]

  init(_ box: Box) {
    self.box = box
    let common = box.commonDirectory
    rules = Set(
      box.withRepository { $0.configurationFiles } + [BytePath.join(common, Array("info/exclude".utf8))])
    branches = BytePath.join(common, Array("refs/heads".utf8))
    folders = Set([box.gitDirectory, common, branches] + rules.map(BytePath.folder))
  }

  /// The git folder of the work tree.
  var directory: [UInt8] { box.gitDirectory }

  /// Whether a file says which files are ignored, or where such rules are.
  func areRules(_ name: [UInt8], in folder: [UInt8]) -> Bool { rules.contains(BytePath.join(folder, name)) }

  /// Whether a file says on which commit the box stands, or what is staged.
  func isState(_ name: [UInt8], in folder: [UInt8]) -> Bool {
    guard !name.reversed().starts(with: ".lock".utf8.reversed()) else { return false }
    if folder.starts(with: branches) { return true }
    let states = ["HEAD", "index", "packed-refs"].map { Array($0.utf8) }
    return [directory, box.commonDirectory].contains(folder) && states.contains(name)
  }

  /// The folder of the file of the present branch, or the nearest above it; nil where HEAD is on none.
  func branchFolder() -> [UInt8]? {
    // Where HEAD can't be read, no branch is watched.
    let head = try? box.git { repository throws(GitError) in try repository.head() }
    guard case .branch(let name, _)? = head else { return nil }
    return BytePath.folder(of: BytePath.join(branches, Array(name.utf8)))
  }
}
