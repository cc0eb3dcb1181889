/// A file of the page.
struct AssetFile: Sendable {
  let name: String
  /// Its bytes in the program.
  let bytes: @Sendable () -> [UInt8]

  /// The file that is the page.
  static let document = "index.html"

  /// All files of the page.
  static let all: [AssetFile] = [
    AssetFile("index.html") { PackageResources.index_html }, AssetFile("page.css") { PackageResources.page_css },
    AssetFile("page.js") { PackageResources.page_js },
  ]

  private init(_ name: String, _ bytes: @escaping @Sendable () -> [UInt8]) {
    self.name = name
    self.bytes = bytes
  }

  /// The media type.
  var type: String {
    switch name.split(separator: ".").last {
    case "html": "text/html; charset=utf-8"
    case "css": "text/css; charset=utf-8"
    case "js": "text/javascript; charset=utf-8"
    case "svg": "image/svg+xml"
    default: "application/octet-stream"
    }
  }
}
