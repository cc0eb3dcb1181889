/// The words that slip-page is started with, by `slip page`.
struct PageOptions {
  private(set) var box: [UInt8] = []
  private(set) var port: Int?
  private(set) var isReadOnly = false
  private(set) var opensBrowser = true

  /// - Throws: what can't be read of them.
  init(_ words: [[UInt8]]) throws(PageOptionError) {
    var words = words[...]
    while let word = words.popFirst() {
      switch String(decoding: word, as: UTF8.self) {
      case "--box": box = try Self.value(of: word, &words)
      case "--port":
        let text = String(decoding: try Self.value(of: word, &words), as: UTF8.self)
        guard let number = Int(text), (0...65_535).contains(number) else {
          throw PageOptionError(message: "--port takes a number up to 65535")
        }
        port = number
      case "--read-only": isReadOnly = true
      case "--no-open": opensBrowser = false
      case let other:
        throw PageOptionError(message: "slip-page is started by slip page; unknown option \(other)")
      }
    }
    guard !box.isEmpty else { throw PageOptionError(message: "slip-page is started by slip page") }
  }

  private static func value(
    of option: [UInt8], _ words: inout ArraySlice<[UInt8]>
  ) throws(PageOptionError) -> [UInt8] {
    guard let value = words.popFirst() else {
      throw PageOptionError(message: "\(String(decoding: option, as: UTF8.self)) takes a value")
    }
    return value
  }
}

/// A command line that can't be read.
struct PageOptionError: Error { let message: String }
