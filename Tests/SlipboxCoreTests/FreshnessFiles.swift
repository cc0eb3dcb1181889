import Foundation
import SlipboxTesting

@testable import SlipboxCore

/// What other programs do to the files of a box.
extension FreshnessBox {
  var fileSteps: [(weight: Int, name: String, step: () throws -> Void)] {
    [
      (4, "write", { try self.write(self.name(), self.text(self.number(0..<500))) }),
      (4, "append", { try self.change { $0 + Array("More w\(self.number(0..<9)).\n".utf8) } }),
      (5, "edit of the same size", { try self.change(self.sameSize) }),
      (4, "edits around a command", editsAroundCommand),
      (3, "edit with the old time", editWithOldTime),
      (2, "touch", touch), (2, "replace by a new file", replaceFile), (3, "rename", renameFile),
      (1, "rename a folder", renameFolder), (2, "delete", deleteFile), (1, "delete a folder", deleteFolder),
      (1, "file to folder", fileToFolder), (1, "folder to file", folderToFile), (2, "link", link),
      (1, "hard link", hardLink), (1, "unreadable", makeUnreadable), (1, "readable", { self.makeReadable() }),
    ]
  }

  func write(_ name: String, _ text: String) throws {
    let bytes = Array(text.utf8)
    let folder = (path + "/" + name as NSString).deletingLastPathComponent
    try? FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    put(name, bytes)
  }

  /// Writes a file in place, as simple editors do.
  private func put(_ name: String, _ bytes: [UInt8]) {
    let file = Foundation.open(path + "/" + name, O_WRONLY | O_CREAT | O_TRUNC, 0o644)
    guard file >= 0 else { return }
    _ = bytes.withUnsafeBytes { Foundation.write(file, $0.baseAddress, $0.count) }
    close(file)
  }

  private func bytes(_ name: String) -> [UInt8] { folder.read(prefix + name) ?? [] }

  private func change(_ edit: ([UInt8]) -> [UInt8]) throws {
    guard let name = file(), size(name) < 1 << 20 else { return }
    history.append("  \(name)")
    put(name, edit(bytes(name)))
  }

  private func size(_ name: String) -> Int {
    var status = stat()
    return lstat(path + "/" + name, &status) == 0 ? Int(status.st_size) : 0
  }

  /// Other letters of the same number, in the title where there is one.
  private func sameSize(_ bytes: [UInt8]) -> [UInt8] {
    var bytes = bytes
    let letters = bytes.indices.filter { bytes[$0] >= 0x61 && bytes[$0] <= 0x7A }
    guard let place = letters.randomElement(using: &random) else { return bytes }
    bytes[place] = UInt8(0x61 + number(0..<26))
    return bytes
  }

  /// The same file before and after a command reads it, within the grain of the clock.
  private func editsAroundCommand() throws {
    guard let name = file(), size(name) < 1 << 20 else { return }
    history.append("  \(name)")
    for _ in 0..<number(1..<4) {
      put(name, sameSize(bytes(name)))
      if chance(0.5) { _ = try open().now.catalogue() } else { try open().foldCatalogue() }
    }
    put(name, sameSize(bytes(name)))
  }

  private func editWithOldTime() throws {
    guard let name = file(), size(name) < 1 << 20 else { return }
    history.append("  \(name)")
    var status = stat()
    stat(path + "/" + name, &status)
    put(name, chance(0.8) ? sameSize(bytes(name)) : bytes(name) + [0x0A])
    setTimes(name, status.st_mtim)
  }

  private func setTimes(_ name: String, _ time: timespec) {
    let times = [time, time]
    utimensat(AT_FDCWD, path + "/" + name, times, AT_SYMLINK_NOFOLLOW)
  }

