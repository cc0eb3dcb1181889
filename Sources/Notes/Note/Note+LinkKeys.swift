extension Note {
  /// The keys of the names that the note has beside its path.
  var ownNameKeys: [LinkKey] {
    let names = [id?.description, foreignID].compactMap { $0 }
    // A title that comes from the name of the file has the key of the path. A heading counts even where the file's name goes
    // before it, since the keys are those of the text alone.
    let titles = [hasOwnTitle ? title : heading?.text ?? Note.untitled] + aliases
    return names.compactMap { LinkKey(Array($0.utf8)) } + titles.flatMap { LinkKey.keys(ofTitle: $0) }
  }

  /// The keys of the names of the note.
  package var nameKeys: [LinkKey] { ownNameKeys + [LinkKey(path)].compactMap { $0 } }

  /// The keys of what the note links to.
  package var linkKeys: [LinkKey] {
    links.flatMap { link -> [LinkKey] in
      if case .name(let name) = LinkAddress(link) { name.keys } else { [] }
    }
  }
}
