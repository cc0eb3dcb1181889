/// The script of the page that shows a graph, in its parts: data, layout, drawing, what the reader does.
///
/// All that notes say is put into the page as text (`textContent`, `fillText`), never as markup.
enum GraphPageScript {
  static let javaScript = "\"use strict\";\n(() => {\n" + parts.joined(separator: "\n") + "})();"

  private static let parts = [
    PackageResources.graphdata_js, PackageResources.graphlayout_js, PackageResources.graphdrawing_js,
    PackageResources.graphpanel_js, PackageResources.graphreader_js,
  ].map { String(decoding: $0, as: UTF8.self) }
}
