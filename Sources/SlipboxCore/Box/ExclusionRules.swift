import Bytes
import Foreign
import Git
package import NoteIndex
import Notes
import Platform
import Synchronization

extension Box {
  /// Returns whether the ignore rules leave out a file that git does not track.
  func isIgnored(_ path: [UInt8]) throws(SlipboxError) -> Bool {
    let name = repositoryPath(path)
    return try git { repository throws(GitError) in try repository.ignoreRules.isIgnored(name) }
  }

  /// Returns the rule that ignores a file, as "FILE:LINE: PATTERN"; nil if none does.
  func ignoreRule(_ path: [UInt8]) -> String? {
    withRepository { $0.ignoreRules.rule(for: repositoryPath(path)) }
  }

  /// Returns whether a folder above a path has a file of ignore rules, or can't be read.
  func hasIgnoreFile(above path: [UInt8]) -> Bool {
    var folder = BytePath.folder(of: path)
    while true {
      let rules = absolutePath(BytePath.join(folder, Array(".gitignore".utf8)))
      do throws(SystemError) {
        if try Files.status(rules) != nil { return true }
      } catch {
        return true
      }
      if folder.isEmpty { return false }
      folder = BytePath.folder(of: folder)
    }
  }

  /// Returns the file of the box that a symbolic link leads to: the note itself, whatever its own name is.
  ///
  /// Returns nil if a scan would not find it under its own name either: outside of the box, in a hidden folder, in git's
  /// own, or in a nested repository.
  func target(of link: [UInt8]) -> DirectoryWalk.Found? {
    let root = Files.realPath(root) ?? root
    guard let target = Files.realPath(absolutePath(link)), let path = BytePath.relative(target, to: root),
      folder.isOpen(path), !isInNestedRepository(path),
      // A target that was removed meanwhile is not a note.
      let status = try? Files.status(target, followLinks: false), status.kind == .file
    else { return nil }
    return DirectoryWalk.Found(path: path, status: status)
  }

  /// Returns whether a symbolic link is at a path.
  func isLink(_ path: [UInt8]) -> Bool {
    // A path whose status can't be read is not a link that could be followed.
    (try? Files.status(absolutePath(path), followLinks: false))?.kind == .symbolicLink
  }

  /// Returns whether a path or a folder above it is a symbolic link.
  func passesThroughLink(_ path: [UInt8]) -> Bool {
    var place = path
    while !place.isEmpty {
      if isLink(place) { return true }
      place = BytePath.folder(of: place)
    }
    return false
  }

  /// Returns whether anything is at a path.
  package func isThere(_ path: [UInt8]) -> Bool {
    (try? Files.status(absolutePath(path), followLinks: false)) != nil
  }

  /// Returns whether a path is in a nested repository, none of whose files belongs to the box.
  func isInNestedRepository(_ path: [UInt8]) -> Bool { nestedRepository(above: path) != nil }

  /// Returns the innermost nested repository that contains a path; nil if there is none.
  func nestedRepository(above path: [UInt8]) -> [UInt8]? {
    var folder = BytePath.folder(of: path)
    while !folder.isEmpty {
      do throws(SystemError) {
        if try Files.status(absolutePath(BytePath.join(folder, Array(".git".utf8)))) != nil { return folder }
      } catch {
        // A folder whose status can't be read counts as a repository: its files are not read.
        return folder
      }
      folder = BytePath.folder(of: folder)
    }
    return nil
  }
}

/// The exclusions of a box as they were last read. Safe for several threads.
///
/// Every snapshot of the work tree reads them again. They apply to past states too.
final class ExclusionRules: Sendable {
  private let paths = Mutex<ExcludedPaths?>(nil)

  func known(orRead read: () -> ExcludedPaths) -> ExcludedPaths {
    if let known = paths.withLock({ $0 }) { return known }
    let new = read()
    return paths.withLock { paths in
      if paths == nil { paths = new }
      return paths ?? new
    }
  }

