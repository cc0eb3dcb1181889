import NoteIndex
import Notes
import SlipboxTesting
import Testing
import Text

@testable import SlipboxCore

/// Tags counted from the kept columns, held against a count of each note's tags.
@Suite struct TagCountingTests {
  private static let names = [
    "work", "Work", "WORK/clients", "work/clients/acme", "Żaba", "żaba", "zaba", "a//b", "/lead", "été",
    "ete", "x",
  ]

  private static func text(_ random: inout SplitMix64) -> String {
    var tags: [String] = []
    for _ in 0..<Int.random(in: 0...4, using: &random) {
      tags.append(names.randomElement(using: &random) ?? "")
    }
    let kind = ["", "kind: issue\nstatus: closed\n", "kind: issue\n", "kind: task\ndone: true\n"]
      .randomElement(using: &random)
    let inline = Bool.random(using: &random) ? "#work/more" : ""
    return "---\n\(kind ?? "")tags: [\(tags.joined(separator: ", "))]\n---\n\(inline)\n"
  }

  /// The numbers of a tag: active notes and all that have it, and that have it or one below.
  private struct Numbers: Equatable {
    var spellings: [[UInt8]: Int] = [:]
    var (active, all, activeBelow, allBelow) = (0, 0, 0, 0)

    var name: String {
      let best = spellings.min { first, second in
        first.value != second.value
          ? first.value > second.value : first.key.lexicographicallyPrecedes(second.key)
      }
      return String(decoding: best?.key ?? [], as: UTF8.self)
    }
  }

  private static func counted(_ entries: Entries, _ test: ActiveTest) -> [String: Numbers] {
    var numbers: [String: Numbers] = [:]
    for entry in entries {
      let active = test.isActive(entry) ? 1 : 0
      var seen: Set<String> = []
      for tag in entry.note.tags {
        for name in TagName.lineage(of: tag) where seen.insert(TagName.key(name)).inserted {
          numbers[TagName.key(name), default: Numbers()].allBelow += 1
          numbers[TagName.key(name)]?.activeBelow += active
          numbers[TagName.key(name)]?.spellings[Array(name.utf8), default: 0] += 1
        }
        numbers[TagName.key(tag)]?.all += 1
        numbers[TagName.key(tag)]?.active += active
      }
    }
    return numbers
  }

  private static func flat(_ branches: [TagBranch]) -> [TagCount] {
    branches.flatMap { [$0.tag] + flat($0.children) }
  }

  @Test(arguments: [1, 2, 3]) func isThatOfEachNote(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    let folder = try TemporaryFolder()
    _ = try makeBox(in: folder)
    for number in 0..<200 { try folder.write("\(number).md", Self.text(&random)) }
    // First from the files, then from the columns, then with notes that are newer than these.
    for round in 0..<3 {
      if round == 2 { for number in 100..<130 { try folder.write("\(number).md", Self.text(&random)) } }
      let box = try BoxInTest(at: folder.bytes, context(in: folder.path, Listener())).now
      let test = ActiveTest(schema: box.schema(), clock: box.clock)
      let entries = try box.catalogue().entries
      let wanted = Self.counted(entries, test)
      let tags = try BoxTags(of: box).counts()
      #expect(tags.count == wanted.values.count { $0.all > 0 })
      for tag in tags {
        let numbers = try #require(wanted[TagName.key(tag.name)])
        #expect(tag.name == numbers.name && tag.active == numbers.activeBelow && tag.all == numbers.allBelow)
        // Queries don't tell letters with marks from those without.
        guard tag.name.lowercased().hasPrefix("work") else { continue }
        let found = try box.matches(try box.query(["tag:\"\(tag.name)\""])).count
        #expect(tag.all == found, "\(tag.name)")
      }
      let branches = Self.flat(try BoxTags(of: box).branches())
      #expect(branches.count == wanted.count)
      for tag in branches {
        let numbers = try #require(wanted[TagName.key(tag.name)])
        #expect(tag.active == numbers.activeBelow && tag.all == numbers.allBelow)
      }
      var mostUsed: [String: (name: String, count: Int)] = [:]
      for entry in entries where test.isActive(entry) {
        for tag in entry.note.tags where mostUsed[TagName.key(tag)] == nil {
          mostUsed[TagName.key(tag)] = (tag, wanted[TagName.key(tag)]?.activeBelow ?? 0)
        }
      }
      let active = try BoxTags(of: box).mostUsed()
      #expect(active.map(\.count) == mostUsed.values.map(\.count).sorted(by: >))
      #expect(
        Set(active.map { "\($0.name) \($0.count)" }) == Set(mostUsed.values.map { "\($0.name) \($0.count)" }))
    }
  }
}
