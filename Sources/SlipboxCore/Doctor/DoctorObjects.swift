import Bytes
import Git
import Platform
package import Text

/// Checks git's objects, the number of loose objects and packs, and the merge driver.
struct RepositoryCheck {
  private let snapshot: BoxSnapshot
  private var box: Box { snapshot.box }

  init(in snapshot: BoxSnapshot) { self.snapshot = snapshot }

  /// Starts the search for damaged objects in a thread of its own: it is slow on disks and packs.
  func objectFaults() -> BackgroundTask<[ObjectFault]> {
    // A branch whose commit is missing is reported when the box is opened.
    let tip = (try? box.tip()) ?? nil
    let look = box.withRepository { $0.objectLook(from: tip) }
    return BackgroundTask { look() }
  }

  /// Returns the findings about damaged objects. Objects that a partial clone left at its remote are not missing.
  func objectFindings(_ faults: [ObjectFault]) -> [Finding] {
    let isPartial = box.withRepository { $0.remotes.isPartialClone }
    return faults.filter { fault in
      if isPartial, case .missing = fault.what { false } else { true }
    }.map(finding)
  }

  private func finding(_ fault: ObjectFault) -> Finding {
    let shown = fault.file.map { Phrase(typed: $0) } ?? ""
    switch fault.what {
    case .pack:
      return Finding(
        .objects, place(fault), "a git pack is corrupt or missing",
        remedy: "recover the readable objects: mv \(shown) /tmp, then git unpack-objects -r < /tmp/"
          + "\(name(fault)); \(fetching)")
    case .packIndex:
      let pack = Phrase(typed: (fault.file ?? []).dropLast(4) + Array(".pack".utf8))
      return Finding(
        .objects, place(fault), "the index of a git pack is corrupt or missing",
        remedy: "rm -f \(shown), then git index-pack \(pack)")
    case .loose(let id):
      return Finding(
        .objects, place(fault), "\(meaning(fault.use)) is corrupt in git: \(shown)",
        remedy: "rm \(shown), then \(restoring(id, fault.use))")
    case .missing(let id):
      return Finding(
        .objects, place(fault), "\(meaning(fault.use)) is missing in git: object \(id.hex)",
        remedy: restoring(id, fault.use))
    case .unreadable(let id):
      return Finding(
        .objects, place(fault), "\(meaning(fault.use)) can't be read in git: object \(id.hex)",
        remedy: "if a pack is corrupt, repair it first; \(restoring(id, fault.use))")
    case .more:
      return Finding(
        .objects, Array(".git".utf8), "more git objects are corrupt or missing",
        remedy: "git fsck --full lists all; \(fetching)")
    }
  }

  /// Returns a description of an object for users.
  private func meaning(_ use: ObjectFault.Use?) -> String {
    switch use {
    case .file: "its text in the last commit"
    case .folder(let path):
      path.isEmpty ? "the list of all files in the last commit" : "the list of its files in the last commit"
    case .commit: "a commit of the history"
    case nil: "an object of the history"
    }
  }

  /// Returns instructions for restoring an object: from the file if it still has the content, otherwise from another
  /// clone.
  private func restoring(_ id: ObjectID, _ use: ObjectFault.Use?) -> Phrase {
    guard case .file(let name) = use, let path = own(name), let bytes = try? box.bytes(at: path),
      (try? box.stores(bytes, at: path, as: id)) == true
    else { return fetching }
    return "git hash-object -w \(typed: path) rewrites it from the file"
  }

  private var fetching: Phrase {
    "git fetch --refetch REMOTE restores it from a remote or from another clone"
  }

  /// Returns the path of a finding: the path of the note or folder or, without one, of git's file.
  private func place(_ fault: ObjectFault) -> [UInt8] {
    switch fault.use {
    case .file(let name), .folder(let name):
      if let path = own(name), !path.isEmpty { return path }
    case .commit, nil: break
    }
    let file = fault.file ?? box.gitDirectory
    return BytePath.relative(file, to: box.root) ?? file
  }

  private func name(_ fault: ObjectFault) -> Phrase {
    Phrase(typed: BytePath.name(of: fault.file ?? []))
  }

  /// Returns the path in the box of a file of the repository; nil outside the box.
  private func own(_ name: [UInt8]) -> [UInt8]? {
    name.starts(with: box.prefix) ? Array(name.dropFirst(box.prefix.count)) : nil
  }
}

/// Missing maintenance of the repository, which slows down commands and has no other effect.
extension RepositoryCheck {
  func upkeepFindings() throws(SlipboxError) -> [Finding] {
    try Upkeep(of: snapshot).reasons.map { reason in
      let folder = BytePath.relative(box.gitDirectory, to: box.root) ?? box.gitDirectory
      return Finding(.upkeep, folder, reason.sentence, remedy: "\(slip: "tidy")")
    }
  }
}

extension Upkeep.Reason {
  /// The reason in words.
  package var sentence: Phrase {
    switch self {
    case .looseObjects(let count): "\(count) git objects are loose"
    case .packs(let count): "the git objects are in \(count) packs"
    case .commits(let count): "\(count) commits and no commit-graph"
    }
  }
}

/// The check whether git merges the notes of this clone by their fields.
extension RepositoryCheck {
  func driverFindings() -> [Finding] {
    guard let fault = MergeDriverRegistration(in: box).fault else { return [] }
    let file = BytePath.relative(fault.file, to: box.root) ?? fault.file
    return [
      Finding(
        .driver, file, "\(fault.message), so git pull and git merge merge notes line by line",
        way: .automatic, remedy: "registers slip's merge driver in this clone")
    ]
  }
}
