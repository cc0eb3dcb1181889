/// What the checks are for, in the words of `slip doctor --explain`.
extension Finding.Rule {
  /// What is looked for.
  package var purpose: String {
    switch self {
    case .frontMatter:
      "invalid YAML in front matter, duplicate keys, bytes that aren't UTF-8"
    case .kinds:
      "records that are invalid for their kind: missing fields, values that aren't allowed, violated constraints"
    case .references: "references to missing records, and ambiguous references"
    case .dependencies:
      "dependency cycles between records"
    case .attachments:
      "images, audio, video, documents and archives that no note links to, embeds or mentions"
    case .links: "broken and ambiguous wiki links and relative Markdown links"
    case .duplicates: "duplicate ids, and duplicate keys in a kind"
    case .ids: "notes without an id; they are identified by path, so this is checked only on request"
    case .types:
      "numbers, true and false in quotes, in fields that no kind declares; checked only on request"
    case .declarations:
      "invalid kinds, templates, queries and settings in .slipbox"
    case .unreadable: "notes with unreadable files"
    case .merge: "conflict markers of unfinished merges"
    case .dates: "notes with a creation date in the future"
    case .names: "paths that differ only in case or Unicode composition, which are one path on other systems"
    case .copies: "conflicted copies made by sync programs"
    case .temporaries: "temporary files of interrupted changes"
    case .drafts: "unfinished drafts and unsaved texts"
    case .driver: "a clone without slip's merge driver"
    case .locks: "stale git locks, which block all commits"
    case .objects:
      "corrupt or missing git objects: of the files of the last commit and of the 5,000 commits before it, "
        + "of 2,000 loose objects,  and of up to 256 MB of packs"
    case .repositories: "nested repositories, whose files aren't notes"
    case .upkeep:
      "a repository with many loose objects, many packs, or many commits without a commit-graph"
    }
  }

  /// What `--fix` does about it.
  package var treatment: String {
    switch self {
    case .kinds: "--fix corrects obvious misspellings of values; fix the rest by hand"
    case .references:
      "--fix removes dangling references if the kind says detach, --fix=references all optional ones"
    case .duplicates: "--fix gives the later note a new id; fix keys by hand"
    case .ids: "--fix=ids gives each of them one"
    case .types: "--fix=types removes the quotes, so they are numbers and booleans in JSON"
    case .temporaries: "--fix deletes those with content that is in git"
    case .copies: "--fix deletes identical copies; fix the rest by hand"
    case .driver: "--fix registers it, in the git directory alone"
    case .dependencies: "by hand: slip set REF depends:-OTHER"
    case .attachments: "by hand: --fix deletes nothing that you may need"
    case .links: "--fix rewrites links to a moved file; fix the rest by hand"
    case .frontMatter, .merge: "by hand: slip edit REF"
    case .dates: "by hand: slip set REF created:DATE"
    case .drafts: "by hand: slip new --draft NAME continues one, rm FILE deletes it"
    case .objects:
      "by hand: rewrite an object from its file, or fetch it; git fsck --full checks all"
    case .upkeep: "by hand: slip tidy"
    case .unreadable, .names, .declarations, .locks, .repositories: "by hand"
    }
  }
}
