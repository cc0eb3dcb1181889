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
}
