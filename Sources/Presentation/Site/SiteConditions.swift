import Bytes
package import NoteIndex
import Notes
import Platform
package import SlipboxCore

/// The settings, options and names that all pages of a site depend on. A later export keeps pages only if they are the same.
struct SiteConditions: Sendable {
  /// A hash of the paths of folders and of files that are no notes.
  let others: UInt64
  /// The day of the export.
  let day: String
  /// The commit whose history has the redirects; empty without one.
  let tip: String
  /// Whether a later export may keep pages of this one.
  let canBeRecorded: Bool
  fileprivate let base: UInt64
  fileprivate let entries: Entries

  /// - Throws: if the settings or the kinds of the box can't be read.
  init(
    _ snapshot: BoxSnapshot, _ settings: SiteSettings, _ rule: PublicationRule, _ entries: Entries
  ) throws(SlipboxError) {
    self.entries = entries
    day = snapshot.clock.today.description
    let marks = SnapshotMarks(of: snapshot)
    tip = marks.historyTip
    let paths = snapshot.source == .workTree ? marks.otherPaths : nil
    canBeRecorded = paths != nil && !rule.dependsOnTime
    others = Self.key(of: paths ?? [], entries)
    var key = PageKey()
    // Another program may make other pages.
    if let program = (try? Files.status(Array("/proc/self/exe".utf8), followLinks: true)) ?? nil {
      key.add(Int(program.size))
      key.add(Int(program.modified.sinceEpoch))
    }
    for text in [settings.title, settings.address ?? "", settings.author ?? "", rule.conditions] {
      key.add(text)
    }
    for text in rule.attributes { key.add(text) }
    key.add(snapshot.box.isShallow)
    for note in try snapshot.unreadableNotes() { key.add(note.path) }
    key.add(settings.address == nil)
    key.add(settings.css ?? [])
    key.add(settings.css == nil)
    key.add(settings.template?.bytes ?? [])
    key.add(settings.programs.formulas != nil)
    key.add(settings.programs.code != nil)
    key.add(String(describing: try snapshot.layout()))
    key.add(String(describing: entries.sameNames))
    key.add(try snapshot.bytes(at: Settings.boxFile) ?? [])
    let kinds = Array(".slipbox/kinds".utf8)
    for name in try snapshot.names(in: kinds).sorted(by: { ByteOrder.precedes($0, $1) }) {
      key.add(name)
      key.add(try snapshot.bytes(at: BytePath.join(kinds, name)) ?? [])
    }
    base = key.value
  }

  private static func key(of paths: [[UInt8]], _ entries: Entries) -> UInt64 {
    var folders: Set<[UInt8]> = []
    // Notes that were made one after another are mostly in one folder.
    var last: [UInt8]?
    for place in entries.indices {
      let folder = BytePath.folder(of: entries.path(at: place))
      if folder != last { folders.insert(folder) }
      last = folder
    }
    var key = PageKey()
    for path in folders.sorted(by: { ByteOrder.precedes($0, $1) }) { key.add(path) }
    for path in paths.sorted(by: { ByteOrder.precedes($0, $1) }) { key.add(path) }
    return key.value
  }

  /// The hash of the record of a site.
  ///
  /// - Parameter shown: the places of the notes on the site, ascending. Links to the other notes are not shown, by whatever
  ///   name.
  func key(shown: [Int]) -> UInt64 {
    var key = PageKey()
    key.add(base)
    var next = 0
    for place in entries.indices {
      if next < shown.count, shown[next] == place {
        next += 1
        continue
      }
      key.add(entries.path(at: place))
      key.add(SiteNote.names(of: entries[place].note, entries.kind(at: place)))
    }
    return key.value
  }

  /// Whether the pages of a record may be kept.
  func hold(_ record: SiteRecord, shown: [Int]) -> Bool {
    canBeRecorded && record.head.key == key(shown: shown)
  }
}

