import Bytes
import Foreign
package import Notes
import Platform
import Text

/// Reads the conventions of a folder from the settings of the program beside slip, and recognises the program.
///
/// A file counts if it is a regular file of at most 1 MB. A path in it counts if it is relative, beneath the box, and has
/// no `..` and no hidden part. Nothing is written there.
package struct LayoutReader {
  let box: Box
  /// Receives each value that is ignored, as one line.
  let ignore: (Phrase) -> Void

  private static let limit: Int64 = 1 << 20

  /// Returns a preset with the settings of its program applied.
  package func adapting(_ layout: Layout) -> Layout {
    switch layout.name {
    case .obsidian: obsidian(layout)
    case .zk: zk(layout)
    case .dendron: dendron(layout)
    case .hugo: hugo(layout)
    case .logseq: logseq(layout)
    case .slipbox, .jekyll, .denote: layout
    }
  }

  /// Returns the settings files of a program that are in the folder.
  func files(of name: Layout.Name) -> [[UInt8]] {
    let files =
      switch name {
      case .obsidian:
        [
          ".obsidian/app.json", ".obsidian/daily-notes.json", ".obsidian/plugins/periodic-notes/data.json",
          ".obsidian/templates.json", ".obsidian/plugins/templater-obsidian/data.json",
        ]
      case .zk: [".zk/config.toml"]
      case .dendron: ["dendron.yml"]
      case .slipbox, .hugo, .jekyll, .denote, .logseq: [String]()
      }
    return files.filter(isFile).map { Array($0.utf8) }
  }

  /// Returns the program whose folder the box is; `slipbox` if none is recognised.
  package func recognised(notes paths: [[UInt8]]) -> Layout.Name {
    if isFolder(".obsidian") { return .obsidian }
    if isFolder(".zk") { return .zk }
    if isFile("logseq/config.edn") { return .logseq }
    if isFile("dendron.yml") { return .dendron }
    let hugo = ["hugo.toml", "hugo.yaml", "hugo.yml", "hugo.json", "config.toml"].filter(isFile)
    let namesContent = hugo.contains { name in
      bytes(name).map { String(decoding: $0, as: UTF8.self).lowercased().contains("contentdir") } ?? false
    }
    if namesContent || !hugo.isEmpty && isFolder("content") { return .hugo }
    if isFile("_config.yml"), isFolder("_posts") { return .jekyll }
    let named = paths.count { Self.isOfDenote(FileName.stem(of: $0)) }
    return named > 2 && 2 * named > paths.count ? .denote : .slipbox
  }

  /// Returns whether a name begins like those of Denote: `20210319T202401--`.
  private static func isOfDenote(_ name: ArraySlice<UInt8>) -> Bool {
    let digits = { (bytes: ArraySlice<UInt8>) in bytes.allSatisfy { (0x30...0x39).contains($0) } }
    guard name.count > 17 else { return false }
    let bytes = Array(name)
    return digits(bytes[..<8]) && bytes[8] == UInt8(ascii: "T") && digits(bytes[9..<15])
      && bytes[15...].starts(with: "--".utf8)
  }

  private func status(_ path: String) -> FileStatus? {
    (try? Files.status(box.absolutePath(Array(path.utf8)), followLinks: false)) ?? nil
  }

  private func isFolder(_ path: String) -> Bool { status(path)?.kind == .directory }

  private func isFile(_ path: String) -> Bool { status(path)?.kind == .file }

  /// Returns the bytes of a settings file; nil if there is none, or none that counts.
  private func bytes(_ path: String) -> [UInt8]? {
    guard let status = status(path) else { return nil }
    guard status.kind == .file, status.size <= Self.limit else {
      ignore("\(path) is ignored: it is not a regular file of at most 1 MB")
      return nil
    }
    return try? box.folder.read(Array(path.utf8), limit: Int(Self.limit)).bytes
  }

  private func json(_ path: String) -> JSONNode? {
    guard let bytes = bytes(path), !bytes.isEmpty else { return nil }
    do throws(JSONProblem) {
      return try JSONReader.whole(bytes)
    } catch {
      ignore("\(path) is ignored: line \(error.line): \(error.message)")
      return nil
    }
  }

  /// Returns a path that another program's settings name, without slashes at its ends; nil if it does not count.
  private func folder(_ value: String?, _ key: String, in file: String) -> String? {
    guard let value else { return nil }
    var path = value
    while path.hasSuffix("/") { path.removeLast() }
    if path.isEmpty || path == "." { return value.hasPrefix("/") && value.count > 1 ? nil : "" }
    let isHidden = path.split(separator: "/").contains { $0.hasPrefix(".") }
    guard FileName.problem(in: Array(path.utf8)) == nil, !isHidden, isBeneath(path) else {
      ignore("\(key) in \(file) is ignored: \(value) is not a path inside the box")
      return nil
    }
    return path
  }

  /// Returns whether no symbolic link of a path leads out of the box.
  private func isBeneath(_ path: String) -> Bool {
    let absolute = box.absolutePath(Array(path.utf8))
    guard let real = Files.realPath(absolute), let root = Files.realPath(box.root) else { return true }
    return BytePath.relative(real, to: root) != nil
  }

  /// Returns a pattern of paths from another program's settings; nil if it can't be used.
  private func pattern(_ pattern: String, of name: String, _ key: String, in file: String) -> String? {
    let written = pattern.hasSuffix(".md") ? pattern : pattern + ".md"
    if let problem = Settings.problem(in: written, of: name) {
      ignore("\(key) in \(file) is ignored: \(pattern)\(problem.message)")
      return nil
    }
    return written
  }
}

