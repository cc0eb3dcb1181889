import Foundation
import SlipboxTesting
import Testing

@testable import SlipboxCore
import Text

/// Changes of notes that another program has open for writing.
@Suite struct HeldNoteTests {
  private static let note = "---\ntitle: Bread\n---\nFlour.\n"
  private static let typed = "---\ntitle: Bread\n---\nFlour and water.\n"

  /// Opens the note for writing, and after some time writes a text and closes it.
  private func write(to box: WritingBox, after milliseconds: UInt32) -> Thread {
    let file = open(box.folder.path + "/bread.md", O_WRONLY | O_TRUNC)
    let thread = Thread {
      usleep(milliseconds * 1_000)
      _ = Self.typed.withCString { Foundation.write(file, $0, strlen($0)) }
      close(file)
    }
    thread.start()
    return thread
  }

  @Test func theChangeIsMadeOfWhatTheProgramWrote() throws {
    let box = try WritingBox(["bread.md": Self.note])
    _ = write(to: box, after: 300)
    try box.set("bread.md", "rating", "5")
    #expect(box.text("bread.md") == "---\ntitle: Bread\nrating: 5\n---\nFlour and water.\n")
    #expect(try box.subjects().first?.contains("rating") == true)
    #expect(try box.status() == [])
  }

  /// One of many files is held: none is changed before it is free.
  @Test func aBatchWaitsForOneFile() throws {
    var files = ["bread.md": Self.note]
    for number in 0..<30 { files["n\(number).md"] = "# \(number)\n" }
    let box = try WritingBox(files)
    let file = open(box.folder.path + "/bread.md", O_WRONLY | O_APPEND)
    Thread {
      usleep(400_000)
      _ = "Typed.\n".withCString { Foundation.write(file, $0, strlen($0)) }
      close(file)
    }.start()
    try box.write(files.mapValues { $0 + "more\n" })
    #expect(try box.status() == [])
    #expect(try box.folder.git("log", "-p", "--", "bread.md").contains("+Typed."))
    #expect(box.text("n7.md") == "# 7\nmore\n")
  }

  @Test func aCommitHasTheWholeText() throws {
    let box = try WritingBox(["bread.md": Self.note])
    _ = write(to: box, after: 300)
    #expect(try box.commit("bread.md").isCommitted)
    #expect(try box.folder.git("show", "HEAD:bread.md") == Self.typed)
    #expect(try box.status() == [])
    #expect(box.listener.messages == [])
  }

  /// Nothing is replaced, so a program that never closes its file keeps nobody from committing.
  @Test func whatStaysOpenIsCommittedAsItIs() throws {
    let box = try WritingBox(["bread.md": Self.note, "other.md": "# Other\n"])
    let file = open(box.folder.path + "/bread.md", O_WRONLY | O_APPEND)
    defer { close(file) }
    _ = "Typed.\n".withCString { Foundation.write(file, $0, strlen($0)) }
    try box.folder.write("other.md", "# Another\n")
    #expect(try box.commit("bread.md", "other.md").paths == ["bread.md", "other.md"])
    #expect(try box.folder.git("show", "HEAD:bread.md") == Self.note + "Typed.\n")
    #expect(box.listener.messages.count == 1)
    #expect(box.listener.messages.first?.hasPrefix("bread.md is open for writing in another program") == true)
  }

  @Test func aFileThatStaysOpenIsRefused() throws {
    let box = try WritingBox(["bread.md": Self.note])
    let file = open(box.folder.path + "/bread.md", O_WRONLY | O_APPEND)
    defer { close(file) }
    let head = try box.head()
    let error = #expect(throws: SlipboxError.self) { try box.set("bread.md", "rating", "5") }
    #expect(error?.kind == .busy)
    #expect(error?.message.description.hasPrefix("bread.md is open for writing in another program") == true)
    #expect(box.listener.messages.contains("waiting for another program to finish writing bread.md"))
    #expect(box.text("bread.md") == Self.note)
    #expect(try box.head() == head)
  }
}
