import Presentation

/// Everything that the server answers besides the files of the page.
enum PageRoutes {
  /// What the paths of all data begin with.
  static let prefix = "/api/"

  static let all: [PageRoute] = ReadRoutes.all + WriteRoutes.all
}

/// The questions that pages ask.
enum ReadRoutes {
  static let all: [PageRoute] = [
    .get("/api/box", ["brief", "at"], OverviewAnswer.answer),
    .get("/api/list", ["q", "from", "limit", "sort", "at"], ListAnswer.answer),
    .get("/api/hint", ["q", "at"], HintAnswer.answer),
    .get("/api/note", ["ref", "etag", "at"], NoteAnswer.answer),
    .get("/api/history", ["ref", "field", "limit", "at"], in: .past, HistoryAnswer.answer),
    .get("/api/diff", ["ref", "commit", "at"], in: .past, DiffAnswer.answer),
    .get("/api/deleted", ["q", "from", "limit", "at"], in: .past, DeletedAnswer.answer),
    .get("/api/titles", ["q", "kind", "limit", "at"], TitlesAnswer.answer),
    .get("/api/complete", ["q", "cursor", "at"], CompletionAnswer.answer),
    .get("/api/file", ["path", "at"], FileAnswer.answer),
    .get("/api/state") { _ in .json(JSONDocument.object { _ in }) },
    .get("/api/events") { _ in PageResponse(200, .events, headers: [("Content-Type", "application/x-ndjson")])
    },
  ]
}
