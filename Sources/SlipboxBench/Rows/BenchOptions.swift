/// The options of the bench.
package struct BenchOptions: Equatable, Sendable {
  /// The sizes of the boxes.
  package var notes = [1_000, 10_000, 100_000]
  /// The lengths of the histories.
  package var commits = [10_000, 100_000]
  /// The program to measure; nil: the one beside the bench.
  package var slip: String?
  /// Where boxes are kept; nil: in a temporary folder, which goes at the end.
  package var folder: String?
  /// Parts of the names of rows; empty: all rows.
  package var rows: [String] = []
  /// How often each command runs, the first and uncounted time left out.
  package var runs = 7
  package var isJSON = false
  package var wantsHelp = false
  /// The box to make, and nothing else: `notes:10000`.
  package var make: String?

  package init() {}

  /// - Throws: `UsageError` where an option is unknown or lacks its value.
  package init(arguments: [String]) throws(UsageError) {
    var rest = arguments[...]
    while let word = rest.popFirst() {
      switch word {
      case "--json": isJSON = true
      case "--help", "-h": wantsHelp = true
      case "--notes", "--commits", "--slip", "--dir", "--rows", "--runs", "--make":
        guard let value = rest.popFirst(), !value.isEmpty else { throw UsageError("\(word) needs a value") }
        try set(word, value)
      default: throw UsageError("there is no option \(word)")
      }
    }
  }

  private mutating func set(_ option: String, _ value: String) throws(UsageError) {
    switch option {
    case "--notes": notes = try Self.sizes(value, option)
    case "--commits": commits = try Self.sizes(value, option)
    case "--runs": runs = try Self.number(value, option, 1...1_000)
    case "--rows": rows = value.split(separator: ",").map(String.init)
    case "--slip": slip = value
    case "--dir": folder = value
    default: make = value
    }
  }

  private static func sizes(_ value: String, _ option: String) throws(UsageError) -> [Int] {
    var sizes: [Int] = []
    for part in value.split(separator: ",") {
      sizes.append(try number(String(part), option, 100...1_000_000))
    }
    return Array(Set(sizes)).sorted()
  }

  private static func number(
    _ value: String, _ option: String, _ range: ClosedRange<Int>
  ) throws(UsageError) -> Int {
    guard let number = Int(value), range.contains(number) else {
      throw UsageError(
        "\(option) takes numbers from \(range.lowerBound) to \(range.upperBound), not \(value)")
    }
    return number
  }

  /// Whether a row is wanted. A part that is the whole name of a row means only that.
  package func wants(_ key: String, _ title: String, among keys: [String]) -> Bool {
    rows.isEmpty
      || rows.contains { part in
        keys.contains(part) ? key == part : key.contains(part) || title.contains(part)
      }
  }

  /// The text of `--help`.
  package static func help(rows: [String]) -> String {
    """
    Measures slip on boxes of made-up notes, beside git, rg and sqlite3 where they are installed, and beside
    the least that anyone has to do: looking at every file. Prints medians, ratios and goals.

    slipbox-bench [--notes N,...] [--commits N,...] [--rows PART,...] [--runs K] [--slip FILE] [--dir FOLDER] [--json]

      --notes N,...    sizes of the boxes (1000,10000,100000); one of 1000000 takes an hour and 20 GB of disk
      --commits N,...  lengths of the histories for the row "log" (10000,100000)
      --rows PART,...  only rows whose name or title has one of these parts; the names:
                       \(rows.joined(separator: " "))
      --runs K         how often each command is measured (7; fewer where it is slow, 3 from 1000000 notes on)
      --slip FILE      the program to measure (slip beside slipbox-bench)
      --dir FOLDER     keep the boxes there, and use those that are there
      --json           the report as JSON
      --make KIND:N    only make a box in --dir: notes:N, commits:N or records:N

    """
  }
}

/// An option that is not known, or a value that it does not take.
package struct UsageError: Error, Equatable, Sendable {
  package let message: String

  init(_ message: String) { self.message = message }
}
