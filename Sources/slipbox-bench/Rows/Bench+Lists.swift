import SlipboxBench

extension Bench {
  /// The 20 notes that were made last.
  func newest(_ count: Int) throws -> Row {
    let box = try box(.notes(count))
    let goals: [Int: [Goal]] = [
      10_000: [.ratio(to: Report.walk, below: 1.5)],
      100_000: [.ratio(to: Report.walk, below: 0.7), .megabytes(60)],
    ]
    return Row(
      slip: .program(
        "slip", in: box.path, expecting: .lines(20).beginning(with: try box.text("newest")),
        [slip, "list", "--limit", "20"]),
      others: [walk(box, atLeast: count)], goals: goals[count] ?? [])
  }

  /// Every note as JSON.
  func allAsJSON(_ count: Int) throws -> Row {
    let box = try box(.notes(count))
    let goals: [Int: [Goal]] = [100_000: [.ratio(to: Report.walk, below: 3), .megabytes(150)]]
    return Row(
      slip: .program(
        "slip", in: box.path,
        expecting: .occurrences(of: "\"path\":", count).beginning(with: "{\"schema\":1"),
        [slip, "list", "--json"]),
      others: [walk(box, atLeast: count)], goals: goals[count] ?? [])
  }

  /// Notes with a tag and two values. rg narrows them down file by file.
  func tagAndFields(_ count: Int) throws -> Row {
    let box = try box(.notes(count))
    let hits = try box.count("urgent")
    let goals: [Int: [Goal]] = [100_000: [.ratio(to: "rg", below: 0.6)]]
    return Row(
      slip: .program(
        "slip", in: box.path, expecting: .lines(hits),
        [slip, "list", "+qxtag", "status:open", "priority:high"]),
      others: [
        .program("rg", ifInstalled: programs.ripgrep, in: box.path, expecting: .lines(hits)) { rg in
          let script =
            "\(rg) -l0 '^tags:.*\\bqxtag\\b' . | xargs -0 \(rg) -l0 '^status: open$' "
            + "| xargs -0 \(rg) -l '^priority: high$'"
          return ["/bin/sh", "-c", script]
        }, walk(box, atLeast: count),
      ],
      goals: goals[count] ?? [],
      remark:
        "slip list +TAG status:open priority:high, against rg -l for each of them among the files of the last"
    )
  }

  /// One note in full. No goal of its own: a look-up must not grow with the box.
  func show(_ count: Int) throws -> Row {
    let box = try box(.notes(count))
    let path = box.facts.paths[box.facts.paths.count / 2]
    let id = String(path.dropLast(".md".count).suffix(8))
    return Row(
      slip: .program(
        "slip", in: box.path, expecting: .occurrences(of: "\nid: \(id)\n", 1), [slip, "show", id, "--raw"]),
      others: [
        .program(
          "git", in: box.path, expecting: .occurrences(of: "\nid: \(id)\n", 1), [git, "show", "HEAD:\(path)"])
      ],
      remark: "slip show ID --raw, against git show HEAD:PATH")
  }
}
