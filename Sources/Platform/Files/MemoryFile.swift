/// A file without a name, for programs and libraries that read settings from a path.
package struct MemoryFile: Sendable {
  private let file: Descriptor

  /// - Throws: `SystemError` where neither memory nor the folder of temporary files takes the bytes.
  package init(holding bytes: [UInt8]) throws(SystemError) {
    file = try Descriptor.anonymousFile(holding: bytes)
  }

  /// A path by which this process can open the file as long as the value lives.
  package var path: [UInt8] { Array("/proc/self/fd/\(file.number)".utf8) }
}
