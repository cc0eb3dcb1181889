/// An operation: its name in the report, the command that it measures, and how its rows are made.
struct RowPlan {
  /// The unit of the size of a row.
  enum Axis { case none, notes, commits, records }

  let key: String
  let title: String
  /// The words of the command, such as `filter save`; an action of a kind is written as `do`.
  let command: String
  let axis: Axis
  /// The largest allowed cost of ten times the size, as a ratio; nil if there is none.
  let growth: Double?
  let make: (Bench, Int) throws -> Row

  init(
    _ key: String, _ title: String, of command: String, _ axis: Axis, growth: Double? = nil,
    _ make: @escaping (Bench, Int) throws -> Row
  ) {
    self.key = key
    self.title = title
    self.command = command
    self.axis = axis
    self.growth = growth
    self.make = make
  }
}

extension RowPlan {
  /// The largest cost of ten times the notes, as a ratio, where each of them is looked at.
  private static let linear = 12.0
  /// The same for a command that looks up one note at most.
  private static let lookUp = 1.5

  /// All operations, in the order of the report; a test compares them with the commands of the program.
  static var all: [RowPlan] {
    withoutBox + lists + searches + looks + editor + web + past + health + changes + manyChanges + sharing
  }

  private static var withoutBox: [RowPlan] {
    [
      RowPlan("start", "start", of: "--version", .none) { bench, _ in bench.start() },
      RowPlan("help", "help", of: "help", .none) { bench, _ in bench.help() },
      RowPlan("completions", "script of completion", of: "completions", .none) { bench, _ in
        bench.completionScript()
      },
      RowPlan("manual", "manual", of: "manual", .none) { bench, _ in try bench.manual() },
      RowPlan("merge-driver", "merge of three versions", of: "merge-driver", .none) { bench, _ in
        try bench.mergeDriver()
      },
      RowPlan("init-new", "init of a new folder", of: "init", .none) { bench, _ in try bench.initNew() },
    ]
  }

  private static var editor: [RowPlan] {
    [
      RowPlan("lsp-start", "editor, first links", of: "lsp", .notes, growth: linear) {
        try $0.editorStart($1)
      },
      RowPlan("lsp-keys", "editor, links for a letter", of: "lsp", .notes) { try $0.editorKeys($1) },
      RowPlan("lsp-change", "editor, a change of others", of: "lsp", .notes) { try $0.editorChange($1) },
      RowPlan("page-start", "page, first list", of: "page", .notes, growth: linear) { try $0.pageStart($1) },
      RowPlan("page-keys", "page, list for a letter", of: "page", .notes) { try $0.pageKeys($1) },
      RowPlan("page-requests", "page, request", of: "page", .notes) { try $0.pageRequests($1) },
      RowPlan("browse-frame", "screen, first frame", of: "browse", .notes) { try $0.screenFrame($1) },
      RowPlan("browse-start", "screen, first rows", of: "browse", .notes, growth: linear) {
        try $0.screenStart($1)
      },
      RowPlan("browse-keys", "screen, a key", of: "browse", .notes) { try $0.screenKeys($1) },
    ]
  }

  private static var lists: [RowPlan] {
    [
      RowPlan("newest", "newest 20", of: "list", .notes, growth: linear) { try $0.newest($1) },
      RowPlan("list", "all as rows", of: "list", .notes, growth: linear) { try $0.allAsRows($1) },
      RowPlan("json", "all as JSON", of: "list", .notes, growth: linear) { try $0.allAsJSON($1) },
      RowPlan("csv", "all as CSV", of: "list", .notes, growth: linear) { try $0.allAsCSV($1) },
      RowPlan("count", "number of notes", of: "list", .notes, growth: linear) { try $0.countNotes($1) },
      RowPlan("fields", "tag and two fields", of: "list", .notes, growth: linear) { try $0.tagAndFields($1) },
      RowPlan("sort", "all by date of change", of: "list", .notes, growth: linear) {
        try $0.sortedByChange($1)
      },
      RowPlan("typo", "unknown field, with hint", of: "list", .notes, growth: linear) {
        try $0.unknownField($1)
      },
      RowPlan("links", "notes that link to one", of: "list", .notes, growth: linear) { try $0.linking($1) },
      RowPlan("orphan", "notes without backlinks", of: "list", .notes, growth: linear) { try $0.orphans($1) },
    ]
  }

