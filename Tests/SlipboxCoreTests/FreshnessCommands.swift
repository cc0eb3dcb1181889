import Foundation
import Notes
import SlipboxTesting

@testable import SlipboxCore

/// What slip itself does to a box, in one command or several, and what befalls the files that it keeps.
extension FreshnessBox {
  var commandSteps: [(weight: Int, name: String, step: () throws -> Void)] {
    [
      (4, "create", { try self.create(with: self.open()) }),
      (5, "set", { try self.set(1, with: self.open()) }),
      (1, "set many", { try self.set(self.number(2..<24), with: self.open()) }), (2, "remove", remove),
      (3, "fold", { try self.open().foldCatalogue() }), (2, "look", { _ = try self.open().now.catalogue() }),
      (3, "another command goes on", goOn),
      (2, "commands beside one another", besideOneAnother),
      (4, "damage", damage), (2, "wait", { usleep(120_000) }),
    ]
  }

  private func record(_ edits: [FileEdit], with box: BoxInTest) {
    do {
      let plan = Plan(command: "set", edits: edits) { _ in "Something" }
      let recorded = try box.record(plan)
      history.append("  \(edits.count) files: \(recorded.changes.count) changed")
    } catch {
      history.append("  refused: \(error)")
    }
  }

  private func create(with box: BoxInTest) throws {
    let (name, text) = (name(), text(number(0..<500)))
    history.append("  \(name)")
    record([FileEdit(path: Array(name.utf8)) { before in before ?? Array(text.utf8) }], with: box)
  }

  private func set(_ count: Int, with box: BoxInTest) throws {
    makeReadable()
    let names = files().filter { $0.hasSuffix(".md") }.shuffled(using: &random).prefix(count)
    let word = "w\(number(0..<9))"
    let edits = names.map { name in
      FileEdit(path: Array(name.utf8)) { before in before.map { $0 + Array("Set \(word).\n".utf8) } }
    }
    history.append("  \(names.joined(separator: ", "))")
    record(edits, with: box)
  }

  private func remove() throws {
    makeReadable()
    guard let name = files().filter({ $0.hasSuffix(".md") }).randomElement(using: &random) else { return }
    history.append("  \(name)")
    record([FileEdit(path: Array(name.utf8)) { _ in nil }], with: try open())
  }

  /// A command that has looked at the box long ago does the next thing.
  private func goOn() throws {
    guard let box = elder else {
      elder = try open()
      if chance(0.7) { _ = try elder?.now.catalogue() }
      return
    }
    switch number(0..<4) {
    case 0: try create(with: box)
    case 1: try set(1, with: box)
    case 2: try box.foldCatalogue()
    default: _ = try box.now.catalogue()
    }
    if chance(0.5) { elder = nil }
  }

  /// Commands look and fold while files are written.
  private func besideOneAnother() throws {
    let (path, surroundings, rounds) = (path, [self.surroundings, self.surroundings], number(1..<4))
    let over = DispatchGroup()
    for own in surroundings {
      let own = UncheckedCommandContext(value: own)
      DispatchQueue.global().async(group: over) {
        for _ in 0..<rounds {
          guard let box = try? BoxInTest(at: Array(path.utf8), own.value) else { continue }
          _ = try? box.now.catalogue()
          try? box.foldCatalogue()
        }
      }
    }
    let steps = fileSteps
    for _ in 0..<number(2..<12) {
      let step = steps[number(0..<steps.count)]
      history.append("  beside: \(step.name)")
      try step.step()
    }
    over.wait()
  }

  private struct UncheckedCommandContext: @unchecked Sendable { let value: CommandContext }
}

extension FreshnessBox {
  /// Something happens to the files that are kept: they are lost, cut off, scribbled over, or old ones come back.
  private func damage() throws {
    let names = [".git/slipbox/catalogue", ".git/slipbox/catalogue.log"]
    let name = names[number(0..<2)]
    let file = folder.path + "/" + name
    let what = number(0..<8)
    history.append("  \(name): \(what)")
    switch what {
    case 0: unlink(file)
    case 1: for name in names { unlink(folder.path + "/" + name) }
    case 2: replace(file) { Array($0.prefix(number(0..<max(1, $0.count)))) }
    case 3: replace(file) { scribbled($0) }
    case 4: replace(file) { $0 + (0..<number(1..<40)).map { _ in UInt8(number(0..<256)) } }
    case 5: replace(file) { $0 + [UInt8](repeating: 0, count: number(1..<100)) }
    case 6: for name in names { oldCaches[name] = folder.read(name) }
    default:
      for (old, bytes) in oldCaches where chance(0.7) { replace(folder.path + "/" + old) { _ in bytes } }
    }
  }

  /// Puts other bytes in the place of a file. It is never cut off where it is: nobody does that to a mapped file.
  private func replace(_ file: String, _ edit: ([UInt8]) -> [UInt8]) {
    guard let bytes = FileManager.default.contents(atPath: file) else { return }
    try? Data(edit(Array(bytes))).write(to: URL(fileURLWithPath: file), options: .atomic)
  }

  private func scribbled(_ bytes: [UInt8]) -> [UInt8] {
    var bytes = bytes
    for _ in 0..<number(1..<5) where !bytes.isEmpty {
      bytes[number(0..<bytes.count)] = UInt8(number(0..<256))
    }
    return bytes
  }
}
