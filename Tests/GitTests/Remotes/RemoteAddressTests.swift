import Git
import SlipboxTesting
import Testing

/// Addresses as git reads them, and those that it is not given.
@Suite struct RemoteAddressTests {
  @Test(
    arguments: [
      ("/srv/notes.git", RemoteAddress.Way.folder, nil, nil),
      ("../notes", .folder, nil, nil), ("./a:b", .folder, nil, nil),
      ("file:///srv/notes.git", .folder, nil, nil),
      ("ada@hub:notes.git", .ssh, "hub", "ada"), ("hub:notes.git", .ssh, "hub", nil),
      ("ssh://ada@hub:2222/notes.git", .ssh, "hub", "ada"), ("ssh://[::1]:22/x", .ssh, "::1", nil),
      ("https://ada:pw@hub:8443/notes.git", .http, "hub", "ada"), ("http://hub", .http, "hub", nil),
      ("git://hub/notes.git", .daemon, "hub", nil), ("hg::https://hub/x", .program("hg"), nil, nil),
      ("ext::sh -c x", .program("ext"), nil, nil), ("ftp://hub/x", .program("ftp"), "hub", nil),
    ] as [(String, RemoteAddress.Way, String?, String?)])
  func isReadAsGitReadsIt(_ text: String, _ way: RemoteAddress.Way, _ host: String?, _ user: String?) {
    let address = RemoteAddress(text)
    #expect(address.way == way && address.host == host && address.user == user, "\(address)")
  }

  @Test(arguments: [
    "ext::sh -c x", "hg::x", "ftp://hub/x", "-oProxyCommand=x:y", "ssh://-oProxyCommand=x/y",
    "ssh://-x@hub/y",
    "-x@hub:y", "hub:-x", "ssh://hub/-x", "--upload-pack=x", "", "hub:a\nb", "https://hub/\u{1b}[2J",
  ])
  func isRefused(_ text: String) { #expect(RemoteAddress(text).refusal(allowing: [])?.kind == .address) }

  @Test(arguments: [
    "/srv/notes.git", "../n", "ada@hub:notes.git", "hub:~/notes", "ssh://hub/~ada/n", "https://hub/n",
    "git://hub/n",
  ])
  func isUsed(_ text: String) { #expect(RemoteAddress(text).refusal(allowing: []) == nil) }

  @Test func aFolderInsideIsNoOtherPlace() throws {
    let test = try TestRepository()
    try test.folder.git("init", "-q", "--bare", "inner.git")
    for url in ["inner.git", "./inner.git", test.folder.path, "file://\(test.folder.path)/inner.git", ".git"]
    {
      let remote = Remote(name: "r", address: RemoteAddress(url))
      try test.git("config", "remote.r.url", url)
      let error = gitError { try test.reopened().remotes.refuseAddresses(of: remote, .fetch) }
      #expect(
        error?.reason == .remote(RemoteFault(.address, "it is a folder of this repository")), "\(url)")
    }
    try test.git("config", "remote.r.url", "/srv/elsewhere.git")
    try test.reopened().remotes.refuseAddresses(
      of: .init(name: "r", address: RemoteAddress("/srv/elsewhere.git")), .fetch)
  }
}
