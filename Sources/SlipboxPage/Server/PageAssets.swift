import Bytes
import Git
import Platform

/// The files of the page itself: a table in the program; no path of a request is opened.
struct PageAssets: Sendable {
  /// The folder that the files are read from while one works on the page; nil for those in the program.
  let folder: [UInt8]?

  /// The response to a request for a file; nil if there is none.
  func response(to request: PageRequest, _ target: RequestTarget) -> PageResponse? {
    guard let file = Self.file(at: target.path), request.method == "GET", let bytes = bytes(of: file) else {
      return nil
    }
    let tag = "\"\(ObjectID(ofBlob: bytes).hex)\""
    let headers = [("Cache-Control", "no-cache"), ("ETag", tag)]
    if request.value(of: "if-none-match") == tag { return PageResponse(304, .bytes([]), headers: headers) }
    return PageResponse(200, .bytes(bytes), headers: [("Content-Type", file.type)] + headers)
  }

  private static func file(at path: String) -> AssetFile? {
    let name = path == "/" ? AssetFile.document : path.hasPrefix("/assets/") ? String(path.dropFirst(8)) : ""
    return AssetFile.all.first { $0.name.utf8.elementsEqual(name.utf8) }
  }

  private func bytes(of file: AssetFile) -> [UInt8]? {
    guard let folder else { return file.bytes() }
    return try? Files.read(BytePath.join(folder, Array(file.name.utf8)), limit: 4 << 20)
  }
}

/// A file of the page.
struct AssetFile: Sendable {
  let name: String
  /// Its bytes in the program.
  let bytes: @Sendable () -> [UInt8]

  /// The file that is the page.
  static let document = "index.html"

