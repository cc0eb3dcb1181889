import Bytes
import Foreign
package import NoteIndex
import Notes
import Platform
import Synchronization

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
    let patterns = own.exclude?.map { ExcludedPaths.Pattern($0, source: "exclude in .slipbox/config.yaml") }
    return ExcludedPaths(patterns ?? obsidianExclusions + zkExclusions)
  }

  /// Obsidian's excluded files and the folders of its templates.
  ///
  /// An excluded file is the beginning of a path. A regular expression between slashes is ignored: a cloned box could
  /// make it take any time.
  private var obsidianExclusions: [ExcludedPaths.Pattern] {
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

  private var zkExclusions: [ExcludedPaths.Pattern] {
    guard let bytes = foreignBytes(".zk/config.toml") else { return [] }
    return ZkSettings(bytes).excluded.map { ExcludedPaths.Pattern($0, source: "exclude in .zk/config.toml") }
  }

  private func foreignJSON(_ path: String) -> JSONNode? {
    guard let bytes = foreignBytes(path) else { return nil }
    var node: JSONNode?
    JSONText.readFirst(bytes) { node = $0 }
    return node
  }

  /// The bytes of another program's settings; nil if there are none or they can't be read.
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
