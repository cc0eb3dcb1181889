extension FileTable {
  /// A name in a folder that is no file of the walk's choice, and yet is to be looked at or reported.
  struct OtherName: Sendable, Equatable {
    enum Kind: UInt16 {
      /// A symbolic link, wherever it leads.
      case link = 1
      /// A temporary file of an interrupted replacement.
      case temporary = 2
      /// A file of rules on what git ignores.
      case ignoreFile = 3

      /// Whether a walk would have found such a name.
      func admits(_ name: UnsafeRawBufferPointer) -> Bool {
        switch self {
        case .link: isPlainName(name)
        case .temporary: TemporaryFile.isTemporary(name)
        case .ignoreFile: name.elementsEqual(FileTable.ignoreFileName)
        }
      }
    }

    let kind: Kind
    let name: [UInt8]
    /// What was found; nil where nothing was, or where nothing is looked for.
    var stamp: FileStamp?
    var isRacy = false
  }

  /// `.gitignore`
  static let ignoreFileName: [UInt8] = Array(".gitignore".utf8)

  /// Whether another name, once looked at, could have changed since without a change of its stamp; in the same
  /// place as the flag of files, above the two bits of the kind.
  enum OtherFlag {
    static let kind: UInt16 = 3
    static let isRacy: UInt16 = 4
    static let hasStamp: UInt16 = 8
  }

  /// One of the other names, or nil where the row is none.
  func otherName(_ row: Int) -> OtherName? {
    let flags: UInt16 = otherNumber(row, .flags)
    let name = heapName(otherNumber(row, .nameOffset), Int(otherNumber(row, .nameLength) as UInt16))
    guard let kind = OtherName.Kind(rawValue: flags & OtherFlag.kind), kind.admits(name) else { return nil }
    let stamp = FileStamp(
      size: otherNumber(row, .size), modified: otherNumber(row, .modified),
      changed: otherNumber(row, .changed), inode: otherNumber(row, .inode))
    return OtherName(
      kind: kind, name: Array(name), stamp: flags & OtherFlag.hasStamp != 0 ? stamp : nil,
      isRacy: flags & OtherFlag.isRacy != 0)
  }
}
