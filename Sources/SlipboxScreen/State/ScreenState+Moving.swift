import NoteIndex

/// What the actions of finding and moving do.
extension ScreenState {
  /// The action that ends the record of the cursor; nil where its kind has none.
  var ending: String? { entry.flatMap { listing?.endings[$0.kind] } }

  /// The notes that stand in a relation to the one of the cursor, at the same moment.
  func request(_ relation: String) -> ListRequest {
    var request = ListRequest(moment: view.request.moment)
    let name = entry?.reference ?? ""
    let isPlain = name.utf8.allSatisfy { $0 > 0x20 && !Array("\"*(),=<>!".utf8).contains($0) }
    request.query = relation + (isPlain ? name : "\"\(name)\"")
    return request
  }

  /// Goes to a note in the list of all notes.
  mutating func go(to reference: String) -> [ScreenEffect] {
    awaited = reference
    focus = .list
    let all = ListRequest()
    return view.request == all ? [load(all)] : open(all)
  }

  mutating func moveInSidebar(_ key: Key) {
    moveInSidebar(by: moved(sidebarCursor, key, sidebar.count) - sidebarCursor)
  }

  /// Moves the cursor of the sidebar by some lines. It passes over headings: on the way, or else back.
  mutating func moveInSidebar(by lines: Int) {
    let places = sidebar.indices.filter { sidebar[$0].query != nil }
    let aim = sidebarCursor + lines
    let next =
      lines < 0 ? places.last { $0 <= aim } ?? places.first : places.first { $0 >= aim } ?? places.last
    sidebarCursor = next ?? sidebarCursor
  }

  /// Lists what the cursor of the sidebar stands on, and gives the keys to the list.
  mutating func openSidebarItem() -> [ScreenEffect] {
    guard let item = sidebarItem, let query = item.query else { return [] }
    return list(query, view: item.view)
  }

  /// Gives the keys to the pane beside; the cursor of the sidebar begins at what is listed.
  mutating func moveFocus(_ step: Int) -> [ScreenEffect] {
    let place = max(0, min(focus.rawValue + step, Pane.allCases.count - 1))
    if focus != .sidebar, place == Pane.sidebar.rawValue, let listed = sidebar.firstIndex(where: isListed) {
      sidebarCursor = listed
    }
    focus = Pane.allCases[place]
    return []
  }

  /// Whether an item of the sidebar is what the list shows.
  func isListed(_ item: SidebarItem) -> Bool {
    guard item.query != nil, let request = listing?.request else { return false }
    return item.view == nil ? request.view == nil && item.query == request.query : item.view == request.view
  }

  mutating func goBack() -> [ScreenEffect] {
    if view.anchor != nil {
      view.anchor = nil
    } else if !view.marked.isEmpty {
      view.marked = []
    } else if focus != .list {
      focus = .list
    } else if views.count > 1 {
      close()
      // What was read for it may be old.
      return [load(view.request)]
    } else if zoom > 0 {
      zoom = 0
    }
    return []
  }
}
