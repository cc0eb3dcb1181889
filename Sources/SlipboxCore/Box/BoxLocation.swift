import Bytes
import Git
import Platform
import Text

/// Where the box of a command is.
package enum BoxLocation {
  /// The folder that makes a directory a box.
  package static let marker = Array(".slipbox".utf8)

  /// Finds the box: the one named, else `$SLIPBOX`, else upwards from the working directory, else the default box
  /// of the user's configuration.
  /// - Returns: its absolute path.
  /// - Throws: `.notFound` where there is none, naming how to make one.
  package static func find(named: [UInt8]?, in context: CommandContext) throws(SlipboxError) -> [UInt8] {
    if let named { return try box(at: named, from: "--box", context) }
    if let variable = context.boxVariable, !variable.isEmpty {
      return try box(at: variable, from: "$SLIPBOX", context)
    }
    if let found = upwards(from: context.workingDirectory) { return found }
    if let standard = Settings.user(context).defaultBox {
      return try box(at: standard, from: "the default box of your configuration", context)
    }
    if let folder = leftOutBox(above: context.workingDirectory) {
      throw SlipboxError(
        .notFound, "the settings of the box \(Visible.escape(folder)) are left out by its sparse checkout",
        hints: ["git sparse-checkout add \(String(decoding: marker, as: UTF8.self))"])
    }
    throw SlipboxError(
      .notFound, "no box here or in a folder above",
      hints: ["make one with: slip init", "or name one with: slip --box DIR ..."])
  }

  /// The nearest box at or above a folder.
  package static func upwards(from folder: [UInt8]) -> [UInt8]? {
    var current = folder
    while true {
      if isBox(current) { return current }
      let parent = BytePath.folder(of: current)
      if parent == current || parent.isEmpty { return nil }
      current = parent
    }
  }

  /// Whether a folder is a box.
  package static func isBox(_ folder: [UInt8]) -> Bool {
    let status = try? Files.status(BytePath.join(folder, marker), followLinks: false)
    return status?.kind == .directory
  }

  /// The folder of a box whose settings git tracks and a sparse checkout leaves out of the work tree; nil if there is
  /// none.
  private static func leftOutBox(above folder: [UInt8]) -> [UInt8]? {
    // A repository that can't be read has no box that could be used.
    guard let repository = try? Repository.discover(from: folder), let workTree = repository.workTree,
      repository.isSparse, let entries = try? repository.indexEntries()
    else { return nil }
    var current = folder
    while let path = BytePath.relative(current, to: workTree) {
      let settings = BytePath.join(BytePath.join(path, marker), Array("config.yaml".utf8))
      if entries.entry(at: settings)?.skipWorktree == true { return current }
      let parent = BytePath.folder(of: current)
      if parent == current || parent.isEmpty { return nil }
      current = parent
    }
    return nil
  }

  private static func box(
    at path: [UInt8], from source: String, _ context: CommandContext
  ) throws(SlipboxError) -> [UInt8] {
    let absolute = BytePath.join(context.workingDirectory, path)
    if let real = Files.realPath(absolute), isBox(real) { return real }
    throw SlipboxError(
      .notFound, "\(Visible.escape(path)) (\(source)) is not a box",
      hints: ["make it one with: slip init \(ShellWord.quoted(path))"])
  }
}
