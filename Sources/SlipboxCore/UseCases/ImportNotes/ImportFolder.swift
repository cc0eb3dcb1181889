import Bytes
import Notes
package import Platform
import Text

/// A folder of Markdown that is to be imported, as a walk has found it.
package struct ImportFolder: Sendable {
  /// The absolute path.
  package let root: [UInt8]
  /// The name in messages.
  package let name: String
  /// Reads the files, and follows no symbolic link out of the folder.
  private let reader: BoxFolder
  /// The notes, by their paths below the folder.
  package let notes: [FoundFile]
  /// The other files that notes may link to.
  package let others: [FoundFile]
  /// The files that declare kinds, where the folder is a box.
  let kinds: [FoundFile]
  /// Whether it is a note alone.
  let isOneFile: Bool
  /// What is left behind, a sentence each.
  package let remarks: [String]

  /// Folders that hold what programs fetched or made, never notes of the user's.
  private static let foldersOfPrograms = ["node_modules", "bower_components", "__pycache__"]

  /// Walks a folder.
  ///
  /// Hidden files and folders, repositories inside of it, folders of packages and symbolic links are left.
  /// - Throws: `.inputOutput` and the like where the folder can't be read.
  package init(at root: [UInt8], name: String) throws(SlipboxError) {
    _ = try system { () throws(SystemError) in try Files.list(root) }
    let walk = DirectoryWalk.files(
      under: root,
      descend: { path in
        let last = BytePath.name(of: Array(path))
        return !Self.foldersOfPrograms.contains { last.elementsEqual($0.utf8) }
      }, include: { _ in true })
    self.root = root
    self.name = name
    reader = try Self.reader(root)
    notes = walk.files.filter { FileName.isNote($0.path) }
    others = walk.files.filter { !FileName.isNote($0.path) }
    kinds = Self.kinds(in: root)
    isOneFile = false
    remarks = Self.remarks(root, walk, hasKinds: !kinds.isEmpty)
  }

  /// A note alone, with the files that it links to.
  package init(file: [UInt8], name: String) throws(SlipboxError) {
    let path = BytePath.name(of: file)
    root = BytePath.folder(of: file)
    self.name = name
    reader = try Self.reader(root)
    let status = try system { () throws(SystemError) in try Files.status(file, followLinks: true) }
    notes = status.map { [FoundFile(path: path, status: $0)] } ?? []
    others = status == nil ? [] : try Self.linkedFiles(of: path, in: root, reader)
    kinds = []
    isOneFile = true
    remarks = []
  }

  /// The declarations of kinds, by their paths from the folder.
  private static func kinds(in root: [UInt8]) -> [FoundFile] {
    let folder = Array(".slipbox/kinds".utf8)
    // A folder without kinds is one of any other program.
    let names = (try? Files.list(BytePath.join(root, folder))) ?? []
    return names.sorted { $0.lexicographicallyPrecedes($1) }.compactMap { name in
      let path = BytePath.join(folder, name)
      guard name.first != UInt8(ascii: "."), name.suffix(5).elementsEqual(".yaml".utf8),
        let status = try? Files.status(BytePath.join(root, path)), status.kind == .file
      else { return nil }
      return FoundFile(path: path, status: status)
    }
  }

  private static func reader(_ root: [UInt8]) throws(SlipboxError) -> BoxFolder {
    try system { () throws(SystemError) in try BoxFolder(root) }
  }

  /// Reads a file of the folder.
  ///
  /// - Throws: if the path passes through a symbolic link that leads out of the folder, also one that was made after the
  ///   folder was walked. A note that the user named is read through links.
  func read(_ path: [UInt8]) throws(SlipboxError) -> [UInt8] {
    do throws(SystemError) {
      if isOneFile, notes.contains(where: { $0.path == path }) {
        return try Files.read(BytePath.join(root, path))
      }
      return try reader.read(path).bytes
    } catch {
      guard error.code == SystemError.leavesBox else { throw SlipboxError(error) }
      throw SlipboxError(.notPermitted, Self.leavesFolder)
    }
  }

  private static let leavesFolder = "not imported: a symbolic link points out of its folder"

  /// The files that a note alone links to, by their paths from its folder.
  private static func linkedFiles(
    of path: [UInt8], in root: [UInt8], _ reader: BoxFolder
  ) throws(SlipboxError) -> [FoundFile] {
    let bytes = try system { () throws(SystemError) in try Files.read(BytePath.join(root, path)) }
    var found: [FoundFile] = []
    for link in Note(path: path, text: NoteText(bytes)).links {
      for target in targets(of: link, from: path) {
        guard let target = BytePath.normalised(target), place(target) == nil,
          !found.contains(where: { $0.path == target }),
          let status = try? reader.status(target), status.kind == .file
        else { continue }
        found.append(FoundFile(path: target, status: status))
      }
    }
    return found
  }

  /// The paths, from the folder, of the files other than notes that a link may name; `..` and a leading slash stay in them.
  private static func targets(of link: BodyScan.Link, from note: [UInt8]) -> [[UInt8]] {
    guard case .name(let name) = LinkAddress(link) else { return [] }
    return name.readings.filter { !FileName.isNote($0) }.map { reading in
      reading.first == UInt8(ascii: "/") ? reading : BytePath.join(BytePath.folder(of: note), reading)
    }
  }

  /// The reason why a path can't be that of an imported file; nil if it can.
  private static func place(_ target: [UInt8]) -> String? {
    guard let path = BytePath.normalised(target), path.first != UInt8(ascii: "/") else {
      return "not imported: it is outside the imported folder"
    }
    let isHidden = path.split(separator: UInt8(ascii: "/")).contains { $0.first == UInt8(ascii: ".") }
    return isHidden ? "not imported: it is hidden" : nil
  }

  /// The files that a note links to, that exist and that are not imported, by their paths from the folder.
  func refusedFiles(of note: Note) -> [(path: [UInt8], reason: String)] {
    note.links.flatMap { Self.targets(of: $0, from: note.path) }.compactMap { target in
      let path = target.first == UInt8(ascii: "/") ? target : BytePath.join(root, target)
      // A file that can't be read would not come along anyway.
      guard let status = try? Files.status(path, followLinks: true), status.kind == .file else { return nil }
      if let reason = Self.place(target) { return (target, reason) }
      do throws(SystemError) {
        _ = try reader.status(BytePath.normalised(target) ?? target)
        return nil
      } catch {
        return error.code == SystemError.leavesBox ? (target, Self.leavesFolder) : nil
      }
    }
  }

  private static func remarks(
    _ root: [UInt8], _ walk: DirectoryWalk.Result, hasKinds: Bool
  ) -> [String] {
    var remarks: [String] = []
    // A folder that could be walked a moment ago.
    let hidden = ((try? Files.list(root)) ?? []).filter { $0.first == UInt8(ascii: ".") }
    let groups: [(String, [[UInt8]])] = [
      ("hidden", hidden), ("symbolic links", walk.links.map(\.path)),
      ("nested repositories", walk.nestedRepositories),
    ]
    for (what, paths) in groups where !paths.isEmpty {
      let shown =
        paths.prefix(5).map { path in
          let isBox = hasKinds && path.elementsEqual(".slipbox".utf8)
          return isBox ? ".slipbox but for its kinds" : Visible.escape(path)
        } + (paths.count > 5 ? ["\(paths.count - 5) more"] : [])
      remarks.append("not imported, \(what): \(shown.joined(separator: ", "))")
    }
    return remarks + walk.problems.map { SlipboxError($0).message }
  }
}
