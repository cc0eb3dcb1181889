import Foundation
import SlipboxTesting
import Testing

/// A box of some notes, and the site that is exported from it.
struct ExportedSite {
  let shell: Shell

  /// Makes a box of notes, given by their paths.
  ///
  /// - Parameter fields: the setting `publish.fields`.
  init(_ notes: [String: String], fields: String = "") throws {
    shell = try Shell()
    for (path, text) in notes { try shell.folder.write("box/" + path, text) }
    try sh("cd box && slip init -q && slip config publish.fields '\(fields)' -q")
  }

  /// Makes a box of notes in a repository that git made.
  ///
  /// - Parameter before: a line of sh that runs before git adds the files.
  init(repository notes: [String: String], before: String = "true") throws {
    shell = try Shell()
    try sh("mkdir -p box && git -C box init -q")
    for (path, text) in notes { try shell.folder.write("box/" + path, text) }
    let made = try sh(
      "cd box && \(before) && git add -A && git commit -qm Begin --allow-empty && slip init -q")
    #expect(made.status == 0, "\(made)")
  }

  /// Runs a line of sh beside the box.
  @discardableResult
  func sh(_ line: String) throws -> (status: Int32, output: String, errors: String) {
    try shell.sh(line)
  }

  /// Exports into the folder `site` beside the box.
  @discardableResult
  func export(_ arguments: String = "") throws -> String {
    let ran = try sh("cd box && slip export html \(arguments) -o ../site")
    #expect(ran.status == 0, "\(ran.errors)")
    return ran.errors.trimmingCharacters(in: .whitespacesAndNewlines)
  }

  /// The text of a file of the site; empty where there is none.
  func page(_ path: String) -> String {
    String(decoding: shell.folder.read("site/" + path) ?? [], as: UTF8.self)
  }

  /// The paths of the site's files.
  func files() throws -> [String] {
    try sh("cd site && find . -type f | sort").output.split(separator: "\n").map { String($0.dropFirst(2)) }
  }

  /// The document of a page after its scripts have run in a headless Chromium, which the test needs.
  ///
  /// - Parameter script: runs after those of the page, as a file of the site.
  func rendered(_ path: String, script: String = "") throws -> String {
    var drawn = path
    if !script.isEmpty {
      drawn = path.replacing(".html", with: ".driven.html")
      let root = String(repeating: "../", count: path.count { $0 == "/" })
      let added = page(path).replacing(
        "</head>", with: "<script defer src=\"\(root)driver.js\"></script></head>")
      try shell.folder.write("site/" + drawn, added)
      try shell.folder.write("site/driver.js", script)
    }
    let profile = try TemporaryFolder()
    let flags =
      "--headless --no-sandbox --disable-gpu --disable-dev-shm-usage --user-data-dir=\(profile.path)"
    let ran = try sh("chromium \(flags) --virtual-time-budget=4000 --dump-dom 'site/\(drawn)' 2>console.txt")
    return ran.output
  }
}
