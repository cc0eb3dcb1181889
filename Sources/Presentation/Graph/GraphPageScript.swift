/// The script of the page that shows a graph, in its parts: data, layout, drawing, what the reader does.
///
/// All that notes say is put into the page as text (`textContent`, `fillText`), never as markup.
enum GraphPageScript {
  static let javaScript = """
    "use strict";
    (() => {
    \(data)
    \(layout)
    \(drawing)
    \(panel)
    \(reader)
    })();
    """
}