  private static var searches: [RowPlan] {
    [
      RowPlan("rare", "search, rare word", of: "search", .notes, growth: linear) { try $0.rareWord($1) },
      RowPlan("common", "search, word in 10 %", of: "search", .notes, growth: linear) {
        try $0.commonWord($1)
      },
      RowPlan("phrase", "search, phrase", of: "search", .notes, growth: linear) { try $0.phrase($1) },
      RowPlan("two", "search, two words", of: "search", .notes, growth: linear) { try $0.twoWords($1) },
      RowPlan("index", "first index", of: "search", .notes, growth: linear) { try $0.firstIndex($1) },
      RowPlan("edit-1", "after 1 file changed", of: "search", .notes, growth: linear) {
        try $0.changed($1, files: 1)
      },
      RowPlan("edit-1000", "after 1,000 files changed", of: "search", .notes, growth: linear) {
        try $0.changed($1, files: BoxMaker.changing)
      },
      RowPlan("fold", "catalogue folded", of: "fold-catalogue", .notes, growth: linear) { try $0.fold($1) },
    ]
  }

  private static var looks: [RowPlan] {
    [
      RowPlan("show", "show by id", of: "show", .notes, growth: lookUp) { try $0.show($1) },
      RowPlan("show-path", "show by path", of: "show", .notes, growth: lookUp) { try $0.showPath($1) },
      RowPlan("outline", "headings of a note", of: "outline", .notes, growth: lookUp) { try $0.outline($1) },
      RowPlan("show-fields", "show with fields", of: "show", .notes, growth: lookUp) {
        try $0.showFields($1)
      },
      RowPlan("overview", "slip alone", of: "overview", .notes, growth: linear) { try $0.overview($1) },
      RowPlan("tags", "tags with numbers", of: "tags", .notes, growth: linear) { try $0.tags($1) },
      RowPlan("tags-missing", "tags a note lacks", of: "tags", .notes, growth: linear) {
        try $0.missingTags($1)
      },
      RowPlan("complete-notes", "completion of notes", of: "_complete", .notes, growth: linear) {
        try $0.completionOfNotes($1)
      },
      RowPlan("complete-tags", "completion of tags", of: "_complete", .notes, growth: linear) {
        try $0.completionOfTags($1)
      },
      RowPlan("kinds", "kinds", of: "kinds", .notes, growth: lookUp) { try $0.kinds($1) },
      RowPlan("filters", "filters", of: "filter list", .notes, growth: lookUp) { try $0.filters($1) },
      RowPlan("config", "settings", of: "config", .notes, growth: lookUp) { try $0.settings($1) },
      RowPlan("log", "history of one note", of: "log", .commits, growth: lookUp) { try $0.history($1) },
      RowPlan("log-20", "newest 20 commits", of: "log", .commits, growth: lookUp) {
        try $0.newestCommits($1)
      },
      RowPlan("chart", "issues by status, all days", of: "chart", .commits, growth: linear) {
        try $0.chart($1)
      },
      RowPlan("review", "review of a tenth", of: "review", .commits, growth: linear) { try $0.review($1) },
    ]
  }

