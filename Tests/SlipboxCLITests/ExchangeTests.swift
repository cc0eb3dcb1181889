import Foundation
import SlipboxTesting
import Testing

/// Files of other programs come in and go out without a loss and without doubles.
@Suite struct ExchangeTests {
  private let shell: Shell

  init() throws {
    shell = try Shell()
    try shell.slip("init", "-q", "box")
  }

  @discardableResult
  private func bring(_ text: String, _ name: String = "todo.txt", _ rest: String = "") throws -> String {
    try shell.folder.write(name, text)
    return try shell.sh("cd box && slip import ../\(name) \(rest)").errors
  }

  private func tasks(_ columns: String = "{title} {done} {tags}") throws -> [String] {
    try shell.sh("cd box && slip list kind:task sort:created,title --format '\(columns)'").output
      .split(separator: "\n").map(String.init).sorted()
  }

  // MARK: todo.txt

  @Test func linesWithTheSameWordsStayApart() throws {
    try bring("Buy bread @store\nBuy bread @bakery\n")
    let said = try bring("Buy bread @bakery\n")
    #expect(try tasks() == ["Buy bread false bakery", "Buy bread false store"])
    #expect(said.contains("1 note unchanged") && said.contains("no longer in the source"), "\(said)")
    // The one that is gone comes back as what it was.
    try bring("Buy bread @bakery\nBuy bread @store\n")
    #expect(try tasks().count == 2)
  }

  @Test(arguments: ["", "2026-11-01 "])
  func aTaskThatIsDoneIsTheSame(_ date: String) throws {
    try bring("\(date)Call Mum\n")
    let said = try bring("x 2026-11-25 Call Mum\n")
    #expect(try tasks("{title} {done} {finished}") == ["Call Mum true 2026-11-25"], "\(said)")
  }

  /// A task with the same words of another day is another one.
  @Test func aTaskOfAnotherDayIsAnother() throws {
    try bring("2026-11-01 Water plants\n")
    let said = try bring("2026-11-08 Water plants\nx 2026-11-08 2026-11-01 Water plants\n")
    #expect(try tasks() == ["Water plants false ", "Water plants true "], "\(said)")
  }

  @Test func aTaskWithAnotherTitleHereIsTheSame() throws {
    try bring("Call Mum\nCall Dad\n")
    try shell.sh("cd box && slip set 'Call Mum' 'title:Ring mother'")
    let said = try bring("Call Mum\nCall Dad\n")
    #expect(try tasks("{title}") == ["Call Dad", "Ring mother"], "\(said)")
  }

