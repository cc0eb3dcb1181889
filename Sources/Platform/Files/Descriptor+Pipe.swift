import Glibc

extension Descriptor {
  /// A pipe whose ends a child does not inherit, and that are not standard streams.
  static func pipe() throws(SystemError) -> (read: Descriptor, write: Descriptor) {
    var ends: [Int32] = [-1, -1]
    guard Glibc.pipe(&ends) == 0 else { throw SystemError("pipe", []) }
    let (read, write) = (Descriptor(owning: ends[0]), Descriptor(owning: ends[1]))
    return (try read.aboveStreams(), try write.aboveStreams())
  }

  /// The same file above the numbers of the standard streams, closed in children.
  private func aboveStreams() throws(SystemError) -> Descriptor {
    let copy = fcntl(number, F_DUPFD_CLOEXEC, 3)
    guard copy >= 0 else { throw SystemError("pipe", []) }
    return Descriptor(owning: copy)
  }
}
