/// The text index of a snapshot.
package struct StoredTexts: Sendable {
  let index: TextIndex
  /// The document of a stored entry by its number.
  let document: @Sendable (Int) -> Int

  package init(_ index: TextIndex, document: @escaping @Sendable (Int) -> Int) {
    self.index = index
    self.document = document
  }
}
