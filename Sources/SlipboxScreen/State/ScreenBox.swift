import Git
import NoteIndex
import Notes
import Platform
package import Presentation
package import SlipboxCore
import Synchronization

/// The box that the screen shows: its moment of now, kept up to date by a watch.
final class ScreenBox: Sendable {
  private let circumstances: ScreenCircumstances
  private let current: Mutex<BoxSnapshot>

  /// - Parameter snapshot: the box as it was opened.
  init(_ snapshot: BoxSnapshot, _ circumstances: ScreenCircumstances) {
    self.circumstances = circumstances
    current = Mutex(snapshot)
  }

  /// The box as it is known now.
  var now: BoxSnapshot { current.withLock { $0 } }

  /// Makes the next moment after some changes, and says whether it shows anything else.
  @discardableResult
  func advance(by changes: WatchedChanges) throws(SlipboxError) -> Bool {
    let result = current.withLock { snapshot -> Result<Bool, SlipboxError> in
      do throws(SlipboxError) {
        let reader = WorkTreeReader(snapshot.box, circumstances.context())
        let next =
          changes.isEverythingNew ? try reader.snapshot() : try reader.snapshot(after: snapshot, changes)
        var isSame = !changes.isGitNew && !changes.areOthersNew && next.clock.today == snapshot.clock.today
        if isSame { isSame = try SnapshotMarks(of: next).areOfSameNotes(as: snapshot) }
        snapshot = next
        return .success(!isSame)
      } catch {
        return .failure(error)
      }
    }
    return try result.get()
  }

  /// The commit of the box; nil before the first one.
  func lastCommit() -> Commit? {
    let box = now.box
    // The command that needs an unreadable file reports it.
    guard let tip = try? box.tip() else { return nil }
    return try? box.git { repository throws(GitError) in try repository.read(tip) }
  }

  /// Watches the box on a thread of its own, without end.
  ///
  /// - Parameter tell: called after each change; it has to return quickly.
  /// - Returns: whether the system could start the thread.
  func follow(_ tell: @escaping @Sendable () -> Void) -> Bool {
    Threads.detach { [self] in
      BoxWatch.follow(now.box, output: -1) { (changes) throws(SlipboxError) in
        if try advance(by: changes) { tell() }
        return now
      }
    }
  }
}

/// The environment of the screen.
package struct ScreenCircumstances: Sendable {
  /// Makes the circumstances of a question of now.
  let context: @Sendable () -> CommandContext
  /// The words of a program that runs a command of slip on the box.
  let slip: @Sendable (_ words: [String]) -> [[UInt8]]
  let style: Style
  let usesMouse: Bool
  /// The keys that the user has set, as in `delete=X`, with blanks between them.
  let keys: String
  /// The completions of a line of words.
  let complete: @Sendable (_ words: [String]) -> [Candidate]
  /// Whether a command asks or opens a program on the terminal.
  let needsTerminal: @Sendable (_ words: [String]) -> Bool
  /// Whether a command can show its patch and be run without a question.
  let showsPatch: @Sendable (_ words: [String]) -> Bool

  package init(
    slip: @escaping @Sendable (_ words: [String]) -> [[UInt8]], style: Style, usesMouse: Bool, keys: String,
    context: @escaping @Sendable () -> CommandContext,
    complete: @escaping @Sendable (_ words: [String]) -> [Candidate],
    needsTerminal: @escaping @Sendable (_ words: [String]) -> Bool,
    showsPatch: @escaping @Sendable (_ words: [String]) -> Bool
  ) {
    self.context = context
    self.slip = slip
    self.style = style
    self.usesMouse = usesMouse
    self.keys = keys
    self.complete = complete
    self.needsTerminal = needsTerminal
    self.showsPatch = showsPatch
  }
}

/// A line of the sidebar: a filter, a view, a kind or a tag, with the query that lists it; or the heading of some.
struct SidebarItem: Sendable, Equatable {
  let label: String
  /// Nil for a heading.
  let query: String?
  /// The saved view that it shows.
  var view: String?
  /// How many notes it lists; nil if its query can't be read, and for a heading.
  let count: Int?

  /// The lines of a box: filters, kinds, tags of active notes.
  ///
  /// - Complexity: O(n) in all notes, one pass for all.
  static func all(in snapshot: BoxSnapshot) throws -> [SidebarItem] {
    let filters = snapshot.settings.allFilters.map { (label: $0.name, query: "@\($0.name)") }
    let kinds = snapshot.schema().kinds.map { (label: $0.name, query: "kind:\($0.name)") }
    let listed = filters + kinds
    // One filter that can't be read is no reason to show none.
    let queries = listed.map { try? snapshot.query([$0.query]) }
    let readable = queries.compactMap { $0 }
    var counts = zip(readable, try snapshot.places(ofEach: readable)).map { query, places in
      min(places.count, query.limit ?? .max)
    }[...]
    let items = zip(listed, queries).map { item, query in
      SidebarItem(label: item.label, query: item.query, count: query.flatMap { _ in counts.popFirst() })
    }
    let tags = try BoxTags(of: snapshot).mostUsed()
    let views = snapshot.settings.viewLines.map { saved in
      SidebarItem(label: saved.name, query: "", view: saved.name, count: nil)
    }
    return [heading("Filters")] + items.prefix(filters.count) + (views.isEmpty ? [] : [heading("Views")])
      + views + [heading("Kinds")]
      + items.dropFirst(filters.count) + (tags.isEmpty ? [] : [heading("Tags")])
      + tags.map { SidebarItem(label: "#\($0.name)", query: "+\($0.name)", count: $0.count) }
  }

  private static func heading(_ label: String) -> SidebarItem {
    SidebarItem(label: label, query: nil, count: nil)
  }
}
