import Bytes
package import Git
import NoteIndex
import Notes
import Platform
import Text

/// Damage that other programs did to notes, and its repairs.
package struct Healing: Sendable {
  /// A note with damage.
  package struct DamagedNote: Sendable {
    package enum Damage: Sendable, Equatable {
      /// Git's conflict markers in the committed text.
      case markers
      /// The file and another one, at a path, have one id because both sides of a merge moved the note.
      case duplicate(of: [UInt8])
      /// The file and others, at paths, have one id: perhaps one note that was moved twice, perhaps a copy.
      case sameID(as: [[UInt8]])
      /// Copies that a program for synchronising files left beside the note, at paths.
      case copies([[UInt8]])
      /// A merge commit dropped the changes of one side, perhaps with its move to a path.
      case dropped(by: ObjectID, move: [UInt8]? = nil)
      /// A merge commit dropped the move of a side to a path, and nothing else.
      case moveDropped(by: ObjectID, to: [UInt8])
      /// A merge commit dropped the note.
      case deleted(by: ObjectID)
      /// A merge commit dropped the changes of one side, and a device without the merge deleted the note.
      case droppedBeforeDeletion(by: ObjectID)
    }

    /// The path in the box.
    package let path: [UInt8]
    package let title: String
    package let damage: Damage
    /// Whether the repair loses nothing and overrides no decision of a user, so that it needs no confirmation.
    package var isCertain: Bool {
      switch damage {
      case .markers, .duplicate, .copies: true
      case .sameID, .dropped, .moveDropped, .deleted, .droppedBeforeDeletion: false
      }
    }
    /// The files that the repair changes, with the bytes before and after; empty if the user has to repair it.
    let repairs: [FileRepair]
    /// Whether slip can repair it.
    package var canBeRepaired: Bool { !repairs.isEmpty }

    /// Whether the repaired note has several versions of a part, from which the user has to choose.
    package var leavesConflict: Bool {
      repairs.contains { repair in repair.after.map { !NoteConflict.all(in: NoteText($0)).isEmpty } ?? false }
    }

    /// Whether the repaired settings or kind have values of one side in comments, because there is no field for them.
    package var leavesComments: Bool {
      let count = { (bytes: [UInt8]?) in
        (bytes ?? []).split(separator: 0x0A).count { $0.starts(with: SettingsMerge.notTaken.utf8) }
      }
      return path.starts(with: ".slipbox/".utf8) && repairs.contains { count($0.after) > count($0.before) }
    }

    /// Returns whether the repairs of both change one file, so that one plan has only one of them.
    package func sharesFile(with other: DamagedNote) -> Bool {
      !Set(repairs.map(\.path)).isDisjoint(with: other.repairs.map(\.path))
    }

    /// Returns whether a file is the damaged note, or a copy of it, or another one with its id.
    package func isAbout(_ path: [UInt8]) -> Bool {
      if self.path == path { return true }
      return switch damage {
      case .sameID(let paths), .copies(let paths): paths.contains(path)
      case .duplicate(let other): other == path
      case .markers, .dropped, .moveDropped, .deleted, .droppedBeforeDeletion: false
      }
    }
  }

  /// A file that a repair changes.
  struct FileRepair: Sendable {
    let path: [UInt8]
    let before: [UInt8]?
    let after: [UInt8]?
    /// Whether the file goes without a commit: see `Plan.discarded`.
    var isDiscarded = false
  }

  package internal(set) var notes: [DamagedNote] = []
  /// The number of merges that were compared with slip's own.
  package internal(set) var mergeCount = 0

  /// The notes that are repaired without a confirmation.
  package var certain: [DamagedNote] { notes.filter { $0.isCertain && $0.canBeRepaired } }

  /// Returns the plan that repairs some of the notes, one repair for each file.
  package func plan(_ chosen: [DamagedNote], reason: String? = nil) -> Plan {
    var edits: [FileEdit] = []
    var discarded: [[UInt8]: [UInt8]] = [:]
    var seen: Set<[UInt8]> = []
    for note in chosen where note.repairs.allSatisfy({ !seen.contains($0.path) }) {
      for repair in note.repairs {
        seen.insert(repair.path)
        if repair.isDiscarded {
          discarded[repair.path] = repair.before
          continue
        }
        edits.append(
          FileEdit(path: repair.path) { bytes throws(SlipboxError) in
            guard bytes == repair.before else {
              throw SlipboxError(
                .busy, "\(repair.path) was changed meanwhile", retry: "try again")
            }
            return repair.after
          })
      }
    }
    let paths = Set(chosen.map(\.path))
    let title = chosen.first?.title ?? ""
    var plan = Plan(
      command: "heal", reason: reason, edits: edits, inPlace: Plan.inPlace(afterDiscarding: discarded.count)
    ) { _ in
      "Heal \(paths.count == 1 ? title : "\(paths.count) notes")"
    }
    plan.discarded = discarded
    return plan
  }
}

extension Box {
  /// The settings file and the kinds of the box, and copies of them that other programs left, by path.
  var settingsPaths: [[UInt8]] {
    let folders = [".slipbox", ".slipbox/kinds"].map { Array($0.utf8) }
    return folders.flatMap { folder in
      ((try? Files.list(absolutePath(folder))) ?? []).sorted { ByteOrder.precedes($0, $1) }
        .filter { $0.suffix(5).elementsEqual(".yaml".utf8) }.map { folder / $0 }
    }
  }

  /// Returns the settings file and the kinds of the box in which git left its markers, by path.
  func markedSettings() throws(SlipboxError) -> [(path: [UInt8], bytes: [UInt8])] {
    var marked: [(path: [UInt8], bytes: [UInt8])] = []
    for path in settingsPaths where !ConflictCopy.isOne(path) {
      guard let bytes = try bytes(at: path), MergeMarkers.isAnywhere(in: bytes) else { continue }
      marked.append((path, bytes))
    }
    return marked
  }
}
