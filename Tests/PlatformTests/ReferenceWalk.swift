import Glibc
import Platform
import SlipboxTesting

/// A walk written for its plainness alone, to hold the real one against.
struct ReferenceWalk {
  private(set) var files: [[UInt8]: FileStatus] = [:]
  private(set) var links: [[UInt8]: FileStatus] = [:]
  private(set) var ignoreFiles: [[UInt8]: FileStatus] = [:]
  private(set) var nestedRepositories: Set<[UInt8]> = []
  private(set) var temporaries: Set<[UInt8]> = []

  init(_ root: [UInt8], include: ([UInt8]) -> Bool) throws {
    try walk(root, [], include)
  }

  private mutating func walk(_ root: [UInt8], _ folder: [UInt8], _ include: ([UInt8]) -> Bool) throws {
    let names = try Files.list(folder.isEmpty ? root : root + b("/") + folder)
    guard folder.isEmpty || !names.contains(b(".git")) else {
      nestedRepositories.insert(folder)
      return
    }
    for name in names {
      let path = folder.isEmpty ? name : folder + b("/") + name
      let full = root + b("/") + path
      guard let status = try Files.status(full) else { continue }
      let target = try? Files.status(full, followLinks: true)
      if name == b(".gitignore") {
        if let target, target.kind == .file { ignoreFiles[path] = target }
      } else if name.starts(with: b(".slip-")), name.suffix(4) == b(".tmp") {
        temporaries.insert(path)
      }
      guard name.first != UInt8(ascii: ".") else { continue }
      if status.kind == .directory { try walk(root, path, include) }
      guard include(name) else { continue }
      if status.kind == .file { files[path] = status }
      if status.kind == .symbolicLink, let target, target.kind == .file { links[path] = target }
    }
  }
}

/// The paths in the order of their bytes.
func sorted(_ paths: some Sequence<[UInt8]>) -> [[UInt8]] {
  paths.sorted { $0.lexicographicallyPrecedes($1) }
}
