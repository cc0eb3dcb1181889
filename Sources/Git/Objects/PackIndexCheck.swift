import Bytes
import Platform

/// A look at the indexes of packs before libgit2 sees them.
///
/// Libgit2 1.5 works out the length that an index must have in 32 bits: one that claims 0x7FFFFFFF objects passes, and
/// the first look into it ends the program.
enum PackIndexCheck {
  private static let table = 256 * 4
  private static let hash = 20
  /// Alternates of alternates are followed so far, as in git.
  private static let deepest = 5

  /// Refuses where an index of a pack, or one of many packs, can't be what it says.
  /// - Throws: `damaged` with the name of the file.
  static func refuseDamaged(in objects: [UInt8], depth: Int = 0) throws(GitError) {
    let folder = objects / "pack"
    for name in RawFile.names(in: folder) {
      let isSound: (UnsafeRawBufferPointer) -> Bool
      if name.hasSuffix(".idx") {
        isSound = isSoundIndex
      } else if name == "multi-pack-index" {
        isSound = isSoundIndexOfMany
      } else {
        continue
      }
      guard let (file, _) = try FileBytes.of(folder / name, isWhole: false) else { continue }
      if file.withBytes(isSound) { continue }
      let pack = ShellWord.quoted(folder / (name.dropLast(4) + ".pack"))
      let cure = name.hasSuffix(".idx") ? "git index-pack \(pack)" : "git multi-pack-index write"
      throw GitError(
        .damaged(object: name),
        "\(GitError.text(folder / name)) is corrupt; move it away, then rebuild it with: \(cure)")
    }
    guard depth < deepest, let text = try RawFile.read(objects / "info/alternates")?.bytes else { return }
    for line in text.split(separator: 10) where line.first != UInt8(ascii: "#") {
      let path = line.first == UInt8(ascii: "/") ? Array(line) : objects / Array(line)
      try refuseDamaged(in: path, depth: depth + 1)
    }
  }

  /// Whether an index is as long as the count of its objects asks for.
  ///
  /// Source: gitformat-pack(5).
  static func isSoundIndex(_ bytes: UnsafeRawBufferPointer) -> Bool {
    guard bytes.count >= table + 2 * hash else { return false }
    let isNew = bytes.big32(at: 0) == 0xFF74_4F63
    let start = isNew ? 8 : 0
    guard let count = count(bytes, table: start) else { return false }
    guard isNew else { return bytes.count == table + count * 24 + 2 * hash }
    let least = start + table + count * 28 + 2 * hash
    return bytes.big32(at: 4) == 2 && bytes.count >= least && bytes.count <= least + max(0, count - 1) * 8
  }

  /// Whether the tables of an index of many packs are as long as the count of its objects asks for.
  private static func isSoundIndexOfMany(_ bytes: UnsafeRawBufferPointer) -> Bool {
    guard bytes.count >= 12 + hash else { return false }
    let chunks = Int(bytes[6])
    guard bytes.count >= 12 + (chunks + 1) * 12 + hash else { return false }
    var ranges: [UInt32: Range<Int>] = [:]
    for chunk in 0..<chunks {
      let place = 12 + chunk * 12
      guard let start = offset(bytes, at: place + 4), let end = offset(bytes, at: place + 16), start <= end,
        end <= bytes.count - hash
      else { return false }
      ranges[bytes.big32(at: place)] = start..<end
    }
    // "OIDF", "OIDL" and "OOFF".
    guard let counts = ranges[0x4F49_4446], counts.count == table,
      let count = count(bytes, table: counts.lowerBound)
    else { return false }
    return ranges[0x4F49_444C]?.count == count * hash && ranges[0x4F4F_4646]?.count == count * 8
  }

  /// The number of objects, where the numbers for each first byte rise.
  private static func count(_ bytes: UnsafeRawBufferPointer, table start: Int) -> Int? {
    guard bytes.count >= start + table else { return nil }
    var last: UInt32 = 0
    for place in 0..<256 {
      let number = bytes.big32(at: start + place * 4)
      guard number >= last else { return nil }
      last = number
    }
    return Int(last)
  }

  private static func offset(_ bytes: UnsafeRawBufferPointer, at place: Int) -> Int? {
    let high = bytes.big32(at: place)
    return high == 0 ? Int(bytes.big32(at: place + 4)) : nil
  }
}
