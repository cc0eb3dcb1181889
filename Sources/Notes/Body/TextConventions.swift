import Synchronization

/// The conventions of other programs by which the texts and files of a box are read.
///
/// They belong to the process, as `LocalZone` does, because notes are read without the settings of their box.
package struct TextConventions: OptionSet, Sendable {
  package let rawValue: Int

  package init(rawValue: Int) { self.rawValue = rawValue }

  /// Labels of wiki links are before the bar, as in Dendron's vaults: `[[label|target]]`. Those of embedded files are
  /// after it.
  package static let labelsFirst = TextConventions(rawValue: 1)
  /// Links in shortcodes of Hugo and tags of Jekyll are read: `{{< ref "x.md" >}}`, `{% link x.md %}`.
  package static let shortcodes = TextConventions(rawValue: 2)
  /// `:food:sour:` in the text are tags.
  ///
  /// Source: zk's documentation, "Tags": tags between colons are read with `colon-tags = true`.
  package static let colonTags = TextConventions(rawValue: 4)
  /// Titles follow from the names of files as in a graph of Logseq: see `PageNames`.
  package static let pageNames = TextConventions(rawValue: 8)

  private static let stored = Atomic<Int>(0)

  /// Those of the box that the program reads.
  package static var current: TextConventions {
    TextConventions(rawValue: stored.load(ordering: .acquiring))
  }

  /// Whether the box that the program reads follows a convention.
  package static func has(_ convention: TextConventions) -> Bool { current.contains(convention) }

  /// Sets a convention for the box that the program reads.
  package static func use(_ convention: TextConventions, _ isUsed: Bool) {
    if isUsed {
      stored.bitwiseOr(convention.rawValue, ordering: .acquiringAndReleasing)
    } else {
      stored.bitwiseAnd(~convention.rawValue, ordering: .acquiringAndReleasing)
    }
  }
}