  /// All files of the page.
  static let all: [AssetFile] = [
    AssetFile("acting.js") { PackageResources.acting_js },
    AssetFile("actions.js") { PackageResources.actions_js },
    AssetFile("address.js") { PackageResources.address_js },
    AssetFile("api.js") { PackageResources.api_js },
    AssetFile("app.js") { PackageResources.app_js },
    AssetFile("backlinks.js") { PackageResources.backlinks_js },
    AssetFile("bars.js") { PackageResources.bars_js },
    AssetFile("board.js") { PackageResources.board_js },
    AssetFile("body.js") { PackageResources.body_js },
    AssetFile("boxpast.js") { PackageResources.boxpast_js },
    AssetFile("calendar.js") { PackageResources.calendar_js },
    AssetFile("carrying.js") { PackageResources.carrying_js },
    AssetFile("choices.js") { PackageResources.choices_js },
    AssetFile("chooser.js") { PackageResources.chooser_js },
    AssetFile("clipboard.js") { PackageResources.clipboard_js },
    AssetFile("completion.js") { PackageResources.completion_js },
    AssetFile("conflicts.js") { PackageResources.conflicts_js },
    AssetFile("contextmenu.js") { PackageResources.contextmenu_js },
    AssetFile("created.js") { PackageResources.created_js },
    AssetFile("dates.js") { PackageResources.dates_js },
    AssetFile("deletednote.js") { PackageResources.deletednote_js },
    AssetFile("detail.js") { PackageResources.detail_js },
    AssetFile("dom.js") { PackageResources.dom_js },
    AssetFile("drafts.js") { PackageResources.drafts_js },
    AssetFile("dragging.js") { PackageResources.dragging_js },
    AssetFile("editing.js") { PackageResources.editing_js },
    AssetFile("entryactions.js") { PackageResources.entryactions_js },
    AssetFile("events.js") { PackageResources.events_js },
    AssetFile("fieldlinks.js") { PackageResources.fieldlinks_js },
    AssetFile("fields.js") { PackageResources.fields_js },
    AssetFile("files.js") { PackageResources.files_js },
    AssetFile("filterbar.js") { PackageResources.filterbar_js },
    AssetFile("filters.js") { PackageResources.filters_js },
    AssetFile("form.js") { PackageResources.form_js },
    AssetFile("found.js") { PackageResources.found_js },
    AssetFile("held.js") { PackageResources.held_js },
    AssetFile("htmlmarkdown.js") { PackageResources.htmlmarkdown_js },
    AssetFile("icon.svg") { PackageResources.icon_svg },
    AssetFile("index.html") { PackageResources.index_html },
    AssetFile("inlinemarkdown.js") { PackageResources.inlinemarkdown_js },
    AssetFile("keys.js") { PackageResources.keys_js },
    AssetFile("kinds.js") { PackageResources.kinds_js },
    AssetFile("lineediting.js") { PackageResources.lineediting_js },
    AssetFile("linking.js") { PackageResources.linking_js },
    AssetFile("linkpreview.js") { PackageResources.linkpreview_js },
    AssetFile("list.js") { PackageResources.list_js },
    AssetFile("listhead.js") { PackageResources.listhead_js },
    AssetFile("listnotice.js") { PackageResources.listnotice_js },
    AssetFile("main.js") { PackageResources.main_js },
    AssetFile("markup.js") { PackageResources.markup_js },
    AssetFile("meant.js") { PackageResources.meant_js },
    AssetFile("messages.js") { PackageResources.messages_js },
    AssetFile("names.js") { PackageResources.names_js },
    AssetFile("newnote.js") { PackageResources.newnote_js },
    AssetFile("outline.js") { PackageResources.outline_js },
    AssetFile("overlays.js") { PackageResources.overlays_js },
    AssetFile("page.css") { PackageResources.page_css },
    AssetFile("palette.js") { PackageResources.palette_js },
    AssetFile("past.js") { PackageResources.past_js },
    AssetFile("pasting.js") { PackageResources.pasting_js },
    AssetFile("pictures.js") { PackageResources.pictures_js },
    AssetFile("place.js") { PackageResources.place_js },
    AssetFile("quickadd.js") { PackageResources.quickadd_js },
    AssetFile("recent.js") { PackageResources.recent_js },
    AssetFile("row.js") { PackageResources.row_js },
    AssetFile("savedsign.js") { PackageResources.savedsign_js },
    AssetFile("savedview.js") { PackageResources.savedview_js },
    AssetFile("savejob.js") { PackageResources.savejob_js },
    AssetFile("savequeue.js") { PackageResources.savequeue_js },
    AssetFile("saver.js") { PackageResources.saver_js },
    AssetFile("selecting.js") { PackageResources.selecting_js },
    AssetFile("shaping.js") { PackageResources.shaping_js },
    AssetFile("sidebar.js") { PackageResources.sidebar_js },
    AssetFile("sittings.js") { PackageResources.sittings_js },
    AssetFile("slider.js") { PackageResources.slider_js },
    AssetFile("sourceplace.js") { PackageResources.sourceplace_js },
    AssetFile("splitters.js") { PackageResources.splitters_js },
    AssetFile("store.js") { PackageResources.store_js },
    AssetFile("summary.js") { PackageResources.summary_js },
    AssetFile("tableview.js") { PackageResources.tableview_js },
    AssetFile("text.css") { PackageResources.text_css },
    AssetFile("textmerge.js") { PackageResources.textmerge_js },
    AssetFile("textual.js") { PackageResources.textual_js },
    AssetFile("theme.js") { PackageResources.theme_js },
    AssetFile("ticks.js") { PackageResources.ticks_js },
    AssetFile("today.js") { PackageResources.today_js },
    AssetFile("todos.js") { PackageResources.todos_js },
    AssetFile("token.js") { PackageResources.token_js },
    AssetFile("topbar.js") { PackageResources.topbar_js },
    AssetFile("turns.js") { PackageResources.turns_js },
    AssetFile("unsaved.js") { PackageResources.unsaved_js },
    AssetFile("viewdata.js") { PackageResources.viewdata_js },
    AssetFile("views.css") { PackageResources.views_css },
    AssetFile("writes.js") { PackageResources.writes_js },
    AssetFile("writingbar.js") { PackageResources.writingbar_js },
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
