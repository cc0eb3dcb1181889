/// A file that is a note by its name and could not be read.
package struct UnreadableNote: Sendable {
  package let path: [UInt8]
  package let reason: String
}