/// Obsidian.
extension LayoutReader {
  private func obsidian(_ layout: Layout) -> Layout {
    var layout = layout
    let file = ".obsidian/app.json"
    let app = json(file)
    if app?["newFileLocation"]?.text == "folder",
      let folder = folder(app?["newFileFolderPath"]?.text, "newFileFolderPath", in: file), !folder.isEmpty
    {
      layout.path = "\(folder)/{title}.md"
    }
    let isMarkdown = app?["useMarkdownLinks"]?.text == "true"
    switch app?["newLinkFormat"]?.text {
    case "relative": layout.links = isMarkdown ? .markdown : .relative
    case "absolute": layout.links = isMarkdown ? .markdownPath : .path
    default: layout.links = isMarkdown ? .markdownName : .name
    }
    layout.breaksLines = app?["strictLineBreaks"]?.text != "true"
    attachments(app?["attachmentFolderPath"]?.text, file, &layout)
    daily(&layout)
    let templates = [
      (".obsidian/templates.json", "folder"),
      (".obsidian/plugins/templater-obsidian/data.json", "templates_folder"),
    ]
    for (file, key) in templates where layout.templates == nil {
      let found = folder(json(file)?[key]?.text, key, in: file)
      if let found, !found.isEmpty { layout.templates = found }
    }
    return layout
  }

  private func attachments(_ value: String?, _ file: String, _ layout: inout Layout) {
    guard let value, !value.isEmpty, value != "/" else { return }
    if value == "./" || value == "." { return layout.attachments = "./" }
    let isBeside = value.hasPrefix("./")
    let path = isBeside ? String(value.dropFirst(2)) : value
    if let folder = folder(path, "attachmentFolderPath", in: file) {
      layout.attachments = (isBeside ? "./" : "") + folder
    }
  }

  /// Applies the settings of daily notes: those of the plug-in Periodic Notes precede those of Obsidian.
  private func daily(_ layout: inout Layout) {
    let periodic = ".obsidian/plugins/periodic-notes/data.json"
    let own = ".obsidian/daily-notes.json"
    let sources: [(JSONNode?, String)] = [(json(periodic)?["daily"], periodic), (json(own), own)]
    for (node, file) in sources {
      guard let node, node["enabled"]?.text != "false" else { continue }
      let format = node["format"]?.text ?? ""
      let folder = folder(node["folder"]?.text ?? "", "folder", in: file)
      let name = "{date:\(format.isEmpty ? "YYYY-MM-DD" : format)}"
      let path = (folder ?? "").isEmpty ? name : "\(folder ?? "")/\(name)"
      guard let pattern = pattern(path, of: "daily", "format", in: file) else { continue }
      layout.daily = pattern
      if let template = self.folder(node["template"]?.text, "template", in: file), !template.isEmpty {
        layout.dailyTemplate = template.hasSuffix(".md") ? template : template + ".md"
      }
      return
    }
  }
}