  /// The time now, earlier, later, at a whole second, or that of another file.
  private func touch() throws {
    guard let name = (chance(0.3) ? folders().randomElement(using: &random) : file()) else { return }
    let distance = [0, -86_400, 86_400, -1, 3_600, -2_000_000_000].randomElement(using: &random) ?? 0
    let second = time(nil) + distance
    let time = timespec(tv_sec: second, tv_nsec: chance(0.3) ? 0 : number(0..<1_000_000_000))
    history.append("  \(name) \(distance)")
    setTimes(name, time)
  }

  /// A new file under the old name, sometimes with the old size and time.
  private func replaceFile() throws {
    guard let name = file(), size(name) < 1 << 20 else { return }
    history.append("  \(name)")
    var status = stat()
    stat(path + "/" + name, &status)
    let temporary = "half-written~"
    put(temporary, sameSize(bytes(name)))
    if chance(0.5) { setTimes(temporary, status.st_mtim) }
    rename(path + "/" + temporary, path + "/" + name)
  }

  private func renameFile() throws {
    guard let name = files(withLinks: true).randomElement(using: &random) else { return }
    let new = self.name()
    history.append("  \(name) to \(new)")
    try? FileManager.default.createDirectory(
      atPath: (path + "/" + new as NSString).deletingLastPathComponent, withIntermediateDirectories: true)
    rename(path + "/" + name, path + "/" + new)
  }

  private func renameFolder() throws {
    guard let name = folders().randomElement(using: &random) else { return }
    let new = chance(0.5) ? "moved\(number(0..<3))" : (folders().randomElement(using: &random) ?? "x") + "/in"
    history.append("  \(name) to \(new)")
    rename(path + "/" + name, path + "/" + new)
  }

  private func deleteFile() throws {
    guard let name = files(withLinks: true).randomElement(using: &random) else { return }
    history.append("  \(name)")
    unlink(path + "/" + name)
  }

  private func deleteFolder() throws {
    guard let name = folders().randomElement(using: &random), chance(0.5) else { return }
    history.append("  \(name)")
    try? FileManager.default.removeItem(atPath: path + "/" + name)
  }

  private func fileToFolder() throws {
    guard let name = file() else { return }
    history.append("  \(name)")
    unlink(path + "/" + name)
    try write(name + "/inside.md", text(number(0..<500)))
  }

  private func folderToFile() throws {
    guard let name = folders().filter({ $0.hasSuffix(".md") }).randomElement(using: &random) else { return }
    history.append("  \(name)")
    try? FileManager.default.removeItem(atPath: path + "/" + name)
    put(name, Array(text(number(0..<500)).utf8))
  }

  /// A symbolic link to a file of the box, to a hidden one, out of the box, or to nothing.
  private func link() throws {
    let name = "link\(number(0..<6)).md"
    unlink(path + "/" + name)
    try write(".hidden/secret.md", text(number(0..<500)))
    let target = [file() ?? "x", ".hidden/secret.md", "/etc/passwd", "nowhere.md", "link1.md"]
      .randomElement(using: &random)
    history.append("  \(name) to \(target ?? "-")")
    symlink(target ?? "x", path + "/" + name)
  }

  private func hardLink() throws {
    guard let name = file() else { return }
    let new = self.name()
    history.append("  \(name) and \(new)")
    Foundation.link(path + "/" + name, path + "/" + new)
  }

  /// No rights where that means something, else more bytes than are read as a note.
  private func makeUnreadable() throws {
    guard let name = files().filter({ $0.hasSuffix(".md") }).randomElement(using: &random) else { return }
    history.append("  \(name)")
    if geteuid() != 0 { chmod(path + "/" + name, 0) } else { truncate(path + "/" + name, 65 << 20) }
  }

  /// Gives all files their rights and a bearable size again: git is not to store what is too large.
  func makeReadable() {
    for name in files() {
      if geteuid() != 0 { chmod(path + "/" + name, 0o644) }
      if size(name) > 1 << 20 { truncate(path + "/" + name, 200) }
    }
  }
}
