/// The comments of HTML around both versions of lines that two sides changed.
package enum ConflictMark {
  /// What every comment before a version begins with.
  package static let prefix = "<!-- slip: version "
  /// The comment after the last version.
  package static let end = "<!-- slip: end of versions -->"

  /// The comment before a version, which says who wrote it where that is known.
  static func start(_ number: Int, label: String) -> String {
    label.isEmpty ? "\(prefix)\(number) -->" : "\(prefix)\(number), \(label) -->"
  }

  /// When, by whom and on which device a version was written; empty if that is not known.
  static func label(_ stamp: MergeStamp?) -> String {
    guard let stamp else { return "" }
    return [stamp.when, stamp.who, stamp.device].filter { !$0.isEmpty }.map(safe).joined(separator: ", ")
  }

  /// The text on one line, without what would end a comment.
  private static func safe(_ text: String) -> String {
    var result = ""
    for scalar in text.unicodeScalars {
      let isControl = scalar.value < 0x20 || (0x7F...0x9F).contains(scalar.value)
      if isControl || scalar == "," || scalar == ">" { continue }
      if scalar == "-", result.unicodeScalars.last == "-" { continue }
      result.unicodeScalars.append(scalar)
    }
    return result
  }
}
