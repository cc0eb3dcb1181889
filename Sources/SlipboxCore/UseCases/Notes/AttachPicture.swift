import Bytes
package import NoteIndex
import Notes
import Text

/// A picture that is added to the box together with the link of its note.
package struct AttachPicture {
  private static let longestName = 60

  private let snapshot: BoxSnapshot
  private let entry: Entry
  /// The path of the new file.
  package let path: [UInt8]
  /// The folder of new pictures, from the root of the box.
  private let folder: [UInt8]
  private let layout: Layout

  /// Names the file after the note: `images/garden.png`, then `images/garden-2.png`. The layout has the folder.
  ///
  /// - Parameter ending: the ending of the name, without its point.
  /// - Throws: `.badData` if git ignores the file, because the commit would lack it.
  package init(to entry: Entry, ending: String, _ snapshot: BoxSnapshot) throws(SlipboxError) {
    self.snapshot = snapshot
    self.entry = entry
    let words = String(decoding: FileName.stem(of: entry.note.path), as: UTF8.self).lowercased()
      .split { !$0.isLetter && !$0.isNumber }.joined(separator: "-")
    let name = words.isEmpty ? "picture" : String(words.prefix(Self.longestName))
    let layout = try snapshot.layout()
    let beside = "./"
    let folder =
      layout.attachments.hasPrefix(beside)
      ? BytePath.join(
        BytePath.folder(of: entry.note.path), Array(layout.attachments.dropFirst(beside.count).utf8))
      : Array(layout.attachments.utf8)
    (self.layout, self.folder) = (layout, folder)
    let others = try snapshot.otherFiles()
    let isLinkedByName = Self.isLinkedByName(layout)
    var number = 1
    var (file, path): ([UInt8], [UInt8])
    repeat {
      file = Array("\(number == 1 ? name : "\(name)-\(number)").\(ending)".utf8)
      path = BytePath.join(folder, file)
      number += 1
    } while others.path(like: path) != nil || others.contains(path)
      || isLinkedByName && others.path(endingIn: file, from: folder) != nil
    self.path = path
    guard try LinkedFiles(in: snapshot).ignored(among: [path]).isEmpty else {
      throw SlipboxError(
        .badData, "git ignores \(path)",
        hints: ["nothing was changed; remove \(folder) from .gitignore"])
    }
  }

  private static func isLinkedByName(_ layout: Layout) -> Bool {
    layout.links.isWiki && layout.links != .title
  }

  /// The link of the note to the file, in the style of the layout.
  package var link: String {
    if Self.isLinkedByName(layout) {
      return "![[\(String(decoding: BytePath.name(of: path), as: UTF8.self))]]"
    }
    let served = Array("static/".utf8)
    let isServed = layout.name == .hugo && path.starts(with: served)
    let target =
      isServed
      ? Array(path.dropFirst(served.count - 1))
      : LinkPath.relative(path, from: LinkPath.folder(of: entry.note.path))
    return "![](\(BodyScan.Link.written(target, isWiki: false).target))"
  }

  /// The plan that writes the file and the body of the note: one commit.
  ///
  /// - Throws: the errors of the body. The applied plan throws `.busy` if there is a file at the path by then.
  package func plan(_ bytes: [UInt8], body: [UInt8]) throws(SlipboxError) -> Plan {
    let path = path
    let file = FileEdit(path: path) { (now) throws(SlipboxError) in
      guard now == nil else {
        throw SlipboxError(
          .busy, "\(path) was created meanwhile", retry: "try again")
      }
      return bytes
    }
    let title = entry.note.title
    let change = try ChangeNotes(in: snapshot).plan([entry], [], body: body)
    let name = String(decoding: BytePath.name(of: path), as: UTF8.self)
    return Plan(command: "attach", edits: [file] + change.edits) { _ in "Attach \(name): \(title)" }
  }
}
