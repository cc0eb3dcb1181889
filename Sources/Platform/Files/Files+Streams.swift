import Glibc

extension Files {
  /// All that comes from an open descriptor, such as standard input, until its end.
  package static func readAll(descriptor: Int32) throws(SystemError) -> [UInt8] {
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = retrying { Glibc.read(descriptor, &chunk, chunk.count) }
      guard count >= 0 else { throw SystemError(operation: "read", path: [], code: errno) }
      if count == 0 { return bytes }
      bytes += chunk[..<count]
    }
  }
}
