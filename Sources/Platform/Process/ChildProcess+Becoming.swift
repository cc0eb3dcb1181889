import Glibc

extension ChildProcess {
  /// Puts another program in the place of this one, with the same streams, environment and process.
  ///
  /// Wraps execv(3). Returns only by throwing.
  /// - Parameter arguments: the path of the program, then its arguments.
  package static func become(_ arguments: [[UInt8]]) throws(SystemError) -> Never {
    let path = arguments.first ?? []
    var words: [UnsafeMutablePointer<CChar>?] = []
    for argument in arguments { words.append(strdup(try terminated(argument, "start"))) }
    words.append(nil)
    words.withUnsafeMutableBufferPointer { words in
      if let list = words.baseAddress, let first = list.pointee { _ = execv(first, list) }
    }
    let error = SystemError("start", path)
    for word in words { free(word) }
    throw error
  }
}