  func replace(_ new: ExcludedPaths) { paths.withLock { $0 = new } }
}

extension Box {
  /// The files that are notes by name and that a setting excludes.
  package var excluded: ExcludedPaths { exclusions.known { readExclusions(nil) } }

  /// Reads the exclusions again.
  func refreshExclusions(_ settings: Settings) { exclusions.replace(readExclusions(settings)) }

  /// Reads `exclude` from the settings of the box, otherwise from the settings of other programs in the folder.
  private func readExclusions(_ settings: Settings?) -> ExcludedPaths {
    let own = settings ?? Settings((try? bytes(at: Settings.boxFile)) ?? [])
    return ExcludedPaths(of: folder, own)
  }
}

extension ExcludedPaths {
  /// Reads the exclusions of a folder of notes: `exclude` of slip, otherwise those that the settings of other programs
  /// name.
  ///
  /// - Parameter settings: slip's settings in the folder.
  init(of folder: BoxFolder, _ settings: Settings) {
    let patterns = settings.exclude?.map { Pattern($0, source: "exclude in .slipbox/config.yaml") }
    let others = ForeignExclusions(folder: folder)
    self.init((patterns ?? others.obsidian + others.zk) + others.logseq)
  }
}

/// The exclusions in the settings of other programs.
private struct ForeignExclusions {
  let folder: BoxFolder

  /// Obsidian's excluded files and the folders of its templates.
  ///
  /// An excluded file is the beginning of a path. A regular expression between slashes is ignored: a cloned box could
  /// otherwise cause a match of unlimited duration (ReDoS).
  var obsidian: [ExcludedPaths.Pattern] {
    let filters = foreignJSON(".obsidian/app.json")?["userIgnoreFilters"]?.elements?.compactMap(\.text) ?? []
    let isExpression = { (filter: String) in filter.hasPrefix("/") && filter.hasSuffix("/") }
    let excluded = filters.filter { !$0.isEmpty && !isExpression($0) }.map {
      ExcludedPaths.Pattern($0, source: "userIgnoreFilters in .obsidian/app.json", isBeginning: true)
    }
    let folders = [
      (file: ".obsidian/templates.json", key: "folder"),
      (file: ".obsidian/plugins/templater-obsidian/data.json", key: "templates_folder"),
    ]
    return excluded
      + folders.compactMap { file, key in
        guard let folder = foreignJSON(file)?[key]?.text, folder.contains(where: { $0 != "/" && $0 != "." })
        else { return nil }
        return ExcludedPaths.Pattern(
          folder.hasSuffix("/") ? folder : folder + "/", source: "\(key) in \(file)")
      }
  }

  var zk: [ExcludedPaths.Pattern] {
    guard let bytes = foreignBytes(".zk/config.toml") else { return [] }
    return ZkSettings(bytes).excluded.map { ExcludedPaths.Pattern($0, source: "exclude in .zk/config.toml") }
  }

  /// The backups that Logseq makes of pages before it overwrites them.
  var logseq: [ExcludedPaths.Pattern] {
    guard foreignBytes("logseq/config.edn") != nil else { return [] }
    return ["logseq/bak/", "logseq/.recycle/"].map { ExcludedPaths.Pattern($0, source: "Logseq") }
  }

  private func foreignJSON(_ path: String) -> JSONNode? {
    guard let bytes = foreignBytes(path) else { return nil }
    var node: JSONNode?
    JSONRecordStream.readFirst(bytes) { node = $0 }
    return node
  }

  /// Returns the bytes of another program's settings; nil without such a file, or if it can't be read.
  private func foreignBytes(_ path: String) -> [UInt8]? {
    try? folder.read(Array(path.utf8), limit: 1 << 20).bytes
  }
}

extension Settings {
  /// The folders and patterns of excluded notes; nil if the file does not set them.
  var exclude: [String]? {
    guard let value = values(ofList: "exclude") else { return nil }
    return value.filter { !$0.isEmpty }
  }
}
