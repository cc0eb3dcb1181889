import Glibc
import Platform

/// Files of text by path, without the syncs that a tool for notes owes its users.
enum TextFile {
  static func read(_ path: String) throws -> String {
    do {
      return String(decoding: try Files.read(Array(path.utf8)), as: UTF8.self)
    } catch {
      throw BenchError("\(path): \(error.reason)")
    }
  }

  /// Writes the whole file in place.
  static func write(_ text: String, to path: String) throws {
    let file = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
    guard file >= 0 else { throw BenchError.system(path) }
    defer { close(file) }
    var rest = Array(text.utf8)[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Glibc.write(file, $0.baseAddress, $0.count) }
      guard count > 0 || errno == EINTR else { throw BenchError.system(path) }
      rest = rest.dropFirst(max(0, count))
    }
  }

  /// Makes a folder and those above it.
  /// - Parameter path: From the root.
  static func makeFolder(_ path: String) throws {
    var made = ""
    for part in path.split(separator: "/") {
      made += "/\(part)"
      guard mkdir(made, 0o755) == 0 || errno == EEXIST else { throw BenchError.system(made) }
    }
  }

  /// Removes a file, if there is one.
  static func remove(_ path: String) { unlink(path) }

  static func exists(_ path: String) -> Bool { access(path, F_OK) == 0 }

  /// The bytes of all files below a folder; 0 if it does not exist.
  static func byteCount(in folder: String) throws -> Int {
    var count = 0
    do {
      guard try Files.status(Array(folder.utf8)) != nil else { return 0 }
      for name in try Files.list(Array(folder.utf8)) {
        let path = folder + "/" + String(decoding: name, as: UTF8.self)
        guard let status = try Files.status(Array(path.utf8)) else { continue }
        count += try status.kind == .directory ? byteCount(in: path) : Int(status.size)
      }
    } catch let error as SystemError {
      throw BenchError("\(folder): \(error.reason)")
    }
    return count
  }

  /// The Markdown files below a folder, hidden ones left out, sorted by their paths from the root.
  static func notes(in folder: String) throws -> [String] {
    var paths: [String] = []
    do {
      for bytes in try Files.list(Array(folder.utf8)) where bytes.first != UInt8(ascii: ".") {
        let path = folder + "/" + String(decoding: bytes, as: UTF8.self)
        if try Files.status(Array(path.utf8))?.kind == .directory {
          paths += try notes(in: path)
        } else if path.hasSuffix(".md") {
          paths.append(path)
        }
      }
    } catch let error as SystemError {
      throw BenchError("\(folder): \(error.reason)")
    }
    return paths
  }
}
