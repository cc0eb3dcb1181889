import SlipboxBench

extension RowPlan {
  /// What ten times the notes may cost where each of them has to be looked at.
  private static let linear = 12.0
  /// What ten times the notes may cost where one of them is looked up.
  private static let lookUp = 1.5

  /// All operations, in the order of the report.
  static var all: [RowPlan] {
    [
      RowPlan("start", "start", .none) { bench, _ in bench.start() },
      RowPlan("newest", "newest 20", .notes, growth: linear) { try $0.newest($1) },
      RowPlan("json", "all as JSON", .notes, growth: linear) { try $0.allAsJSON($1) },
      RowPlan("rare", "search, rare word", .notes, growth: linear) { try $0.rareWord($1) },
      RowPlan("common", "search, word in 10 %", .notes, growth: linear) { try $0.commonWord($1) },
      RowPlan("phrase", "search, phrase", .notes, growth: linear) { try $0.phrase($1) },
      RowPlan("two", "search, two words", .notes, growth: linear) { try $0.twoWords($1) },
      RowPlan("fields", "tag and two fields", .notes, growth: linear) { try $0.tagAndFields($1) },
      RowPlan("show", "show by id", .notes, growth: lookUp) { try $0.show($1) },
      RowPlan("index", "first index", .notes, growth: linear) { try $0.firstIndex($1) },
      RowPlan("new", "new with commit", .notes, growth: linear) { try $0.newNote($1) },
      RowPlan("set", "set a field with commit", .notes, growth: linear) { try $0.setField($1) },
      RowPlan("edit-1", "after 1 file changed", .notes, growth: linear) { try $0.changed($1, files: 1) },
      RowPlan("edit-1000", "after 1,000 files changed", .notes, growth: linear) {
        try $0.changed($1, files: BoxMaker.changing)
      },
      RowPlan("log", "history of one note", .commits, growth: lookUp) { try $0.history($1) },
      RowPlan("tags", "tag of half the notes renamed", .records) { try $0.tagRename($1) },
    ]
  }
}
