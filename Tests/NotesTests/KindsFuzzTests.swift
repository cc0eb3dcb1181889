import Notes
import Testing

/// Hostile kind files never trap, and what is accepted prints and reads back as itself.
@Suite struct KindsFuzzTests {
  private struct Dice: RandomNumberGenerator {
    var state: UInt64
    mutating func next() -> UInt64 {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return state ^ (state >> 33)
    }
  }

  private static func mutated(_ bytes: [UInt8], _ dice: inout Dice) -> [UInt8] {
    var lines = bytes.split(separator: 0x0A, omittingEmptySubsequences: false).map(Array.init)
    for _ in 0..<Int.random(in: 1...4, using: &dice) {
      let line = Int.random(in: 0..<lines.count, using: &dice)
      switch Int.random(in: 0..<5, using: &dice) {
      case 0: lines.remove(at: line)
      case 1: lines.swapAt(line, Int.random(in: 0..<lines.count, using: &dice))
      case 2: lines.insert(lines[line], at: Int.random(in: 0...lines.count, using: &dice))
      case 3: lines[line].insert(" :-[]{}#&*!|>'\"%@`,?0\t".utf8.randomElement(using: &dice) ?? 0, at: 0)
      default:
        guard let index = lines[line].indices.randomElement(using: &dice) else { continue }
        lines[line][index] = UInt8.random(in: 0...255, using: &dice)
      }
      if lines.isEmpty { lines = [[]] }
    }
    return Array(lines.joined(separator: [0x0A]))
  }

  @Test func mutatedFilesAreReadOrRefused() throws {
    var dice = Dice(state: 20_261_121)
    let seeds = Schema.builtIn.kinds.map(\.declaration) + [KindsUserTests.trip]
    var accepted = 0
    for round in 0..<900 {
      let bytes = Self.mutated(Array(seeds[round % seeds.count].utf8), &dice)
      let (schema, problems) = Schema.reading([("trip.yaml", bytes)])
      guard problems.isEmpty, let kind = schema.kind(named: "trip") else {
        #expect(schema.kinds == Schema.builtIn.kinds)
        continue
      }
      accepted += 1
      let again = Schema.reading([("trip.yaml", Array(kind.declaration.utf8))])
      #expect(again.problems.isEmpty, "\(kind.declaration)")
      #expect(again.schema.kind(named: "trip") == kind, "\(kind.declaration)")
    }
    #expect(accepted > 50)
  }

  /// Whatever is accepted leaves no problem.
  @Test func changesOfARightRecordLeaveARightRecord() throws {
    var dice = Dice(state: 7)
    let words = [
      "status:on-shelf", "status:in-progress", "status:completed", "status:", "added:2026-01-01",
      "added:tomorrow", "added:",
      "started:2026-02-02", "started:", "started:today", "completed:2026-03-03", "completed:", "rating:3",
      "rating:9", "author:",
      "author:X", "+a", "-a",
    ]
    var text = try Kinds.new("book", "Dune", Kinds.changes("author:H"))
    var made = 0
    for _ in 0..<800 {
      let changes = (0..<Int.random(in: 1...3, using: &dice)).compactMap { _ in
        words.randomElement(using: &dice).flatMap { Change($0) }
      }
      guard let result = try? Kinds.editor().apply(changes, to: text, isNew: false) else { continue }
      made += 1
      text = result.text
      #expect(result.warnings.allSatisfy { $0.hasSuffix("is in the future") })
      #expect(Kinds.editor().problems(in: Kinds.note(text)).isEmpty, "\(changes)")
    }
    #expect(made > 200)
  }
}
