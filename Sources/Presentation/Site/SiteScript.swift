/// The search of a site: it runs in the browser, without a server, also from a folder on this machine.
///
/// What it looks through comes as scripts that call it with data. Whatever notes say goes into the page as text.
enum SiteScript {
  /// A script that hands data to a function of the page, under a name.
  static func call(_ function: StaticString, _ name: String, _ json: [UInt8]) -> [UInt8] {
    Array("\(function)(\"\(name)\",".utf8) + json + Array(");\n".utf8)
  }

  static let javaScript = String(decoding: PackageResources.search_js, as: UTF8.self)
}
