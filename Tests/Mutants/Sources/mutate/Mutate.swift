import Foundation

/// Lists the mutations of Swift files, and writes files with chosen mutations as switches.
///
///     mutate list FILE...              a line for each: file, byte, kind, line, code; between them tabs
///     mutate apply ROOT TARGET <PLAN   for lines of number, file, byte, kind: writes TARGET/FILE from ROOT/FILE
@main struct Mutate {
  static func main() throws {
    let arguments = CommandLine.arguments.dropFirst()
    switch arguments.first {
    case "list": try list(Array(arguments.dropFirst()))
    case "apply" where arguments.count == 3:
      try apply(root: arguments[arguments.startIndex + 1], target: arguments[arguments.startIndex + 2])
    default:
      FileHandle.standardError.write(
        Data("usage: mutate list FILE... | mutate apply ROOT TARGET <PLAN\n".utf8))
      exit(64)
    }
  }

  static func list(_ files: [String]) throws {
    for file in files {
      let source = try String(contentsOfFile: file, encoding: .utf8)
      for mutation in MutationFinder.mutations(of: source) {
        print("\(file)\t\(mutation.offset)\t\(mutation.kind)\t\(mutation.line)\t\(mutation.code)")
      }
    }
  }

  static func apply(root: String, target: String) throws {
    var chosen: [String: [String: Int]] = [:]
    while let line = readLine() {
      let words = line.split(separator: "\t")
      chosen[String(words[1]), default: [:]]["\(words[2]) \(words[3])"] = Int(words[0])
    }
    for (file, numbers) in chosen {
      let source = try String(contentsOfFile: root + "/" + file, encoding: .utf8)
      let mutations = MutationFinder.mutations(of: source).compactMap { mutation in
        numbers["\(mutation.offset) \(mutation.kind)"].map { (number: $0, mutation: mutation) }
      }
      try Data(rewrite(Array(source.utf8), mutations)).write(to: URL(filePath: target + "/" + file))
    }
  }
}