  private static var web: [RowPlan] {
    [
      RowPlan("web-links", "links of one note", of: "links", .notes, growth: linear) {
        try $0.linksOfOne($1)
      },
      RowPlan("backlinks", "backlinks with sentences", of: "backlinks", .notes, growth: linear) {
        try $0.backlinks($1)
      },
      RowPlan("mentions", "unlinked mentions", of: "mentions", .notes, growth: linear) {
        try $0.mentions($1)
      },
      RowPlan("related", "related notes", of: "related", .notes, growth: linear) { try $0.related($1) },
      RowPlan("orphans", "notes nobody links to", of: "orphans", .notes, growth: linear) {
        try $0.unlinked($1)
      },
      RowPlan("broken", "broken links", of: "broken", .notes, growth: linear) { try $0.brokenLinks($1) },
      RowPlan("todo-query", "notes with open check boxes", of: "list", .notes, growth: linear) {
        try $0.todoQuery($1)
      },
      RowPlan("table", "issues by status", of: "table", .notes, growth: linear) { try $0.table($1) },
      RowPlan("agenda", "agenda", of: "agenda", .notes, growth: linear) { try $0.agenda($1) },
      RowPlan("views", "saved views", of: "view show", .notes, growth: lookUp) { try $0.views($1) },
      RowPlan("bake", "lists in notes", of: "bake", .notes, growth: linear) { try $0.bake($1) },
      RowPlan("todos", "open check boxes", of: "todos", .notes, growth: linear) { try $0.todos($1) },
      RowPlan("graph", "graph in numbers", of: "graph", .notes, growth: linear) { try $0.graphInNumbers($1) },
      RowPlan("graph-json", "graph as JSON", of: "graph", .notes, growth: linear) { try $0.graphAsJSON($1) },
    ]
  }

  private static var past: [RowPlan] {
    [
      RowPlan("as-of", "all as rows, of the past", of: "list", .commits, growth: lookUp) {
        try $0.listAsOf($1)
      },
      RowPlan("show-at", "a note of the past", of: "show", .commits, growth: lookUp) { try $0.showAt($1) },
      RowPlan("deleted", "deleted notes", of: "list", .commits, growth: linear) { try $0.listDeleted($1) },
      RowPlan("search-history", "search in history", of: "search", .commits, growth: linear) {
        try $0.searchHistory($1)
      },
      RowPlan("diff", "difference to the past", of: "diff", .commits, growth: lookUp) { try $0.diff($1) },
      RowPlan("undo", "undo with commit", of: "undo", .notes, growth: linear) { try $0.undo($1) },
      RowPlan("redo", "redo with commit", of: "redo", .notes, growth: linear) { try $0.redo($1) },
      RowPlan("resolve", "settle a conflict with commit", of: "resolve", .notes, growth: linear) {
        try $0.resolve($1)
      },
      RowPlan("restore", "restore with commit", of: "restore", .notes, growth: linear) { try $0.restore($1) },
    ]
  }

  private static var health: [RowPlan] {
    [
      RowPlan("status", "status", of: "status", .notes, growth: linear) { try $0.status($1) },
      RowPlan("commit-none", "commit of nothing", of: "commit", .notes, growth: linear) {
        try $0.commitNothing($1)
      },
      RowPlan("commit-1", "commit of 1 file", of: "commit", .notes, growth: linear) { try $0.commitOne($1) },
      RowPlan("doctor", "doctor", of: "doctor", .notes, growth: linear) { try $0.doctor($1) },
      RowPlan("heal", "nothing to heal", of: "heal", .notes, growth: linear) { try $0.healNothing($1) },
      RowPlan("tidy", "nothing to tidy", of: "tidy", .notes, growth: linear) { try $0.tidyNothing($1) },
      RowPlan("init", "init of a repository", of: "init", .notes, growth: linear) {
        try $0.initExisting($1)
      },
    ]
  }

