import Bytes
import Platform
import SlipboxTesting
import Testing

@Suite struct WalkPropertyTests {
  /// Whatever happens to a tree, a table of its past and the walk held against it tell its present.
  @Test(arguments: [1, 2, 3, 4, 5, 6] as [UInt64])
  func changesLeadToThePresent(seed: UInt64) throws {
    var tree = try RandomTree(seed: seed)
    for _ in 0..<40 { try tree.change() }
    let walked = WalkedTree(tree.root)
    try walked.adopt()
    for _ in 0..<30 {
      // After a rest, times can be relied on; without one, nearly none can.
      if Bool.random(using: &tree.random) { rest() }
      for _ in 0..<Int.random(in: 0..<6, using: &tree.random) { try tree.change() }
      try walked.check()
      if Bool.random(using: &tree.random) { try walked.adopt() }
    }
  }

  /// Damage may lead to wrong answers, but to answers.
  @Test(arguments: [1, 2, 3, 4] as [UInt64])
  func damageDoesNoHarm(seed: UInt64) throws {
    var tree = try RandomTree(seed: seed)
    for _ in 0..<60 { try tree.change() }
    rest()
    let sound = FileTable.empty.applying(DirectoryWalk.table(under: tree.root, include: WalkedTree.isNote))
    var opened = 0
    for round in 0..<1_500 {
      var damaged = sound
      let length = damage(&damaged, round, &tree.random)
      // A copy of the very size, so that an access outside of it is one outside of its memory.
      guard let table = FileTable(ByteSlice(copying: Array(damaged[..<length]))) else { continue }
      opened += 1
      use(table, tree.root)
    }
    #expect(opened > 100)
  }

  /// - Returns: How many bytes are left.
  private func damage(
    _ bytes: inout [UInt8], _ round: Int, _ random: inout SplitMix64
  ) -> Int {
    // Each byte is changed in turn, then more and more of them.
    if round < bytes.count { bytes[round] ^= UInt8.random(in: 1...255, using: &random) }
    for _ in 0..<Int.random(in: 0..<4, using: &random) {
      let place = Int.random(in: 0..<bytes.count, using: &random)
      switch Int.random(in: 0..<4, using: &random) {
      case 0: bytes[place] = UInt8.random(in: 0...255, using: &random)
      case 1: bytes[place] ^= 1 << UInt8.random(in: 0..<8, using: &random)
      case 2: bytes[place] = [0, 0xFF, 0x2F, 0x2E].randomElement(using: &random) ?? 0
      default: for next in place..<min(place + 8, bytes.count) { bytes[next] = 0xFF }
      }
    }
    let isCut = Int.random(in: 0..<8, using: &random) == 0
    return isCut ? Int.random(in: 0..<bytes.count, using: &random) : bytes.count
  }

  private func use(_ table: FileTable, _ root: [UInt8]) {
    let changes = DirectoryWalk.changes(under: root, since: table, include: WalkedTree.isNote)
    for row in [-1, 0, 1, table.count - 1, table.count, .max, .min] {
      _ = (table.path(of: row), table.stamp(of: row), table.isRacy(row))
    }
    for row in 0..<min(table.count, 500) { _ = table.row(of: table.path(of: row)) }
    #expect(table.position(of: b("m")) <= table.count)
    let next = table.applying(changes)
    guard let again = FileTable(ByteSlice(copying: next)) else { return }
    _ = DirectoryWalk.changes(under: root, since: again, include: WalkedTree.isNote)
  }
}
