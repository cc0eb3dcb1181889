import Bytes
import Notes
import Platform

extension BoxWatch {
  /// What an event means to the box.
  func take(_ event: FolderWatch.Event, _ news: inout WatchedChanges) {
    switch event {
    case .overflow: news.isEverythingNew = true
    case .folderGone(let folder):
      if BytePath.relative(folder, to: root) != nil || folder == git.directory { take(gone: folder, &news) }
    case .name(let name, let folder, let isFolder, let isGone):
      if git.folders.contains(folder) || folder.starts(with: git.branches) {
        take(git: name, in: folder, &news)
      }
      guard let relative = BytePath.relative(folder, to: root) else { return }
      let path = BytePath.join(relative, name)
      if repositories.contains(folder) {
        if name.elementsEqual(".git".utf8) { news.isEverythingNew = true }
      } else if isFolder {
        take(folder: path, isGone: isGone, &news)
      } else {
        take(file: path, name, &news)
      }
    }
  }

  /// A watched folder that goes away is told of in the one above it, but for those without one that is watched.
  private func take(gone folder: [UInt8], _ news: inout WatchedChanges) {
    if folder == root || folder == git.directory || isOfSettings(BytePath.relative(folder, to: root) ?? []) {
      news.isEverythingNew = true
    }
  }

  private func take(git name: [UInt8], in folder: [UInt8], _ news: inout WatchedChanges) {
    if git.areRules(name, in: folder) {
      news.isEverythingNew = true
    } else if git.isState(name, in: folder) {
      news.isGitNew = true
      watchBranch()
    }
  }

  private func take(folder path: [UInt8], isGone: Bool, _ news: inout WatchedChanges) {
    let absolute = BytePath.join(root, path)
    if isHidden(path) {
      // Of hidden folders only those with settings matter, and a repository that begins or ends in a subfolder.
      let isNested = BytePath.name(of: path).elementsEqual(".git".utf8) && !BytePath.folder(of: path).isEmpty
      if isNested || isOfSettings(path) { news.isEverythingNew = true }
      return
    }
    watch?.remove(below: absolute)
    news.areOthersNew = true
    if isGone { news.goneFolders.insert(path) }
    do throws(SystemError) {
      news.paths.formUnion(try add(tree: absolute, isRoot: false))
    } catch {
      // No room for one watch more: a new box watch finds out how to go on.
      news.isEverythingNew = true
    }
  }

  private func take(file path: [UInt8], _ name: [UInt8], _ news: inout WatchedChanges) {
    if isOfSettings(path) {
      if !DirectoryWalk.isTemporary(name) { news.isEverythingNew = true }
    } else if name.elementsEqual(".gitignore".utf8) || name.elementsEqual(".git".utf8) && path != name {
      news.isEverythingNew = true
    } else if linked.contains(path) {
      news.paths.insert(path)
    } else if isHidden(path) || DirectoryWalk.isTemporary(name) {
      return
    } else if FileName.isNote(path) {
      news.paths.insert(path)
      if (try? Files.status(BytePath.join(root, path)))?.kind == .symbolicLink { hasLinks = true }
    } else if hasLinks {
      // What it is that a link has come to lead to, only the links themselves tell.
      news.isEverythingNew = true
    } else {
      news.areOthersNew = true
    }
  }

  private func isHidden(_ path: [UInt8]) -> Bool {
    path.split(separator: UInt8(ascii: "/")).contains { $0.first == UInt8(ascii: ".") }
  }

  private func isOfSettings(_ path: [UInt8]) -> Bool {
    path.elementsEqual(".slipbox".utf8) || path.starts(with: ".slipbox/".utf8)
  }
}
