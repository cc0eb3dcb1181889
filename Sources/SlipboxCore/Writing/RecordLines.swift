/// The lines of the records that commands keep for those after them: a name, then words; bytes in hexadecimal.
enum RecordLines {
  /// What stands after a name; nil where the line begins otherwise.
  static func value(_ name: String, _ line: String?) -> String? {
    guard let line, line.hasPrefix(name + " ") else { return nil }
    return String(line.dropFirst(name.count + 1))
  }
}
