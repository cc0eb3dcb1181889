import Bytes
import Git
import NoteIndex
import Notes
import Platform

/// What the ignore rules of a box follow from, beside the `.gitignore` files inside of it, which the walk looks at.
struct IgnoreSources: Equatable {
  /// A checksum of the configuration files.
  let configuration: UInt64
  /// The files of rules outside of the box.
  let files: [[UInt8]]
  /// A checksum of their contents, of the exclusions in the settings, and of the local time zone.
  let content: UInt64
  /// Whether any of them holds a rule.
  let hasRules: Bool

  /// Looks at the sources as they are now.
  ///
  /// - Parameter known: an earlier look: while the configuration is the same, it need not be read, which would start
  ///   libgit2.
  init(of box: Box, known: IgnoreSources? = nil) {
    let configured = box.withRepository { $0.configurationFiles }.map(Self.read)
    let configuration = Self.checksum(configured)
    let files =
      if let known, known.configuration == configuration {
        known.files
      } else {
        box.withRepository { $0.excludeFiles(configured: configured) } + Self.filesAbove(box)
      }
    let contents = files.map(Self.read)
    self.configuration = configuration
    self.files = files
    let excluded = box.excluded.patterns.map { Array("\($0.isBeginning)\($0.text)".utf8) }
    // Creation dates without an offset are kept as they are read in one zone.
    let zone = Array(LocalZone.rules.map(String.init).joined(separator: " ").utf8)
    content = Self.checksum(contents + [zone] + excluded)
    hasRules = contents.contains(where: Self.holdsRule)
  }

  /// Whether the same rules hold, wherever they are configured.
  func meansTheSame(as other: IgnoreSources) -> Bool { files == other.files && content == other.content }

  /// The `.gitignore` files of the folders that the box is in.
  private static func filesAbove(_ box: Box) -> [[UInt8]] {
    guard !box.prefix.isEmpty else { return [] }
    var folder = box.workTree
    var files: [[UInt8]] = []
    for part in box.prefix.split(separator: UInt8(ascii: "/")) {
      files.append(BytePath.join(folder, Array(".gitignore".utf8)))
      folder = BytePath.join(folder, Array(part))
    }
    return files
  }

  /// A file of rules; one that can't be read holds none, as for git.
  private static func read(_ path: [UInt8]) -> [UInt8] { (try? Files.read(path, limit: 16 << 20)) ?? [] }

  private static func checksum(_ contents: [[UInt8]]) -> UInt64 {
    var packer = BytePacker()
    for content in contents { packer.append(content) }
    return packer.bytes.withUnsafeBytes { Checksum.of($0) }
  }

  /// Whether a file of rules has a line that is neither blank nor a comment.
  private static func holdsRule(_ bytes: [UInt8]) -> Bool {
    bytes.split(separator: UInt8(ascii: "\n")).contains { line in
      let rest = line.drop { $0 == 0x20 || $0 == 0x09 || $0 == 0x0D }
      return !rest.isEmpty && rest.first != UInt8(ascii: "#")
    }
  }
}

extension IgnoreSources {
  func pack(into packer: inout BytePacker) {
    packer.append(signed: Int64(bitPattern: configuration))
    packer.append(signed: Int64(bitPattern: content))
    packer.append(hasRules ? 1 : 0)
    packer.append(files.count)
    for file in files { packer.append(file) }
  }

  init?(_ unpacker: inout ByteUnpacker) {
    guard let configuration = unpacker.signed(), let content = unpacker.signed(),
      let hasRules = unpacker.number(), let count = unpacker.number(), count < 10_000
    else { return nil }
    var files: [[UInt8]] = []
    for _ in 0..<count {
      guard let file = unpacker.bytes() else { return nil }
      files.append(Array(file))
    }
    self.configuration = UInt64(bitPattern: configuration)
    self.content = UInt64(bitPattern: content)
    self.hasRules = hasRules != 0
    self.files = files
  }
}
