import Git
import Notes
import Text

/// The merge of settings and kinds, which are YAML files: by keys, like the front matter of a note, and by lines below a
/// key that both sides changed.
enum SettingsMerge {
  /// The text before a value that a merge did not take, in a comment.
  static let notTaken = "# slip: not taken: "

  private static let fence = Array("---\n".utf8)

  /// Returns the merged file with the keys that both changed differently; nil if a version can't be read.
  ///
  /// The greater value of such a key is used, and the other is kept in a comment at the end: settings have no field for
  /// rejected values.
  static func merge(base: [UInt8], one: [UInt8], other: [UInt8]) -> (bytes: [UInt8], contested: [String])? {
    let texts = [base, one, other].map { bytes in
      let bytes = settled(bytes) ?? bytes
      return NoteText(fence + bytes + (bytes.last == 0x0A || bytes.isEmpty ? [] : [0x0A]) + fence)
    }
    guard texts.allSatisfy({ $0.frontMatter != nil && $0.body.isEmpty && FrontMatter($0).isWritable }),
      let merged = NoteMerge.merge(base: texts[0], one: texts[1], other: texts[2])
    else { return nil }
    if !merged.conflicts.isEmpty, let lines = mergedLines(base, one, other) { return (lines, []) }
    var text = merged.text
    let entries = merged.conflicts.isEmpty ? [] : FrontMatter(text)[ConflictEntry.fieldName]?.strings ?? []
    do throws(EditError) {
      if !merged.conflicts.isEmpty { text = try text.clearing(ConflictEntry.fieldName) }
    } catch {
      return nil
    }
    guard let block = text.frontMatter, text.body.isEmpty else { return nil }
    let comments = entries.flatMap { Array("\(notTaken)\($0)\n".utf8) }
    return (Array(text.bytes[block]) + comments, merged.conflicts.map(\.name))
  }

  /// Merges the files line by line, such as two fields that were added to one kind; returns nil if the lines conflict, or
  /// if a key is duplicated in the result.
  private static func mergedLines(_ base: [UInt8], _ one: [UInt8], _ other: [UInt8]) -> [UInt8]? {
    let files = [base, one, other].map { $0.isEmpty || $0.last == 0x0A ? $0 : $0 + [0x0A] }
    guard !base.isEmpty, !files.contains(where: MergeMarkers.isAnywhere) else { return nil }
    let merged = LineMerge.merge(base: files[0], one: files[1], other: files[2])
    guard merged.conflicts == 0, FrontMatter(NoteText(fence + merged.bytes + fence)).isWritable else {
      return nil
    }
    // The keys above a line, with their indentation.
    var above: [(indentation: Int, key: [UInt8])] = []
    var seen: Set<[[UInt8]]> = []
    for line in merged.bytes.split(separator: 0x0A) {
      let indentation = line.prefix { $0 == 0x20 }.count
      let rest = line.dropFirst(indentation)
      guard rest.first != UInt8(ascii: "#"), rest.first != UInt8(ascii: "-"),
        let colon = rest.firstIndex(of: UInt8(ascii: ":"))
      else { continue }
      above.removeAll { $0.indentation >= indentation }
      above.append((indentation, Array(rest[..<colon])))
      guard seen.insert(above.map(\.key)).inserted else { return nil }
    }
    return merged.bytes
  }

  /// Returns a file in which git left its markers, with both versions merged; nil if it has none or they can't be merged.
  static func settled(_ bytes: [UInt8]) -> [UInt8]? {
    guard MergeMarkers.isAnywhere(in: bytes) else { return nil }
    // Between fences, an unknown base has the lines that both versions have.
    let fenced = fence + bytes + (bytes.last == 0x0A ? [] : [0x0A]) + fence
    guard let marked = MarkedText(fenced, isEverywhere: true) else { return nil }
    let texts = ([marked.base] + marked.versions).map { text in
      text.count < 2 * fence.count ? [] : Array(text.dropFirst(fence.count).dropLast(fence.count))
    }
    var merged = texts[1]
    for version in texts.dropFirst(2) {
      guard
        let next = merge(base: texts[0], one: merged, other: version)
          ?? merge(base: [], one: merged, other: version)
      else { return nil }
      merged = next.bytes
    }
    return merged
  }
}

/// The settings of the box in a commit that is to be merged.
///
/// A box whose settings can't be read answers no command, not even the sync that would fetch their repair.
struct IncomingSettings {
  private let box: Box
  private let commit: ObjectID
  /// The name of the branch in messages.
  private let branch: Phrase

  init(of commit: ObjectID, on branch: String, in box: Box) {
    self.commit = commit
    self.branch = Phrase(branch)
    self.box = box
  }

  /// Refuses settings with which the box could not be opened.
  ///
  /// - Throws: `.configuration` if the file can't be read or needs a newer version, and if it or its folder is something
  ///   else, such as a symbolic link.
  func refuseUnusable() throws(SlipboxError) {
    let (name, path) = (box.repositoryPath(Settings.boxFile), Settings.boxFile)
    let folder = box.repositoryPath(Array(".slipbox".utf8))
    let found = try box.git { repository throws(GitError) in
      (
        inPlaceOfFolder: try repository.file(folder, at: commit), file: try repository.file(name, at: commit),
        isFolder: try !repository.files(at: commit, under: name).isEmpty
      )
    }
    if found.inPlaceOfFolder != nil { throw refusal("\(folder) is a file or a symbolic link") }
    if found.isFolder { throw refusal("\(name) is a folder") }
    guard let file = found.file else { return }
    guard file.mode != TreeEntry.symbolicLink else { throw refusal("\(name) is a symbolic link") }
    let bytes = try box.content(of: file)
    do throws(SlipboxError) {
      _ = try Settings.of(bytes, file: Phrase(path))
    } catch {
      throw refusal(error.message)
    }
  }

  private func refusal(_ reason: Phrase) -> SlipboxError {
    SlipboxError(
      .configuration, "\(branch) is not merged: \(reason)",
      hints: [
        "nothing was changed; correct it on \(branch) and sync again",
        "or merge it by hand with git, and correct the file then",
      ])
  }
}
