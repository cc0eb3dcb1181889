import Bytes
import Platform

/// Permissions for several users of one repository.
extension Repository {
  /// The permissions of files and folders that are made in the git folder; the umask decides if git would refuse the
  /// setting.
  var sharedMode: SharedMode {
    if let knownSharedMode { return knownSharedMode }
    let key = "core.sharedRepository"
    let mode = configuration(key).flatMap { SharedMode($0, isTrue: configurationIsTrue(key)) } ?? .umask
    knownSharedMode = mode
    return mode
  }

  /// Gives a file or folder in the git folder the permissions that `core.sharedRepository` asks for.
  package func share(_ path: [UInt8]) { sharedMode.apply(to: path) }

  /// Makes a folder and those above it in the git folder, with the permissions that `core.sharedRepository` asks for.
  func makeSharedFolder(_ path: [UInt8]) throws(SystemError) {
    var missing: [[UInt8]] = []
    var folder = path
    while folder.count > 1, RawFile.status(folder, followLinks: true) == nil {
      missing.append(folder)
      folder = folder.parentPath
    }
    guard !missing.isEmpty else { return }
    try Files.makeDirectory(path)
    for folder in missing { share(folder) }
  }

  /// Does for the files of a ref and of its log, which libgit2 made, what `makeSharedFolder` and `share` do.
  func shareReference(_ name: [UInt8]) {
    guard sharedMode != .umask else { return }
    for folder in [commonDirectory, commonDirectory / "logs", gitDirectory / "logs"] {
      var path = folder / name
      while path.count >= folder.count {
        if path != gitDirectory, path != commonDirectory { share(path) }
        path = path.parentPath
      }
    }
    share(gitDirectory / "logs/HEAD")
  }

  /// Does for a new repository what `git init` does if the user's configuration has `core.sharedRepository`: the
  /// repository keeps the setting, for the others who use it, and its files get their permissions.
  func shareAsNew() throws(GitError) {
    guard sharedMode != .umask, let value = configuration("core.sharedRepository") else { return }
    try setConfiguration("core.sharedRepository", value.isEmpty ? "group" : value)
    try setConfiguration("receive.denyNonFastForwards", "true")
    shareAll(in: gitDirectory)
  }

  private func shareAll(in folder: [UInt8]) {
    share(folder)
    for name in (try? Files.list(folder)) ?? [] {
      let path = folder / name
      if RawFile.status(path)?.kind == .directory { shareAll(in: path) } else { share(path) }
    }
  }
}
