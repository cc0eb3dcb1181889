import SlipboxCore

/// Saves and removes views.
enum ViewRoute {
  static let members = ["name", "form", "query", "by", "columns", "sort", "total", "remove"]

  /// Saves a view; members that are not sent stay as they are in a view of that name.
  static func save(_ write: PageWrite) throws -> PageWrite.Work {
    let (snapshot, body) = (write.snapshot, write.body)
    let name = try body.required("name")
    if try body.flag("remove") { return PageWrite.Work(plan: try snapshot.removingView(name)) }
    var view =
      snapshot.settings.viewLines.contains { $0.name == name } ? try snapshot.view(named: name) : View(.list)
    if let text = try body.text("form") {
      guard let form = View.Form(rawValue: text), View.Form.ofViews.contains(form) else {
        let names = View.Form.ofViews.map(\.rawValue).joined(separator: ", ")
        throw PageError(.badRequest, "form is one of: \(names)")
      }
      view.form = form
    }
    if let query = try body.text("query") { view.query = query.isEmpty ? [] : [query] }
    if let by = try body.text("by") { view.by = by.isEmpty ? nil : by }
    if let columns = try body.text("columns") { view.columns = columns.isEmpty ? nil : columns }
    if let sort = try body.text("sort") { (view.sort, view.isReversed) = (sort.isEmpty ? nil : sort, false) }
    if try body.flag("total") { view.hasTotal = true }
    let plan = try snapshot.savingView(name, view)
    _ = try ShownView(ViewRequest(view: view, filter: ""), in: snapshot)
    return PageWrite.Work(plan: plan)
  }
}
