/// What the checks are for, in the words of `slip doctor --explain`.
extension Finding.Rule {
  /// What is looked for.
  package var purpose: String {
    switch self {
    case .frontMatter:
      "front-matter that is not valid YAML, keys that stand there twice, bytes that are not UTF-8"
    case .kinds:
      "records that break their kind: a field that is missing, of no allowed value, or out of order"
    case .references: "references to a record that is not there, or to several of one name"
    case .dependencies:
      "records that depend on themselves by way of others, so that none can be finished first"
    case .attachments:
      "pictures, sounds, films, documents and archives that no note links to, embeds or names"
    case .links: "wiki links, and Markdown links to a path beside the note, that lead to no note and no file"
    case .duplicates: "notes with one id, records of one kind with one key"
    case .ids: "notes without an id, which go by their path: no fault, so looked for on request alone"
    case .declarations:
      "kinds and templates in .slipbox that can't be used, queries in them, and settings that will not do"
    case .unreadable: "notes whose file can't be read"
    case .merge: "markers of a merge that was not finished"
    case .dates: "notes whose creation date lies in the future"
    case .names: "paths that differ only in case or in how letters are composed: one path to other systems"
    case .copies: "copies that sync programs make of two versions of one file"
    case .temporaries: "files left over by a change that was interrupted"
    case .drafts: "drafts that an editor left and texts that could not be saved, which are in no note"
    case .driver: "a clone in which git does not merge notes by slip's driver"
    case .locks: "locks of git's where no git is at work: no program can write past them"
    case .objects:
      "git's objects that are damaged or missing: of the files of the last commit and of the 5,000 commits before it, "
        + "of 2,000 in files of their own, and of up to 256 MB of packs"
    case .repositories: "folders in the box that are repositories of their own: none of their files is a note"
    case .upkeep:
      "a repository of many objects in files of their own, of many packs, or of many commits without a commit-graph"
    }
  }

  /// What `--fix` does about it.
  package var treatment: String {
    switch self {
    case .kinds: "--fix sets values that are surely meant otherwise, the rest is by hand"
    case .references:
      "--fix takes those to nothing out where the kind says detach, --fix=references all that need not be there"
    case .duplicates: "--fix gives the later note a new id, keys are mended by hand"
    case .ids: "--fix=ids gives each of them one"
    case .temporaries: "--fix deletes those whose content git has"
    case .copies: "--fix deletes those that are the same as the file they are a copy of, the rest is by hand"
    case .driver: "--fix registers it, in the git directory alone"
    case .dependencies: "by hand: slip set REF depends:-OTHER"
    case .attachments: "by hand: nothing that may be wanted is deleted"
    case .links: "--fix rewrites links to a file that another program moved, the rest is by hand"
    case .frontMatter, .merge: "by hand: slip edit REF"
    case .dates: "by hand: slip set REF created:DATE"
    case .drafts: "by hand: slip new --draft NAME goes on with one, rm FILE throws it away"
    case .objects:
      "by hand: write an object again from its file, or fetch it again; git fsck --full looks at all"
    case .upkeep: "by hand: slip tidy"
    case .unreadable, .names, .declarations, .locks, .repositories: "by hand"
    }
  }
}
