import CLibgit2

extension ObjectID {
  init(_ id: git_oid) {
    var copy = id
    self = withUnsafeBytes(of: &copy) { buffer in
      buffer.baseAddress.map(ObjectID.init(loading:)) ?? .zero
    }
  }

  /// The name as libgit2 takes it.
  var oid: git_oid {
    var result = git_oid()
    let bytes = self.bytes
    withUnsafeMutableBytes(of: &result) { $0.copyBytes(from: bytes) }
    return result
  }
}