/// zk, Logseq, Dendron and Hugo.
extension LayoutReader {
  private func zk(_ layout: Layout) -> Layout {
    let file = ".zk/config.toml"
    guard let bytes = bytes(file) else { return layout }
    let settings = ZkSettings(bytes)
    var layout = layout
    if let name = settings.fileName {
      if let converted = ZkSettings.pattern(of: name),
        let path = pattern(converted, of: "path", "filename", in: file)
      {
        layout.path = path
      } else {
        ignore("filename in \(file) is ignored: \(name) can't be a pattern of slip")
      }
    } else {
      layout.path = "{id}.md"
    }
    switch settings.linkFormat {
    case "wiki": layout.links = .path
    case "markdown", nil: layout.links = settings.dropsEnding ? .markdownWithoutEnding : .markdown
    case let format?: ignore("link-format in \(file) is ignored: \(format) is a template")
    }
    if let path = folder(settings.dailyFolder, "paths", in: file) {
      let name = settings.dailyFileName.flatMap(ZkSettings.pattern) ?? "{date:YYYY-MM-DD}"
      let whole = path.isEmpty ? name : "\(path)/\(name)"
      if let daily = pattern(whole, of: "daily", "filename", in: file) { layout.daily = daily }
    }
    return layout
  }

  private func logseq(_ layout: Layout) -> Layout {
    let file = "logseq/config.edn"
    guard let bytes = bytes(file) else { return layout }
    let settings = LogseqSettings(bytes)
    var layout = layout
    if settings.hasLegacyNames { layout.naming = .legacy }
    if let pages = folder(settings.pages, ":pages-directory", in: file), !pages.isEmpty {
      layout.path = "\(pages)/{title}.md"
    }
    let journals = folder(settings.journals, ":journals-directory", in: file)
    if journals != nil || settings.journalName != nil {
      let folder = journals.flatMap { $0.isEmpty ? nil : $0 } ?? "journals"
      let path = "\(folder)/{date:\(settings.journalName ?? "YYYY_MM_DD")}"
      if let daily = pattern(path, of: "daily", ":journal/file-name-format", in: file) {
        layout.daily = daily
      }
    }
    return layout
  }

  /// Returns whether words between colons in texts are tags, according to zk's settings.
  func hasColonTags(_ layout: String) -> Bool {
    layout == Layout.Name.zk.rawValue && bytes(".zk/config.toml").map(ZkSettings.init)?.hasColonTags == true
  }

  /// Returns the rule that derives titles from names of files; nil if they are not pages of Logseq.
  func pageNames(_ layout: String) -> PageNames? {
    guard layout == Layout.Name.logseq.rawValue else { return nil }
    guard let bytes = bytes("logseq/config.edn") else { return PageNames() }
    let settings = LogseqSettings(bytes)
    return PageNames(
      naming: settings.hasLegacyNames ? .legacy : .tripleLowbar, journals: settings.journals,
      journalName: settings.journalName, journalTitle: settings.journalTitle)
  }

  private func dendron(_ layout: Layout) -> Layout {
    let file = "dendron.yml"
    guard let bytes = bytes(file) else { return layout }
    let line = String(decoding: bytes, as: UTF8.self).split(separator: "\n").first { $0.contains("fsPath:") }
    let value = line?.split(separator: ":", maxSplits: 1).last.map { $0.filter { !" \"'\r".contains($0) } }
    guard let folder = folder(value, "fsPath", in: file), !folder.isEmpty else { return layout }
    var layout = layout
    layout.path = "\(folder)/\(layout.path)"
    layout.daily = "\(folder)/\(layout.daily)"
    layout.attachments = "\(folder)/\(layout.attachments)"
    return layout
  }

  private func hugo(_ layout: Layout) -> Layout {
    guard !isFolder("content/posts") else { return layout }
    var layout = layout
    layout.path = isFolder("content/post") ? "content/post/{slug}.md" : "content/{slug}.md"
    layout.daily = "content/\(layout.daily)"
    return layout
  }
}
