/// The format of the catalogue cache.
package enum CatalogueFormat {
  /// Caches of other versions are rebuilt.
  package static let version = CatalogueFileLayout.version
}
