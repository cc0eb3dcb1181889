import Foundation
import NoteIndex
import Notes
import SlipboxTesting
import Testing

@testable import SlipboxCore
import Text

/// Notes of the corpora moved and retitled: no link that was whole breaks, no other byte changes, all can be undone.
@Suite struct RenameCorpusTests {
  /// A link of the box and the path of the note or file that it means, if it means one.
  private struct Meaning: Equatable {
    let note: [UInt8]
    let number: Int
    let target: [UInt8]
  }

  private func meanings(_ box: BoxInTest) throws -> [Meaning] {
    let snapshot = try box.now
    let entries = try snapshot.catalogue().entries
    let links = try snapshot.linkGraph().links(of: entries.indices.map { .place($0) })
    var meanings: [Meaning] = []
    for (place, links) in zip(entries.indices, links) {
      let path = entries.path(at: place)
      for (number, link) in links.enumerated() {
        if case .note(let target) = link.meaning {
          meanings.append(Meaning(note: path, number: number, target: entries.path(at: target)))
        } else if case .dangling = link.meaning,
          let file = LinkedFiles(in: snapshot).file(of: link.link, from: path)
        {
          meanings.append(Meaning(note: path, number: number, target: file))
        }
      }
    }
    return meanings.sorted {
      ($0.note, $0.number).0 == $1.note ? $0.number < $1.number : $0.note.lexicographicallyPrecedes($1.note)
    }
  }

  /// The bytes of a note's body with the targets of its links left out.
  private func masked(_ note: Note) throws -> [UInt8] {
    let text = try note.text
    let places = note.links.compactMap { LinkPlace($0, in: text.bytes)?.target }
      .filter { $0.lowerBound >= text.body.lowerBound }.sorted { $0.lowerBound < $1.lowerBound }
    var (result, position) = ([UInt8](), text.body.lowerBound)
    for place in places where place.lowerBound >= position {
      result += text.bytes[position..<place.lowerBound]
      position = place.upperBound
    }
    return result + text.bytes[position...]
  }

  @Test(arguments: [false, true])
  func noLinkOfTheSmallCorpusBreaks(isRetitling: Bool) throws {
    try expectWholeLinks("small", isRetitling: isRetitling, changes: 25)
  }

  @Test(
    .enabled(if: Machine.hasCorpora, "needs ../shared/corpora"), arguments: ["garden", "kepano"],
    [false, true])
  func noLinkBreaksAndNoOtherByteChanges(_ name: String, isRetitling: Bool) throws {
    try expectWholeLinks(name, isRetitling: isRetitling, changes: 100)
  }

  /// Moves or retitles some notes, one after the other.
  private func expectWholeLinks(_ name: String, isRetitling: Bool, changes: Int) throws {
    let (folder, box) = try adoptedCorpus(name)
    let path = folder.path + "/box"
    let tree = try run("git", ["rev-parse", "HEAD^{tree}"], in: path).output
    let before = try meanings(box)
    var bodies: [[UInt8]: [UInt8]] = [:]
    for entry in try box.now.catalogue().entries { bodies[entry.note.path] = try masked(entry.note) }
    var random = SplitMix64(seed: isRetitling ? 7 : 8)
    var paths: [[UInt8]: [UInt8]] = [:]
    var (done, refused, changedBodies) = (0, [String](), Set<[UInt8]>())
    var chosen: Set<[UInt8]> = []
    while chosen.count < changes {
      let entries = try box.now.catalogue().entries
      let place = Int.random(in: entries.indices, using: &random)
      let (entry, origin) = (
        entries[place], paths.first { $0.value == entries.path(at: place) }?.key ?? entries.path(at: place)
      )
      guard chosen.insert(origin).inserted else { continue }
      do throws(SlipboxError) {
        let plan: Plan
        if isRetitling {
          plan = try Retitling(try snapshot(box)).plan(
            .init(entry: entry, heading: nil), to: "\(entry.note.title) as it is now \(chosen.count)")
          // A heading that repeats the title of the front matter changes with it.
          let body = String(decoding: try entry.note.text.bytes, as: UTF8.self)
          if entry.note.titleSource == .heading || body.contains("# \(entry.note.title)\n") {
            changedBodies.insert(origin)
          }
        } else {
          plan = try MoveNotes(in: snapshot(box)).plan(
            [entry], to: Array(["Moved/", "Moved/deep er/", "./"][chosen.count % 3].utf8))
        }
        guard case .committed = try box.record(plan).outcome else { continue }
        for (old, new) in plan.moves { paths[paths.first { $0.value == old }?.key ?? old] = new }
        done += 1
      } catch {
        refused.append(error.message.description)
      }
    }
    print(
      "\(name): \(done) \(isRetitling ? "retitled" : "moved"), \(refused.count) refused: \(refused.prefix(3))"
    )
    #expect(done > changes * 6 / 10)
    #expect(try run("git", ["status", "--porcelain"], in: path).output == "")
    let new = { (path: [UInt8]) in paths[path] ?? path }
    let after = Set(try meanings(box).map { "\($0.note) \($0.number) \($0.target)" })
    let broken = before.filter { !after.contains("\(new($0.note)) \($0.number) \(new($0.target))") }
    for link in broken.prefix(5) {
      Issue.record(
        "\(String(decoding: link.note, as: UTF8.self)) \(link.number) to \(String(decoding: link.target, as: UTF8.self))"
      )
    }
    #expect(broken.isEmpty)
    for entry in try box.now.catalogue().entries {
      let origin = paths.first { $0.value == entry.note.path }?.key ?? entry.note.path
      guard !changedBodies.contains(origin) else { continue }
      #expect(try masked(entry.note) == bodies[origin], "\(String(decoding: origin, as: UTF8.self))")
    }
    #expect(try run("git", ["fsck", "--strict"], in: path).status == 0)
    try undoAll(done, in: path, tree)
  }

