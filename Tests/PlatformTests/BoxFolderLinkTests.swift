import Glibc
import Platform
import SlipboxTesting
import Testing

@Suite struct BoxFolderLinkTests {
  let folder: TemporaryFolder
  let outside: TemporaryFolder
  let box: BoxFolder

  init() throws {
    folder = try TemporaryFolder()
    outside = try TemporaryFolder()
    try outside.write("secret.md", "secret")
    try folder.write("d/real.md", "old")
    box = try BoxFolder(folder.bytes)
  }

  @Test func writesTheTargetOfALinkInside() throws {
    try folder.write("e/keep", "")
    folder.link("plain.md", to: "d/real.md")
    folder.link("e/up.md", to: "../d/./real.md")
    folder.link("absolute.md", to: folder.path + "/d/real.md")
    folder.link("twice.md", to: "e/up.md")
    var text = "old"
    for link in ["plain.md", "e/up.md", "absolute.md", "twice.md"] {
      try box.replace(b(link), with: b(link), expecting: b(text))
      text = link
      #expect(s(folder.read("d/real.md")) == text)
      #expect(folder.kind(link) == .symbolicLink)
      #expect(try box.read(b(link)).bytes == b(text))
      #expect(try box.status(b(link))?.kind == .file)
    }
    try box.remove(b("plain.md"), expecting: b(text))
    #expect(folder.kind("plain.md") == nil)
    #expect(s(folder.read("d/real.md")) == text)
  }

  @Test func refusesLinksThatLeave() throws {
    folder.link("out.md", to: outside.path + "/secret.md")
    folder.link("up.md", to: "../" + (outside.path.split(separator: "/").last ?? "") + "/secret.md")
    folder.link("folder", to: outside.path)
    folder.link("inner", to: "d")
    folder.link("through.md", to: "inner/real.md")
    folder.link("hop.md", to: "inner/../d/real.md")
    folder.link("beside.md", to: folder.path + "-not/x.md")
    let paths = [
      "out.md", "up.md", "folder/secret.md", "folder/new.md", "inner/real.md", "through.md", "hop.md",
      "beside.md",
    ]
    for path in paths {
      #expect(failure { () throws(SystemError) in _ = try box.read(b(path)) }?.code == SystemError.leavesBox)
      #expect(
        failure { () throws(SystemError) in _ = try box.status(b(path)) }?.code == SystemError.leavesBox)
      for expecting in [nil, b("secret"), b("old")] {
        let error = failure { () throws(ReplaceError) in
          try box.replace(b(path), with: b("bad"), expecting: expecting)
        }
        #expect(error == .leavesBox(path: b(path)))
      }
      let error = failure { () throws(ReplaceError) in try box.remove(b(path), expecting: b("secret")) }
      #expect(error == .leavesBox(path: b(path)))
    }
    #expect(outside.names() == ["secret.md"])
    #expect(s(outside.read("secret.md")) == "secret")
  }

  @Test func refusesLoops() throws {
    folder.link("loop.md", to: "loop.md")
    folder.link("a.md", to: "b.md")
    folder.link("b.md", to: "a.md")
    for path in ["loop.md", "a.md"] {
      #expect(failure { () throws(SystemError) in _ = try box.read(b(path)) }?.code == ELOOP)
    }
  }

  @Test func writesThroughADanglingLinkInside() throws {
    folder.link("new.md", to: "d/new.md")
    try box.replace(b("new.md"), with: b("text"), expecting: nil)
    #expect(s(folder.read("d/new.md")) == "text")
    #expect(folder.kind("new.md") == .symbolicLink)
  }

  @Test func survivesTheBoxBeingALink() throws {
    outside.link("box", to: folder.path)
    folder.link("x.md", to: outside.path + "/box/d/real.md")
    let box = try BoxFolder(outside.at("box/"))
    try box.replace(b("x.md"), with: b("new"), expecting: b("old"))
    #expect(s(folder.read("d/real.md")) == "new")
  }

  @Test func exchangesAFileAndALink() throws {
    let file = BoxFolder.Entry.file(b("old"), .plain)
    let link = BoxFolder.Entry.link(b("nowhere"))
    let made = try box.replaceEntry(b("d/real.md"), with: link, expecting: file)
    #expect(made?.kind == .symbolicLink)
    #expect(folder.kind("d/real.md") == .symbolicLink)
    let new = BoxFolder.Entry.file(b("new"), .executable)
    let status = try box.replaceEntry(b("d/real.md"), with: new, expecting: link)
    #expect(try status == box.status(b("d/real.md")))
    #expect(s(folder.read("d/real.md")) == "new")
    #expect(folder.mode("d/real.md").map { $0 & 0o100 } == 0o100)
    #expect(folder.names("d") == ["real.md"])
  }

  @Test func makesAndRemovesALink() throws {
    let link = BoxFolder.Entry.link(b("../d/real.md"))
    try box.replaceEntry(b("e/f/new.md"), with: link, expecting: nil)
    #expect(folder.kind("e/f/new.md") == .symbolicLink)
    try box.replaceEntry(b("e/f/new.md"), with: nil, expecting: link)
    #expect(folder.names() == ["d"])
    #expect(s(folder.read("d/real.md")) == "old")
  }

  /// Whatever is there instead stays, and no temporary name does.
  @Test func leavesAnotherEntryThanExpected() throws {
    folder.link("d/link", to: "real.md")
    let (file, link) = (BoxFolder.Entry.file(b("other"), .plain), BoxFolder.Entry.link(b("other")))
    for path in ["d/real.md", "d/link", "d/none"] {
      for expecting in [file, link] {
        for entry in [file, link, nil] {
          let error = failure { () throws(ReplaceError) in
            try box.replaceEntry(b(path), with: entry, expecting: expecting)
          }
          #expect(error == .changed(found: nil), "\(path)")
        }
      }
      guard path != "d/none" else { continue }
      let error = failure { () throws(ReplaceError) in
        try box.replaceEntry(b(path), with: link, expecting: nil)
      }
      #expect(error == .changed(found: nil), "\(path)")
    }
    #expect(s(folder.read("d/real.md")) == "old")
    #expect(folder.kind("d/link") == .symbolicLink)
    #expect(folder.names("d").sorted() == ["link", "real.md"])
  }
}