  private static var changes: [RowPlan] {
    [
      RowPlan("new", "new with commit", of: "new", .notes, growth: linear) { try $0.newNote($1) },
      RowPlan("set", "set a field with commit", of: "set", .notes, growth: linear) { try $0.setField($1) },
      RowPlan("append", "append with commit", of: "append", .notes, growth: linear) { try $0.append($1) },
      RowPlan("daily", "line to the note of a day", of: "daily", .notes, growth: linear) { try $0.daily($1) },
      RowPlan("capture", "line to the inbox", of: "capture", .notes, growth: linear) { try $0.capture($1) },
      RowPlan("edit", "edit with commit", of: "edit", .notes, growth: linear) { try $0.edit($1) },
      RowPlan("do", "action with commit", of: "do", .notes, growth: linear) { try $0.act($1) },
      RowPlan("rm", "rm with commit", of: "rm", .notes, growth: linear) { try $0.remove($1) },
      RowPlan("tick", "tick with commit", of: "tick", .notes, growth: linear) { try $0.tick($1) },
      RowPlan("promote", "promote with commit", of: "promote", .notes, growth: linear) { try $0.promote($1) },
      RowPlan("untick", "untick with commit", of: "untick", .notes, growth: linear) { try $0.untick($1) },
      RowPlan("mv", "mv with commit", of: "mv", .notes, growth: linear) { try $0.move($1) },
      RowPlan("merge", "merge of two notes", of: "merge", .notes, growth: linear) { try $0.join($1) },
      RowPlan("split", "split with commit", of: "split", .notes, growth: linear) { try $0.split($1) },
      RowPlan("filter-save", "filter saved", of: "filter save", .notes, growth: linear) {
        try $0.saveFilter($1)
      },
      RowPlan("filter-rename", "filter renamed", of: "filter rename", .notes, growth: linear) {
        try $0.renameFilter($1)
      },
      RowPlan("filter-rm", "filter removed", of: "filter rm", .notes, growth: linear) {
        try $0.removeFilter($1)
      },
      RowPlan("view-save", "view saved", of: "view save", .notes, growth: linear) { try $0.saveView($1) },
      RowPlan("view-rename", "view renamed", of: "view rename", .notes, growth: linear) {
        try $0.renameView($1)
      },
      RowPlan("view-remove", "view removed", of: "view remove", .notes, growth: linear) {
        try $0.removeView($1)
      },
    ]
  }

  private static var sharing: [RowPlan] {
    [
      RowPlan("sync", "sync of nothing", of: "sync", .notes, growth: linear) { try $0.syncNothing($1) },
      RowPlan("sync-1000", "sync that merges 1,000 notes", of: "sync", .notes, growth: linear) {
        try $0.syncThousand($1)
      },
      RowPlan("remotes", "remotes", of: "remote list", .notes, growth: lookUp) { try $0.remotes($1) },
      RowPlan("remote-add", "remote added", of: "remote add", .notes, growth: lookUp) {
        try $0.addRemote($1)
      },
      RowPlan("remote-rm", "remote removed", of: "remote rm", .notes, growth: lookUp) {
        try $0.removeRemote($1)
      },
      RowPlan("export-json", "export as JSON", of: "export", .notes, growth: linear) {
        try $0.exportJSON($1)
      },
      RowPlan("export-csv", "export as CSV", of: "export", .notes, growth: linear) { try $0.exportCSV($1) },
      RowPlan("export-html", "export as a site", of: "export", .notes, growth: linear) {
        try $0.exportSite($1)
      },
      RowPlan("export-html-again", "the site after ten changes", of: "export", .notes, growth: linear) {
        try $0.exportSiteAgain($1)
      },
    ]
  }

  private static var manyChanges: [RowPlan] {
    [
      RowPlan("set-1000", "a field of 1,000 notes set", of: "set", .notes, growth: linear) {
        try $0.setWhere($1)
      },
      RowPlan("tags-rename", "tag of half the notes renamed", of: "tags", .records) { try $0.tagRename($1) },
      RowPlan("retitle", "title with links in a tenth of the notes", of: "retitle", .notes, growth: linear) {
        try $0.retitle($1)
      },
      RowPlan("import", "import of 10,000 files", of: "import", .none) { bench, _ in try bench.importFolder()
      },
      RowPlan("import-tasks", "import of 10,000 tasks", of: "import", .none) { bench, _ in
        try bench.importTasks()
      },
      RowPlan("import-again", "import of the same 10,000 tasks", of: "import", .none) { bench, _ in
        try bench.importTasksAgain()
      },
      RowPlan("sample", "sample of 1,000 records", of: "sample", .none) { bench, _ in try bench.sample() },
    ]
  }
}
