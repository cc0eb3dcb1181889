import Bytes
import Platform
import SlipboxCore
import Text

/// Where a command writes files that are no notes.
enum OutputPath {
  /// Refuses a path in a folder of git, whose files are git's alone.
  ///
  /// - Throws: `.cannotCreate` if a folder of the path is named `.git`, or is a repository without a work tree.
  static func refuseGitFolder(_ path: [UInt8]) throws(SlipboxError) {
    var folder = path
    var rest: [UInt8] = []
    var real = Files.realPath(folder)
    while real == nil, folder.count > 1 {
      rest = BytePath.join(BytePath.name(of: folder), rest)
      folder = BytePath.folder(of: folder)
      real = Files.realPath(folder.isEmpty ? [UInt8(ascii: "/")] : folder)
    }
    let parts = BytePath.join(real ?? folder, rest).split(separator: UInt8(ascii: "/"))
    var ancestor: [UInt8] = []
    for part in parts {
      ancestor += [UInt8(ascii: "/")] + part
      guard String(decoding: part, as: UTF8.self).lowercased() == ".git" || isRepository(ancestor) else {
        continue
      }
      throw SlipboxError(
        .cannotCreate, "\(Visible.escape(path)) is in a folder of git; nothing was written",
        hints: ["use another folder"])
    }
  }

  /// The path in a box of what a path leads to; nil if that is outside of the box.
  static func inBox(_ path: [UInt8], _ box: Box) -> [UInt8]? {
    let folder = Files.realPath(BytePath.folder(of: path)) ?? BytePath.folder(of: path)
    let real = Files.realPath(path) ?? BytePath.join(folder, BytePath.name(of: path))
    return BytePath.relative(real, to: Files.realPath(box.root) ?? box.root)
  }

  /// Whether a path in a box is hidden, so that no note is in it.
  static func isHidden(_ path: [UInt8]) -> Bool {
    path.split(separator: UInt8(ascii: "/")).contains { $0.first == UInt8(ascii: ".") }
  }

  private static func isRepository(_ folder: [UInt8]) -> Bool {
    let kinds = ["HEAD", "objects", "refs"].map { name in
      ((try? Files.status(BytePath.join(folder, Array(name.utf8)))) ?? nil)?.kind
    }
    return kinds == [.file, .directory, .directory]
  }
}
