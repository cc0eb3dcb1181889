import Bytes
import Platform

/// A look at the objects that HEAD needs, and at the files in which they lie.
///
/// It reads with the own reader alone: libgit2 1.5 may go on for ever, or end the program, on damaged packs.
struct ObjectCheck {
  private let limits: ObjectCheckLimits
  /// The folder of objects, and those that are its alternates.
  private let stores: [ObjectFiles]
  /// Commits whose parents are not here, because the clone is shallow.
  private let cut: Set<ObjectID>
  private var faults: [ObjectFault] = []
  private var objectFaults = 0
  /// The objects that have files of their own.
  private var loose: Set<ObjectID> = []

  init(_ repository: RepositoryLayout, _ limits: ObjectCheckLimits) {
    self.limits = limits
    stores = Self.folders(repository.commonDirectory / "objects").map { ObjectFiles($0) }
    // One that can't be read cuts nothing.
    let text = (try? RawFile.read(repository.commonDirectory / "shallow")?.bytes) ?? []
    cut = Set(text.split(separator: 10).compactMap { ObjectID(hex: $0.prefix(40)) })
  }

  /// All faults that are found, from a commit on.
  mutating func run(from tip: ObjectID?) -> [ObjectFault] {
    let (folders, budget) = (stores.map(\.folder), limits.packBytes)
    let sums = BackgroundTask {
      folders.flatMap { folder in
        var sum = PackSum(folder / "pack", budget: budget)
        return sum.faults()
      }
    }
    lookAtLoose()
    if let tip {
      lookAtHistory(from: tip)
      lookAtFiles(of: tip)
    }
    // A pack that is being written has no index yet; that matters where something is missing.
    let isIncomplete = faults.contains { $0.use != nil && $0.file == nil }
    return sums.value.filter { fault in
      isIncomplete || fault.what != .packIndex || fault.file.flatMap { RawFile.status($0) } != nil
    } + faults
  }

  /// The folder of objects and its alternates, and theirs, as far as git follows them.
  private static func folders(_ objects: [UInt8]) -> [[UInt8]] {
    var folders = [objects]
    var next = 0
    while next < folders.count, folders.count < 16 {
      let folder = folders[next]
      next += 1
      let text = (try? RawFile.read(folder / "info/alternates")?.bytes) ?? []
      for line in text.split(separator: 10) where line.first != UInt8(ascii: "#") {
        let path = line.first == UInt8(ascii: "/") ? Array(line) : folder / Array(line)
        if !folders.contains(path) { folders.append(path) }
      }
    }
    return folders
  }

  /// Adds a fault of an object, as long as they are few.
  private mutating func add(_ fault: ObjectFault) {
    objectFaults += 1
    if objectFaults <= limits.faults { faults.append(fault) }
    if objectFaults == limits.faults + 1 { faults.append(ObjectFault(what: .more, file: nil)) }
  }

  private var isFull: Bool { objectFaults > limits.faults }
}

/// How far a look at objects goes.
package struct ObjectCheckLimits: Sendable {
  /// So many bytes of packs are hashed.
  package var packBytes = 256 << 20
  /// So many objects with files of their own are read.
  package var looseObjects = 2_000
  /// So many commits are read.
  package var commits = 5_000
  /// So many faulty objects are named.
  package var faults = 20

  package init() {}
}

extension Repository {
  /// Makes a look for objects that are damaged or missing, which any thread may take.
  /// - Parameter tip: the commit whose files and history are to be there; nil looks at the files of objects alone.
  package func objectLook(
    from tip: ObjectID?, within limits: ObjectCheckLimits = ObjectCheckLimits()
  ) -> @Sendable () -> [ObjectFault] {
    { [layout] in
      var check = ObjectCheck(layout, limits)
      return check.run(from: tip)
    }
  }
}

extension ObjectCheck {
  /// Reads objects that have files of their own, as far as the limit goes.
  private mutating func lookAtLoose() {
    var left = limits.looseObjects
    for store in stores {
      for number in 0..<256 {
        let folder = (number < 16 ? "0" : "") + String(number, radix: 16)
        for name in RawFile.names(in: store.folder / folder) {
          guard let id = ObjectID(hex: folder + name) else { continue }
          loose.insert(id)
          guard left > 0, !isFull else { continue }
          left -= 1
          if !store.isWholeAlone(id) { add(ObjectFault(what: .loose(id), file: store.loosePath(of: id))) }
        }
      }
    }
  }

  /// Looks whether the commits are there that those before it name, the nearest first.
  private mutating func lookAtHistory(from tip: ObjectID) {
    var open = [tip]
    var next = 0
    var seen: Set<ObjectID> = [tip]
    while next < open.count, next < limits.commits, !isFull {
      let id = open[next]
      next += 1
      guard let bytes = read(id, .commit, for: .commit), let commit = Commit(id: id, bytes: bytes) else {
        continue
      }
      if id != tip, !isThere(commit.tree) { add(commit.tree, .commit) }
      guard !cut.contains(id) else { continue }
      for parent in commit.parents where seen.insert(parent).inserted { open.append(parent) }
    }
  }

  /// Looks whether all files of a commit are there; each list of files is read once, however often it is named.
  private mutating func lookAtFiles(of tip: ObjectID) {
    guard case .found(let object) = look(tip), let commit = Commit(id: tip, bytes: object.bytes) else {
      return
    }
    var open: [(id: ObjectID, path: [UInt8])] = [(commit.tree, [])]
    var seen: Set<ObjectID> = [commit.tree]
    while let (id, path) = open.popLast(), !isFull {
      guard let bytes = read(id, .tree, for: .folder(path)) else { continue }
      let tree = Tree(bytes: bytes)
      var next = 0
      while let place = tree.place(at: next) {
        next = place.end
        let id = tree.id(at: place)
        if place.mode == TreeItem.submodule || !place.isFolder && isThere(id) && !isSuspect(id) { continue }
        guard seen.insert(id).inserted else { continue }
        let name = Array(tree.bytes[place.name])
        let below = path.isEmpty ? name : path / name
        if place.isFolder { open.append((id, below)) } else { add(id, .file(below)) }
      }
    }
  }

  /// Whether the file of an object was found to be damaged.
  private func isSuspect(_ id: ObjectID) -> Bool {
    objectFaults > 0 && faults.contains { $0.what == .loose(id) }
  }

  /// Adds a fault of a needed object, or adds the use to a known one.
  private mutating func add(_ id: ObjectID, _ use: ObjectFault.Use) {
    if let number = faults.firstIndex(where: { $0.what == .loose(id) }) {
      faults[number].use = faults[number].use ?? use
    } else {
      add(ObjectFault(what: isThere(id) ? .unreadable(id) : .missing(id), file: nil, use: use))
    }
  }

  /// The bytes of an object; records a fault if it can't be read.
  private mutating func read(_ id: ObjectID, _ kind: ObjectKind, for use: ObjectFault.Use) -> [UInt8]? {
    switch look(id) {
    case .found(let object) where object.kind == kind: return object.bytes
    // Too long to be read here.
    case .absent where isThere(id): break
    default: add(id, use)
    }
    return nil
  }

  private func look(_ id: ObjectID) -> ObjectLookup {
    var result = ObjectLookup.absent
    for store in stores {
      switch store.look(for: id, isVerified: true) {
      case .found(let object): return .found(object)
      case .broken: result = .broken
      case .absent: break
      }
    }
    return result
  }

  private func isThere(_ id: ObjectID) -> Bool {
    loose.contains(id) || stores.contains { $0.isPacked(id) }
  }
}