/// A site that is to be made, before its notes are read.
package struct SiteDraft: Sendable {
  let snapshot: BoxSnapshot
  let settings: SiteSettings
  let rule: PublicationRule
  let conditions: SiteConditions
  /// The places in the catalogue of the notes that the query finds, ascending.
  let places: [Int]
  private let skipsEmbeds: Bool

  /// - Parameters:
  ///   - notes: those that the query finds, in any order.
  ///   - skipsEmbeds: whether embeds of private notes are left out.
  /// - Throws: if the settings or the kinds of the box can't be read.
  package init(
    _ snapshot: BoxSnapshot, _ notes: [Match], _ settings: SiteSettings, _ rule: PublicationRule,
    skipsEmbeds: Bool = false
  ) throws(SlipboxError) {
    (self.snapshot, self.settings, self.rule) = (snapshot, settings, rule)
    self.skipsEmbeds = skipsEmbeds
    let places = notes.map(\.place)
    let areInOrder = zip(places, places.dropFirst()).allSatisfy { $0 < $1 }
    self.places = areInOrder ? places : Set(places).sorted()
    conditions = try SiteConditions(snapshot, settings, rule, try snapshot.catalogue().entries)
  }

  /// Whether the site is that of a record, as long as its files are there.
  ///
  /// - Complexity: O(1) in the texts of the notes.
  package func isSame(as record: SiteRecordFile) throws(SlipboxError) -> Bool {
    guard record.head.mark != 0 else { return false }
    let linked = try SiteFiles.linked(Set(record.head.files), in: snapshot, rule)
    guard mark(linked) == record.head.mark else { return false }
    SiteFiles.report(linked.withheld, to: snapshot.reporter)
    return true
  }

  /// Identifies the site by all of its inputs; 0 if only the notes decide.
  ///
  /// - Parameter linked: the linked files other than notes.
  func mark(_ linked: SiteFiles.Linked) -> UInt64 {
    let marks = SnapshotMarks(of: snapshot)
    guard conditions.canBeRecorded, let notes = marks.notesMark, let folders = snapshot.folders,
      !rule.mayEncrypt(inFolders: folders)
    else { return 0 }
    var key = PageKey()
    key.add(notes)
    key.add(conditions.base)
    key.add(conditions.others)
    key.add(conditions.day)
    key.add(conditions.tip)
    key.add(skipsEmbeds)
    key.add(places.count)
    if places.count < conditions.entries.count { for place in places { key.add(place) } }
    for file in linked.files {
      // A file that changes meanwhile has another stamp at the next export.
      guard let stamp = marks.stamp(at: file.path) else { return 0 }
      key.add(file.path)
      key.add(file.copy)
      key.add("\(file.media) \(stamp)")
    }
    for path in linked.withheld.keys.sorted(by: { ByteOrder.precedes($0, $1) }) {
      key.add(path)
      key.add(linked.withheld[path].map { "\($0)" } ?? "")
    }
    return max(1, key.value)
  }
}

/// The facts of a site as a whole.
package struct SiteSettings: Sendable {
  /// The name of the site.
  package let title: String
  /// The address of the site, with a slash at its end; nil if it is not given.
  package let address: String?
  /// The author; nil for the site itself.
  package let author: String?
  /// A style that follows the site's own.
  package let css: [UInt8]?
  package let template: SiteTemplate?
  /// The programs that make markup of formulas and of code.
  let programs: MarkupPrograms

  /// - Parameter address: an address of the web; a slash is added if it has none.
  package init(
    title: String, address: String?, author: String?, css: [UInt8]? = nil,
    template: SiteTemplate? = nil, programs: MarkupPrograms = MarkupPrograms()
  ) {
    self.programs = programs
    self.title = title
    self.address = address.map { $0.hasSuffix("/") ? $0 : $0 + "/" }
    self.author = author
    self.css = css
    self.template = template
  }

  /// The path of the site on its host, with a slash at its end.
  var rootPath: String {
    guard let address, let scheme = address.firstRange(of: "://") else { return "/" }
    let path = address[scheme.upperBound...].drop { $0 != "/" }
    return path.isEmpty ? "/" : String(path)
  }
}
