import Glibc

/// The value of an environment variable, or nil where it is not set; invalid UTF-8 becomes U+FFFD.
package func environment(_ name: String) -> String? {
  guard let value = getenv(name) else { return nil }
  return String(cString: value)
}

/// All environment variables as they are now; invalid UTF-8 becomes U+FFFD.
package func environmentVariables() -> [String: String] {
  var variables: [String: String] = [:]
  var next = environ
  while let entry = next.pointee {
    let line = Array(UnsafeRawBufferPointer(start: entry, count: strlen(entry)))
    if let equals = line.firstIndex(of: UInt8(ascii: "=")) {
      let name = String(decoding: line[..<equals], as: UTF8.self)
      variables[name] = String(decoding: line[(equals + 1)...], as: UTF8.self)
    }
    next += 1
  }
  return variables
}
