/// What a site says of itself.
package struct SiteSettings: Sendable {
  /// The name of the site.
  package let title: String
  /// The address at which it will stand, with a slash at its end; nil where nobody said.
  package let address: String?
  /// Who writes; nil: the site.
  package let author: String?

  /// - Parameter address: an address of the web; a slash is added where it has none.
  package init(title: String, address: String?, author: String?) {
    self.title = title
    self.address = address.map { $0.hasSuffix("/") ? $0 : $0 + "/" }
    self.author = author
  }
}
