/// The files that one export makes.
package struct ExportedFiles: Sendable {
  /// Their paths in the folder, none twice.
  package let paths: [[UInt8]]
  let bytes: @Sendable (_ number: Int) throws(SlipboxError) -> [UInt8]

  /// - Parameter bytes: the bytes of the file of a number; asked for on several threads.
  package init(
    _ paths: [[UInt8]], bytes: @escaping @Sendable (_ number: Int) throws(SlipboxError) -> [UInt8]
  ) {
    self.paths = paths
    self.bytes = bytes
  }
}
