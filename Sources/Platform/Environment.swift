import Glibc

/// The value of an environment variable, or nil where it is not set; invalid UTF-8 becomes U+FFFD.
package func environment(_ name: String) -> String? {
  guard let value = getenv(name) else { return nil }
  return String(cString: value)
}
