import Bytes
import SlipboxCore
import Text

/// REFs from standard input.
extension Session {
  /// REFs with those from standard input in the place of `-`.
  ///
  /// - Parameter nulSeparated: whether names on standard input end in NUL.
  func expandingInput(_ references: [String], nulSeparated: Bool) throws(SlipboxError) -> [String] {
    var names: [String] = []
    for reference in references {
      names += reference == "-" ? try referencesFromInput(nulSeparated: nulSeparated) : [reference]
    }
    return names
  }

  /// The first column of each line of standard input.
  private func referencesFromInput(nulSeparated: Bool) throws(SlipboxError) -> [String] {
    let input = try console.readInput()
    let lines = input.split(separator: nulSeparated ? 0 : UInt8(ascii: "\n"))
    return lines.compactMap { line in
      let end = nulSeparated ? nil : line.firstIndex(of: UInt8(ascii: "\t"))
      let name = ByteText.text(of: line[..<(end ?? line.endIndex)])
      return name.isEmpty || name == "\r" ? nil : name
    }
  }
}
