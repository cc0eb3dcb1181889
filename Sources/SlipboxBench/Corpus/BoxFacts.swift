/// The known facts of a box that the bench made, kept beside it for later runs as lines of a name and a value.
package struct BoxFacts: Equatable, Sendable {
  private var values: [String: String] = [:]
  /// Notes to change, spread over the whole box.
  package var paths: [String] = []
  /// The notes that were made first.
  package var earliestPaths: [String] = []

  package init() {}

  /// A number.
  package subscript(count name: String) -> Int? {
    get { values[name].flatMap { Int($0) } }
    set { values[name] = newValue.map { "\($0)" } }
  }

  /// A text without line ends.
  package subscript(name: String) -> String? {
    get { values[name] }
    set { values[name] = newValue }
  }

  /// The lines of the file, in the order of the names.
  package var text: String {
    values.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)\n" }.joined()
      + paths.map { "path \($0)\n" }.joined() + earliestPaths.map { "earliest \($0)\n" }.joined()
  }

  package init(text: String) {
    for line in text.split(separator: "\n") {
      let parts = line.split(separator: " ", maxSplits: 1).map(String.init)
      guard parts.count == 2 else { continue }
      switch parts[0] {
      case "path": paths.append(parts[1])
      case "earliest": earliestPaths.append(parts[1])
      default: values[parts[0]] = parts[1]
      }
    }
  }
}
