extension PathPattern {
  /// Reads a folder (`Books/`), a file, or either with wildcards that also stand for slashes.
  init(_ value: ArraySlice<QueryLetter>, isExact: Bool) {
    let value = value.count > 2 && value.prefix(2).bytes.elementsEqual("./".utf8) ? value.dropFirst(2) : value
    if isExact {
      self.init(Glob(literal: value.bytes, reach: .whole), isExact: true)
    } else if let last = value.last, last.byte == UInt8(ascii: "/"), value.count > 1 {
      self.init(Glob(value.dropLast(), folding: true, reach: .below), isExact: false)
    } else {
      self.init(Glob(value, folding: true, reach: .wholeOrBelow), isExact: false)
    }
  }
}
