import Bytes
import Git
import NoteIndex
import Notes
import Platform

/// The conditions under which a catalogue was cached: they and the files determine its verdicts and creation dates.
struct CatalogueConditions {
  /// The path of the box in its repository.
  let prefix: [UInt8]
  /// The commit whose history dated the notes without a creation date.
  let tip: ObjectID?
  let sources: IgnoreSources
  /// Whether there are any ignore rules in the box.
  let hasIgnoreRules: Bool
  /// The number of notes without a creation date.
  let undatedCount: Int
  /// Whether history dates all of them; otherwise the times of files do, in the time zone of the reader.
  let areDatedByHistory: Bool
  /// The rows of the files that are not notes, or only while git tracks them.
  let specialRows: [Int]
  /// The rows of the notes whose names may be those of copies.
  let copyRows: [Int]

  var bytes: [UInt8] {
    var packer = BytePacker()
    packer.append(prefix)
    packer.append(tip?.bytes ?? [])
    sources.pack(into: &packer)
    packer.append(hasIgnoreRules ? 1 : 0)
    packer.append(undatedCount)
    packer.append(areDatedByHistory ? 1 : 0)
    for rows in [specialRows, copyRows] {
      packer.append(rows.count)
      for row in rows { packer.append(row) }
    }
    return packer.bytes
  }

  init(
    prefix: [UInt8], tip: ObjectID?, sources: IgnoreSources, hasIgnoreRules: Bool, undatedCount: Int,
    areDatedByHistory: Bool, specialRows: [Int], copyRows: [Int]
  ) {
    self.prefix = prefix
    self.tip = tip
    self.sources = sources
    self.hasIgnoreRules = hasIgnoreRules
    self.undatedCount = undatedCount
    self.areDatedByHistory = areDatedByHistory
    self.specialRows = specialRows
    self.copyRows = copyRows
  }

  /// Parses the conditions of a snapshot; nil if they are malformed.
  init?(_ snapshot: CatalogueFile) {
    let read: CatalogueConditions? = snapshot.circumstances.withUnsafeBytes { bytes in
      var unpacker = ByteUnpacker(bytes)
      return CatalogueConditions(&unpacker, fileCount: snapshot.fileCount)
    }
    guard let read else { return nil }
    self = read
  }

  private init?(_ unpacker: inout ByteUnpacker, fileCount: Int) {
    guard let prefix = unpacker.array(), let tip = unpacker.array(), let sources = IgnoreSources(&unpacker),
      let hasRules = unpacker.number(), let undated = unpacker.number(), let byHistory = unpacker.number(),
      let special = Self.rows(&unpacker, fileCount), let copies = Self.rows(&unpacker, fileCount)
    else { return nil }
    self.init(
      prefix: prefix, tip: ObjectID(bytes: tip), sources: sources, hasIgnoreRules: hasRules != 0,
      undatedCount: undated, areDatedByHistory: byHistory != 0, specialRows: special, copyRows: copies)
  }

  private static func rows(_ unpacker: inout ByteUnpacker, _ fileCount: Int) -> [Int]? {
    guard let count = unpacker.number(), count <= fileCount else { return nil }
    var rows: [Int] = []
    for _ in 0..<count {
      guard let row = unpacker.number(), row < fileCount else { return nil }
      rows.append(row)
    }
    return rows
  }
}

/// The sources of the ignore rules of a box, besides the `.gitignore` files inside of it, which the scan checks.
struct IgnoreSources: Equatable {
  /// A checksum of the configuration files.
  let configuration: UInt64
  /// The files of rules outside of the box.
  let files: [[UInt8]]
  /// A checksum of their contents, of the exclusions in the settings, and of the local time zone.
  let content: UInt64
  /// Whether any of them contains a rule.
  let hasRules: Bool

  /// Reads the sources in their present state.
  ///
  /// - Parameter known: earlier sources: while the configuration is the same, it need not be read, which would start
  ///   libgit2.
  init(of box: Box, known: IgnoreSources? = nil) {
    let configured = box.withRepository { $0.settings.files }.map(Self.read)
    let configuration = Self.checksum(configured)
    let files =
      if let known, known.configuration == configuration {
        known.files
      } else {
        box.withRepository { $0.ignoreRules.files(configured: configured) } + Self.filesAbove(box)
      }
    let contents = files.map(Self.read)
    self.configuration = configuration
    self.files = files
    let excluded = box.excluded.patterns.map { Array("\($0.isBeginning)\($0.text)".utf8) }
    // Creation dates without an offset are cached as they are parsed in one time zone.
    let zone = Array(LocalZone.rules.map(String.init).joined(separator: " ").utf8)
    let conventions = TextConventions.current
    let labels = Array("labels first: \(conventions.contains(.labelsFirst))".utf8)
    let inline = InlineFields.areRead ? [Array("inline: \(InlineFields.reading)".utf8)] : []
    let codes = conventions.contains(.shortcodes) ? [Array("shortcodes".utf8)] : []
    let colons = conventions.contains(.colonTags) ? [Array("colon tags".utf8)] : []
    let pageNames = conventions.contains(.pageNames) ? PageNames.current : nil
    let names = pageNames.map { [Array($0.signature.utf8)] } ?? []
    content = Self.checksum(contents + [zone, labels] + inline + codes + colons + names + excluded)
    hasRules = contents.contains(where: Self.holdsRule)
  }

  /// Returns whether the same rules are valid, wherever they are configured.
  func meansTheSame(as other: IgnoreSources) -> Bool { files == other.files && content == other.content }

  /// Returns the `.gitignore` files of the folders above the box.
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

  /// Reads a file of rules; an unreadable file has none, as for git.
  private static func read(_ path: [UInt8]) -> [UInt8] { (try? Files.read(path, limit: 16 << 20)) ?? [] }

  private static func checksum(_ contents: [[UInt8]]) -> UInt64 {
    var packer = BytePacker()
    for content in contents { packer.append(content) }
    return packer.bytes.withUnsafeBytes { Checksum.of($0) }
  }

  /// Returns whether a file of rules has a line that is neither blank nor a comment.
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
      guard let file = unpacker.array() else { return nil }
      files.append(file)
    }
    self.configuration = UInt64(bitPattern: configuration)
    self.content = UInt64(bitPattern: content)
    self.hasRules = hasRules != 0
    self.files = files
  }
}
