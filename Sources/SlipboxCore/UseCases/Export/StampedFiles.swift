package import Bytes
package import Platform

/// Files below a folder with their stamps, packed in stretches: one pass finds the unchanged ones.
///
/// A stretch is the path of a folder, the number of its files, and for each file its name and its stamp.
package enum StampedFiles {
  /// So many files are in a stretch at most: threads share the files of a large folder.
  private static let stretchLength = 2048

  /// The places of files in stretches: those of a folder follow one another.
  package static func stretches(of paths: [[UInt8]]) -> [[Int]] {
    var numbers: [[UInt8]: Int] = [:]
    var groups: [[Int]] = []
    // Files of one folder mostly come together.
    var (last, lastNumber) = ([UInt8](), -1)
    for (place, path) in paths.enumerated() {
      let folder = BytePath.folder(of: path)
      if lastNumber < 0 || folder != last {
        lastNumber = numbers[folder] ?? groups.count
        last = folder
        if lastNumber == groups.count {
          numbers[folder] = lastNumber
          groups.append([])
        }
      }
      groups[lastNumber].append(place)
    }
    return groups.flatMap { group in
      stride(from: 0, to: group.count, by: stretchLength).map {
        Array(group[$0..<min($0 + stretchLength, group.count)])
      }
    }
  }

  /// The bytes of a stretch.
  ///
  /// - Parameter files: files of one folder.
  package static func packed(_ files: some Collection<(path: [UInt8], stamp: FileStamp)>) -> [UInt8] {
    var packer = BytePacker()
    packer.append(files.first.map { BytePath.folder(of: $0.path) } ?? [])
    packer.append(files.count)
    for (path, stamp) in files {
      packer.append(BytePath.name(of: path))
      packer.append(stamp)
    }
    return packer.bytes
  }

  /// The files of a stretch; nil if the bytes are not a stretch.
  package static func files(in stretch: ByteSlice) -> [(path: [UInt8], stamp: FileStamp)]? {
    stretch.withBytes { bytes in
      var unpacker = ByteUnpacker(bytes)
      guard let folder = unpacker.array(), let count = unpacker.number() else { return nil }
      var files: [(path: [UInt8], stamp: FileStamp)] = []
      for _ in 0..<count {
        guard let name = unpacker.array(), let stamp = unpacker.stamp() else { return nil }
        files.append((BytePath.path(of: name, in: folder), stamp))
      }
      return unpacker.isAtEnd ? files : nil
    }
  }

  /// Whether the files of some stretches are as they were, one after another.
  ///
  /// No symbolic link is followed.
  /// - Complexity: one call of the system a file.
  package static func areIntact(_ stretches: [ByteSlice], below folder: [UInt8]) -> [Bool] {
    let found = concurrentMap(stretches, chunk: 1) { stretch in
      stretch.withBytes { Self.areIntact($0, below: folder) }
    }
    return Array(found.joined())
  }

  private static func areIntact(_ stretch: UnsafeRawBufferPointer, below root: [UInt8]) -> [Bool] {
    var unpacker = ByteUnpacker(stretch)
    guard let path = unpacker.array(), let count = unpacker.number() else { return [] }
    let isThere = isFolder(path, in: root)
    var name = BytePath.join(root, path)
    if name.last != UInt8(ascii: "/") { name.append(UInt8(ascii: "/")) }
    let start = name.count
    var areIntact: [Bool] = []
    areIntact.reserveCapacity(count)
    for _ in 0..<count {
      guard let last = unpacker.bytes(), let stamp = unpacker.stamp() else { break }
      name.removeSubrange(start...)
      last.withUnsafeBytes { name.append(contentsOf: $0) }
      let status = isThere ? (try? Files.status(name, followLinks: false)) ?? nil : nil
      areIntact.append(status.map { $0.kind == .file && FileStamp($0) == stamp } ?? false)
    }
    return areIntact
  }

  /// Whether there is a folder below another one, without a symbolic link on the way.
  private static func isFolder(_ path: [UInt8], in root: [UInt8]) -> Bool {
    var folder = root
    return path.split(separator: UInt8(ascii: "/")).allSatisfy { part in
      folder = BytePath.join(folder, Array(part))
      return ((try? Files.status(folder, followLinks: false)) ?? nil)?.kind == .directory
    }
  }
}

extension BytePacker {
  /// Appends the stamp of a file.
  package mutating func append(_ stamp: FileStamp) {
    append(signed: stamp.size)
    append(signed: stamp.modified)
    append(signed: stamp.changed)
    append(signed: Int64(bitPattern: stamp.inode))
  }
}

extension ByteUnpacker {
  /// Reads the stamp of a file; nil without one.
  package mutating func stamp() -> FileStamp? {
    guard let size = signed(), let modified = signed(), let changed = signed(), let inode = signed() else {
      return nil
    }
    return FileStamp(size: size, modified: modified, changed: changed, inode: UInt64(bitPattern: inode))
  }
}