  @Test func noLinkOfTheSmallCorpusBreaksWhereFoldersMove() throws {
    try noLinkBreaksWhereFoldersMove("small")
  }

  /// Each folder at the root in turn goes below another one, its attachments with it.
  @Test(.enabled(if: Machine.hasCorpora, "needs ../shared/corpora"), arguments: ["garden", "kepano"])
  func noLinkBreaksWhereFoldersMove(_ name: String) throws {
    let (folder, box) = try adoptedCorpus(name)
    let path = folder.path + "/box"
    let tree = try run("git", ["rev-parse", "HEAD^{tree}"], in: path).output
    let before = try meanings(box)
    var moved: [String: String] = [:]
    for name in try FileManager.default.contentsOfDirectory(atPath: path).sorted() where !name.hasPrefix(".")
    {
      let contents: FolderContents
      do throws(SlipboxError) {
        guard let found = try MoveFolders(in: snapshot(box)).folder(named: Array("\(name)/".utf8)) else {
          continue
        }
        contents = found
      } catch { continue }
      let target = "Moved here/\(moved.count) \(name)"
      let plan = try MoveNotes(in: snapshot(box)).plan([], [contents], to: Array(target.utf8))
      guard case .committed = try box.record(plan).outcome else {
        Issue.record("\(name) did not move")
        continue
      }
      moved[name] = target
    }
    #expect(!moved.isEmpty)
    #expect(try run("git", ["status", "--porcelain"], in: path).output == "")
    let new = { (path: [UInt8]) -> String in
      let path = String(decoding: path, as: UTF8.self)
      let (first, rest) = (path.prefix { $0 != "/" }, path.drop { $0 != "/" })
      return rest.isEmpty ? path : (moved[String(first)] ?? String(first)) + rest
    }
    let after = Set(
      try meanings(box).map {
        "\($0.number) \(String(decoding: $0.note, as: UTF8.self)) \(String(decoding: $0.target, as: UTF8.self))"
      })
    let broken = before.map { "\($0.number) \(new($0.note)) \(new($0.target))" }.filter {
      !after.contains($0)
    }
    #expect(broken.isEmpty, "\(broken.prefix(5))")
    try undoAll(moved.count, in: path, tree)
  }

  private func snapshot(_ box: BoxInTest) throws(SlipboxError) -> BoxSnapshot {
    do { return try box.now } catch let error as SlipboxError { throw error } catch {
      throw SlipboxError(.bug, "\(String(describing: error))")
    }
  }

  private func undoAll(_ count: Int, in path: String, _ tree: String) throws {
    for number in 0..<count {
      let context = context(in: path, seed: UInt64(1_000 + number))
      let snapshot = try BoxOpening.snapshot(named: Array(path.utf8), context)
      let past = try #require(try PastOperations(in: snapshot, on: context.device).nextUndo())
      let undo = try UndoOperation(in: snapshot).plan(past, reason: nil)
      #expect(undo.conflicts.isEmpty)
      _ = try BoxWriter(snapshot.box, context, after: snapshot).record(undo.plan)
    }
    #expect(try run("git", ["rev-parse", "HEAD^{tree}"], in: path).output == tree)
  }
}
