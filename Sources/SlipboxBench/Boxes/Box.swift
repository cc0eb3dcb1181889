/// A box that the bench made, with its facts.
struct Box {
  let path: String
  let facts: BoxFacts

  /// A number that the maker of the box has noted.
  /// - Throws: Where there is none, which is a fault of the bench.
  func count(_ name: String) throws -> Int {
    guard let count = facts[count: name] else { throw BenchError("\(path).facts has no \(name)") }
    return count
  }

  /// A text that the maker of the box has noted.
  func text(_ name: String) throws -> String {
    guard let text = facts[name] else { throw BenchError("\(path).facts has no \(name)") }
    return text
  }
}

/// The contents of a box and their number.
enum BoxKind: Equatable {
  case notes(Int)
  case commits(Int)
  case records(Int)

  /// Such as `notes-1000`.
  var name: String {
    switch self {
    case .notes(let count): "notes-\(count)"
    case .commits(let count): "commits-\(count)"
    case .records(let count): "records-\(count)"
    }
  }

  /// - Parameter text: Such as `notes:1000`.
  init?(_ text: String) {
    let parts = text.split(separator: ":").map(String.init)
    guard parts.count == 2, let count = Int(parts[1]), (100...1_000_000).contains(count) else { return nil }
    switch parts[0] {
    case "notes": self = .notes(count)
    case "commits": self = .commits(count)
    case "records": self = .records(count)
    default: return nil
    }
  }

  var option: String { name.split(separator: "-").joined(separator: ":") }
}
