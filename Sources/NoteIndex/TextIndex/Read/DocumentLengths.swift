/// How many words the title and the body of a document have.
struct DocumentLengths: Sendable, Equatable {
  let document: UInt32
  var title: UInt32 = 0
  var body: UInt32 = 0

  init(document: UInt32, title: UInt32 = 0, body: UInt32 = 0) {
    self.document = document
    self.title = title
    self.body = body
  }

  /// Reads the lengths at an offset.
  @inline(__always)
  init(_ document: UInt32, in bytes: UnsafeRawBufferPointer, at offset: Int) {
    self.document = document
    title = IndexLayout.word(bytes, offset)
    body = IndexLayout.word(bytes, offset &+ 4)
  }
}
