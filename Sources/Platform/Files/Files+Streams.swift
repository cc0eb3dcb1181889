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

  /// The next bytes that come from an open descriptor, as many as are there; none at its end.
  package static func readSome(descriptor: Int32, atMost count: Int = 1 << 16) throws(SystemError) -> [UInt8]
  {
    var code: Int32 = 0
    let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, length in
      let read = retrying { Glibc.read(descriptor, buffer.baseAddress, count) }
      if read < 0 { code = errno }
      length = max(0, read)
    }
    guard code == 0 else { throw SystemError(operation: "read", path: [], code: code) }
    return bytes
  }
}
