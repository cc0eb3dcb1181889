/// What a merge has to know of the kinds of a box.
package struct MergeRules: Sendable {
  /// Fields that a transition of a kind changes together; where they are contested they move together.
  package let groups: [Set<String>]

  package init(groups: [Set<String>] = []) { self.groups = groups }
}
