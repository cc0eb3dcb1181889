import Bytes

/// A request of a browser, whole, as it came.
package struct PageRequest: Sendable {
  package let method: String
  /// The target as it stands in the first line.
  package let target: String
  /// The headers in their order, with their names as they were sent.
  package let headers: [(name: String, value: String)]
  package let body: [UInt8]

  package init(
    _ method: String, _ target: String, headers: [(name: String, value: String)], body: [UInt8] = []
  ) {
    self.method = method
    self.target = target
    self.headers = headers
    self.body = body
  }

  /// The values of a header, whose name is in small letters here.
  func values(of name: String) -> [String] {
    headers.filter { $0.name.lowercased().utf8.elementsEqual(name.utf8) }.map(\.value)
  }

  /// The one value of a header; nil where there is none, or several.
  func value(of name: String) -> String? {
    let values = values(of: name)
    return values.count == 1 ? values[0] : nil
  }
}
