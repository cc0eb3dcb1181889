/// A small change of the code that a test should notice, and the text that makes it switchable.
struct Mutation {
  /// What changes. The raw value is the name in plans and reports.
  enum Kind: String {
    /// `<` becomes `<=`, `>` becomes `>=`, and the reverse.
    case bound
    /// `&&` becomes `||`, and the reverse.
    case logic
    /// `+` becomes `-`, and the reverse.
    case sum
    /// A condition or an equality becomes its opposite.
    case condition
    /// `true` becomes `false`, and the reverse.
    case truth
    /// An integer becomes the next one.
    case number
    /// A call, an assignment, `continue` or `break` is removed.
    case statement
  }

  /// A piece of text that replaces a range of the file.
  struct Edit {
    /// The first byte that is replaced, in bytes of UTF-8 from the start of the file.
    let offset: Int
    /// The number of bytes that are replaced.
    let length: Int
    /// The new text, with `#` for the number of the mutation.
    let text: String
    /// Whether the text closes a range, so that it comes before texts that open one at the same byte.
    let closes: Bool
  }

  let kind: Kind
  /// The line, from 1.
  let line: Int
  /// The first byte of the changed code. It names the mutation together with its kind.
  let offset: Int
  /// The changed code, at most one line of it.
  let code: String
  let edits: [Edit]
  /// The number of nodes around the changed code. Outer texts open first and close last.
  let depth: Int
}

/// The file with the mutations as switches. Each has the number under which it is turned on.
func rewrite(_ source: [UInt8], _ mutations: [(number: Int, mutation: Mutation)]) -> [UInt8] {
  var edits: [(edit: Mutation.Edit, number: Int, depth: Int)] = []
  for (number, mutation) in mutations {
    edits += mutation.edits.map { ($0, number, mutation.depth) }
  }
  edits.sort { left, right in
    if left.edit.offset != right.edit.offset { return left.edit.offset < right.edit.offset }
    if left.edit.closes != right.edit.closes { return left.edit.closes }
    return left.edit.closes ? left.depth > right.depth : left.depth < right.depth
  }
  var result: [UInt8] = []
  var position = 0
  for (edit, number, _) in edits {
    if edit.offset > position { result += source[position..<edit.offset] }
    result += Array(edit.text.utf8).flatMap { $0 == UInt8(ascii: "#") ? Array(String(number).utf8) : [$0] }
    position = max(position, edit.offset + edit.length)
  }
  result += source[position...]
  return result
}
