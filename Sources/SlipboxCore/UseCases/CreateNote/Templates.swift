import Notes
import Platform
import Text

extension BoxSnapshot {
  /// A template of the box with its placeholders filled in: `{{title}}`, `{{date}}`.
  ///
  /// Nothing in a template is executed.
  /// - Throws: `.notFound` where there is none of that name, with those there are.
  package func template(_ name: String, title: String) throws(SlipboxError) -> [UInt8] {
    let path = Array(".slipbox/templates/\(name).md".utf8)
    guard FileName.problem(in: path) == nil, let bytes = try bytes(at: path) else {
      throw SlipboxError(
        .notFound, "there is no template \(Visible.escape(name))",
        hints: ["templates are files .slipbox/templates/NAME.md"])
    }
    let date = clock.now.civilDate.description
    return Self.filled(bytes, [("{{title}}", title), ("{{date}}", date)])
  }

  private static func filled(_ bytes: [UInt8], _ values: [(name: String, value: String)]) -> [UInt8] {
    var result: [UInt8] = []
    var position = 0
    while position < bytes.count {
      let rest = bytes[position...]
      if let hit = values.first(where: { rest.starts(with: Array($0.name.utf8)) }) {
        result += Array(hit.value.utf8)
        position += hit.name.utf8.count
      } else {
        result.append(bytes[position])
        position += 1
      }
    }
    return result
  }
}
