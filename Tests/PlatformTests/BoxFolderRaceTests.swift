import Glibc
import SlipboxTesting
import Synchronization
import Testing

@testable import Platform

@Suite struct BoxFolderRaceTests {
  /// A save that comes between the comparison and the exchange.
  @Test func putsBackWhatComesOut() throws {
    let folder = try TemporaryFolder()
    try folder.write("x.md", "old")
    let box = try box(folder)
    let request = Replacement(path: b("x.md"), bytes: b("new"), expecting: b("old"))
    var swap = try box.prepare(request, syncing: true)
    try Files.write(b("saved"), to: folder.at("x.md"))
    let error = failure { () throws(ReplaceError) in try box.perform(&swap) }
    #expect(error == .changed(found: b("saved")))
    #expect(box.undo(swap))
    #expect(s(folder.read("x.md")) == "saved")
    #expect(folder.names() == ["x.md"])
  }

  /// Two saves, one before the exchange and one before it is undone: the last one stays.
  @Test func keepsTheLatestOfTwoSaves() throws {
    let folder = try TemporaryFolder()
    try folder.write("x.md", "old")
    let box = try box(folder)
    let request = Replacement(path: b("x.md"), bytes: b("new"), expecting: b("old"))
    var swap = try box.prepare(request, syncing: true)
    try Files.write(b("saved"), to: folder.at("x.md"))
    _ = failure { () throws(ReplaceError) in try box.perform(&swap) }
    try Files.write(b("saved again"), to: folder.at("x.md"))
    #expect(box.undo(swap))
    #expect(s(folder.read("x.md")) == "saved again")
    #expect(folder.names() == ["x.md"])
  }

  /// An editor that finds the old file just before the exchange and writes to it after that.
  @Test func noticesWritesToTheOldFile() throws {
    let folder = try TemporaryFolder()
    try folder.write("x.md", "old")
    let box = try box(folder)
    let request = Replacement(path: b("x.md"), bytes: b("new"), expecting: b("old"))
    var swap = try box.prepare(request, syncing: true)
    try box.perform(&swap)
    let editor = open(folder.path + "/" + String(decoding: swap.temporaryName, as: UTF8.self), O_WRONLY)
    #expect(s(folder.read("x.md")) == "new")
    #expect(failure { () throws(ReplaceError) in try box.confirm(swap) } == .held(path: b("x.md")))
    #expect(pwrite(editor, "edited", 6, 0) == 6)
    close(editor)
    #expect(failure { () throws(ReplaceError) in try box.confirm(swap) } == .changed(found: b("edited")))
    #expect(box.undo(swap))
    #expect(s(folder.read("x.md")) == "edited")
  }

  @Test(arguments: waysOfReplacing) func neverOverwritesANewFile(exchanging: Bool) throws {
    let folder = try TemporaryFolder()
    let box = try box(folder, exchanging: exchanging)
    var swap = try box.prepare(Replacement(path: b("x.md"), bytes: b("new"), expecting: nil), syncing: true)
    try folder.write("x.md", "theirs")
    #expect(failure { () throws(ReplaceError) in try box.perform(&swap) } == .changed(found: b("theirs")))
    #expect(box.undo(swap))
    #expect(s(folder.read("x.md")) == "theirs")
    #expect(folder.names() == ["x.md"])
  }

  @Test func putsBackARemovedFileThatChanged() throws {
    let folder = try TemporaryFolder()
    try folder.write("x.md", "old")
    let box = try box(folder)
    var swap = try box.prepare(Replacement(path: b("x.md"), bytes: nil, expecting: b("old")), syncing: true)
    try Files.write(b("saved"), to: folder.at("x.md"))
    #expect(failure { () throws(ReplaceError) in try box.perform(&swap) } == .changed(found: b("saved")))
    #expect(box.undo(swap))
    #expect(folder.names() == ["x.md"])
    #expect(s(folder.read("x.md")) == "saved")
  }

  @Test func replacesNoLinkThatAppeared() throws {
    let folder = try TemporaryFolder()
    try folder.write("x.md", "old")
    let box = try box(folder)
    let request = Replacement(path: b("x.md"), bytes: b("new"), expecting: b("old"))
    var swap = try box.prepare(request, syncing: true)
    rename(folder.path + "/x.md", folder.path + "/y.md")
    folder.link("x.md", to: "y.md")
    #expect(failure { () throws(ReplaceError) in try box.perform(&swap) } == .changed(found: nil))
    #expect(box.undo(swap))
    #expect(folder.names() == ["x.md", "y.md"])
    #expect(folder.kind("x.md") == .symbolicLink)
    #expect(s(folder.read("y.md")) == "old")
  }

  /// An editor saves by rename while replacements go on: none of its versions is ever overwritten unseen.
  @Test func losesNoSaveOfAConcurrentWriter() throws {
    let folder = try TemporaryFolder()
    try Files.write(b("save 0|"), to: folder.at("x.md"))
    let editor = Editor(path: folder.at("x.md"))
    let thread = Threads.start(editor)
    let box = try box(folder)
    var replaced = 0
    while !editor.isDone.load(ordering: .acquiring) {
      guard let old = try? box.read(b("x.md")).bytes else { continue }
      // Derived texts keep the name of the save that they come from.
      let new = old.prefix { $0 != UInt8(ascii: "|") } + b("|\(replaced)")
      if (try? box.replace(b("x.md"), with: Array(new), expecting: old)) != nil { replaced += 1 }
    }
    if let thread { Threads.join(thread) }
    #expect(editor.lost.load(ordering: .acquiring) == 0)
    #expect(replaced > 0)
    #expect(folder.names() == ["x.md"])
  }
}

/// A program that saves a file over and over, and looks whether what it finds comes from its last save.
private final class Editor: SharedWork, @unchecked Sendable {
  let path: [UInt8]
  let isDone = Atomic<Bool>(false)
  let lost = Atomic<Int>(0)

  init(path: [UInt8]) { self.path = path }

  override func run() {
    for number in 1...250 {
      let draft = path + b("~")
      guard let out = fopen(String(decoding: draft, as: UTF8.self), "w") else { break }
      fputs("save \(number)|", out)
      fclose(out)
      guard (try? Files.rename(draft, to: path)) != nil else { break }
      usleep(UInt32(number % 7) * 300)
      // During an exchange that is about to be undone the other text shows for a moment.
      let isSeen = (0..<50).contains { _ in
        if (try? Files.read(path).starts(with: b("save \(number)|"))) == true { return true }
        usleep(2000)
        return false
      }
      if !isSeen { lost.add(1, ordering: .relaxed) }
    }
    isDone.store(true, ordering: .releasing)
  }
}