  @Test func anExportOfTodoTxtChangesNothing() throws {
    try shell.sh(
      """
      cd box && slip new group 'Home improvement' -q && slip new issue 'Cold oven' priority:high -q
      slip new task '(B) Odd +title @with 2026-01-01 marks:x' +'two words' 'group:Home improvement' due:2026-12-01 -q
      slip new task 'Pay' due:2026-12-31 recur:monthly priority:low wait:2026-12-20 -q && slip finish Pay
      slip new task 'Water' due:2026-12-31 recur:+3d 'effort:3 h' size:4 -b 'Text.' -q
      slip new task 'Same' -q && slip new task 'Same' -q && slip new issue 'Done one' -q && slip close 'Done one'
      """)
    try bring("(D) 2026-11-01 Read +Books +Later @sofa x:y\nx 2026-11-03 Undated\n")
    let before = try shell.sh("cd box && git rev-parse HEAD && slip export todotxt -o ../todo.txt")
    let count = try shell.sh("wc -l < todo.txt").output.trimmingCharacters(in: .whitespacesAndNewlines)
    let said = try shell.sh("cd box && slip import ../todo.txt")
    #expect(said.errors == "\(count) notes unchanged\n" && said.status == 0, "\(said)")
    #expect(before.output == (try shell.sh("cd box && git rev-parse HEAD").output))
    let lines = try shell.sh("cat todo.txt").output
    for line in ["(A) 2026-11-21 Cold oven", "rec:3d", "rec:+1m", "+Home_improvement @two_words"] {
      #expect(lines.contains(line), "\(lines)")
    }
    // In an empty box, the tasks are what they were there.
    try shell.sh(
      "slip init -q new && cd new && slip import ../todo.txt && slip export todotxt -o ../again.txt")
    #expect(
      try shell.sh("grep -v Odd todo.txt | sort > a; grep -v Odd again.txt | sort > b; diff a b").output == ""
    )
  }

  // MARK: JSON

  /// Notes of slip, and notes of others: without a date, with a date in other fields, with a placeholder, and not YAML.
  @Test(arguments: ["json", "jsonl"])
  func anExportAsJSONChangesNothing(_ format: String) throws {
    try shell.sh("slip init -q own && slip sample --box own --one-commit -q")
    try shell.sh(
      """
      cd own && printf 'Text.\\n' > plain.md && printf -- '---\\ncreated: {{date}}\\n---\\n# {{title}}\\n' > form.md
      printf -- '---\\nTitle: Old\\nDate: 2024-05-06\\ntags: a, b\\nn: "5"\\n---\\n' > old.md
      printf -- '---\\ntitle: [broken\\n---\\n' > broken.md && printf -- '+++\\ntitle = "T"\\nn = 7\\n+++\\n' > t.md
      """)
    let before = try shell.sh("cd own && git rev-parse HEAD && slip export \(format) -o ../own.json")
    let count = try shell.sh("cd own && slip list --count").output.trimmingCharacters(
      in: .whitespacesAndNewlines)
    let said = try shell.sh("cd own && slip import ../own.json")
    #expect(said.errors == "\(count) notes unchanged\n" && said.status == 0, "\(said)")
    #expect(before.output == (try shell.sh("cd own && git rev-parse HEAD").output))
  }

  // MARK: taskwarrior

  @Test func anExportOfTaskwarriorChangesNothing() throws {
    try shell.sh("slip init -q sample && slip sample --box sample --one-commit -q")
    try shell.sh("cd sample && slip new task 'Pay the rent' due:2027-02-28 'recur:monthly on 31' -q")
    try shell.sh("cd sample && slip export taskwarrior -o ../all.json")
    let said = try shell.sh("cd sample && slip import ../all.json")
    #expect(!said.errors.contains("differ") && !said.errors.contains("up to date"), "\(said)")
    #expect(
      try shell.sh("cd sample && git status --porcelain && git log -1 --format=%s").output.contains("rent"))
    let out = try shell.sh("cat all.json").output
    // The series counts from a 31st, by which taskwarrior keeps to that day.
    let series = out.split(separator: "\n").first {
      $0.contains("\"recurring\"") && $0.contains("Pay the rent")
    }
    #expect(series?.contains("\"due\":\"20270130T230000Z\"") ?? false, "\(series ?? "")")
    #expect(series?.contains("\"mask\":\"+-\"") ?? false)
    try shell.sh("slip init -q new && cd new && slip import ../all.json")
    #expect(
      try shell.sh("cd new && slip list Pay rent --format '{due} {recur}'").output
        == "2027-02-28 monthly on 31\n")
  }

  @Test func numbersStayNumbers() throws {
    try bring(
      #"[{"uuid":"u","description":"A","status":"pending","entry":"20261101T093015Z","estimate":3.5,"size":4,"code":"12"}]"#,
      "tasks.json")
    let out = try shell.sh("cd box && slip export taskwarrior").output
    #expect(out.contains(#""estimate":3.5,"size":4,"code":"12""#), "\(out)")
  }

  @Test func aTaskEndsOnTheDayThatItSays() throws {
    try shell.sh("cd box && slip new task X due:2026-12-01 -q && slip finish X finished:2026-11-02")
    #expect(try shell.sh("cd box && slip export taskwarrior").output.contains("\"end\":\"20261101T230000Z\""))
    #expect(try shell.sh("cd box && slip export ical").output.contains("COMPLETED:20261101T230000Z"))
  }

  @Test func theNextRecordIsFiledByItsCreationDate() throws {
    try shell.sh("cd box && slip new task R due:2027-02-10 recur:monthly -q && slip finish R")
    let paths = try shell.sh("cd box && slip list R --paths").output.split(separator: "\n")
    #expect(paths.count == 2 && paths.allSatisfy { $0.hasPrefix("2026/11/") }, "\(paths)")
  }

  /// Two devices finish a task in different months: there is one next record.
  @Test func oneNextRecordComesOfTwoMonths() throws {
    func at(_ minutes: Int, _ box: String, _ command: String) throws {
      let ran = try shell.sh("cd \(box) && FIXED_SEED=\(minutes) \(command)")
      #expect(ran.status == 0, "\(ran)")
    }
    try shell.sh("git init -q --bare -b main hub && cd box && slip remote add ../hub")
    try at(0, "box", "slip new task R due:2026-11-28 recur:weekly -q")
    try at(1, "box", "slip sync")
    try shell.sh("git clone -q hub phone")
    try at(2, "box", "slip finish R")
    try at(2 + 15 * 1440, "phone", "slip finish R")
    try at(3, "box", "slip sync")
    try at(4 + 15 * 1440, "phone", "slip sync")
    try at(5 + 15 * 1440, "box", "slip sync")
    for box in ["box", "phone"] {
      #expect(try shell.sh("cd \(box) && slip list R is:active --count").output == "1\n")
    }
    #expect(try shell.sh("diff -r box/2026 phone/2026").output == "")
  }

  // MARK: Tables and books

  @Test func aFormatTypedAsAFileIsExplained() throws {
    let said = try shell.sh("cd box && slip import goodreads books.csv")
    #expect(said.status == 66 && said.errors.contains("slip import --as goodreads books.csv"), "\(said)")
    #expect(
      try shell.sh("cd box && slip import goodreads").errors.contains("slip import --as goodreads FILE"))
  }

  @Test func aShelfOfOnesOwnIsAStateIfTheKindHasIt() throws {
    let header = "Book Id,Title,Author,My Rating,Date Read,Date Added,Bookshelves,Exclusive Shelf"
    let books = "\(header)\n1,A,X,0,,2026/01/02,dnf,dnf\n2,B,Y,0,odd,2026/01/02,,read\n"
    let said = try bring(books, "books.csv")
    #expect(said.contains("2 books imported") && said.contains("books.csv:3: Date Read: odd"), "\(said)")
    let listing = "slip list kind:book --format '{title} {status} {tags} {started}'"
    #expect(try shell.sh("cd box && \(listing)").output == "A on-shelf dnf \nB completed  \n")
    try shell.folder.write(
      "new/.slipbox/kinds/book.yaml",
      "extends: book\nfields:\n  status: {type: choice, values: [on-shelf, in-progress, completed, dnf], default: on-shelf}\n"
    )
    try shell.sh("slip init -q new")
    let other = try shell.sh("cd new && slip import ../books.csv; \(listing)")
    #expect(other.output == "A dnf dnf \nB completed  \n", "\(other)")
  }

  @Test func columnsCanBeGivenAField() throws {
    let said = try bring("Name,Seen\nAlien,2026-01-02\n", "films.csv", "--map name=title --map Seen=seen-on")
    #expect(said.contains("1 note imported"), "\(said)")
    #expect(try shell.sh("cd box && slip list --format '{title} {seen-on}'").output == "Alien 2026-01-02\n")
    #expect(try shell.sh("cd box && slip import ../films.csv --map Name").errors.contains("COLUMN=FIELD"))
    #expect(
      try shell.sh("cd box && slip import ../films.csv --map Nam=title").errors.contains(
        "there is no column Nam"))
    try bring("Title: x\n", "todo.txt")
    #expect(
      try shell.sh("cd box && slip import ../todo.txt --map a=b").errors.contains("for tables and JSON"))
  }

  @Test func recordsAndGroupsAreCounted() throws {
    let said = try bring("A +P\nB +Q\nC +Q\n")
    #expect(said.hasPrefix("3 tasks, 2 groups imported"), "\(said)")
  }

  @Test func aSyncCountsNotesAlone() throws {
    try shell.sh("git init -q --bare -b main hub && cd box && slip remote add ../hub")
    #expect(try shell.sh("cd box && slip sync").output.contains("1 commit, no note changed"))
    try shell.sh("cd box && slip new One -q && echo x > a.txt")
    #expect(try shell.sh("cd box && slip sync").output.contains("1 commit, 1 new\n"))
  }

  // MARK: Refusals and hints

  @Test func aFieldThatNoNoteHasIsNamed() throws {
    try shell.sh("cd box && slip new task A due:2026-12-01 -q")
    let said = try shell.sh("cd box && slip export ical --date finishd")
    #expect(said.errors.contains("no note has a field finishd; did you mean finished"), "\(said)")
    #expect(!(try shell.sh("cd box && slip export ical --date due").errors.contains("no note has")))
  }

  @Test func aFolderWithFilesOfOthersIsNoSite() throws {
    try shell.folder.write("home/.profile", "x")
    let said = try shell.sh("cd box && slip export html -o ../home")
    #expect(said.status == 73 && said.errors.contains(".profile"), "\(said)")
    #expect(
      try shell.sh("cd box && slip new A -q && git init -q ../pages && slip export html -o ../pages").status
        == 0)
  }
}
