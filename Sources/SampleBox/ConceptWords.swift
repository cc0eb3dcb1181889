/// Ideas from which more notes are combined than anybody wrote.
enum ConceptWords {
  struct Concept: Sendable {
    let name: String
    let tag: String
    let sentences: [String]

    fileprivate init(_ name: String, _ tag: String, _ sentences: String...) {
      self.name = name
      self.tag = tag
      self.sentences = sentences
    }
  }

  static let titles = [
    "{One} and {two}", "{One} without {two}", "{One} as a form of {two}", "Between {one} and {two}",
    "What {one} owes to {two}", "How {one} changes {two}", "{One} comes before {two}",
  ]

  static let concepts = [
    Concept(
      "memory", "memory", "Memory keeps places better than dates.", "What is remembered was looked at twice."),
    Concept(
      "habit", "attention", "A habit is a decision that need not be made again.",
      "Habits are easier to move than to end."),
    Concept(
      "repair", "craft", "Repair begins with understanding why it broke.",
      "A repaired thing is known better than a new one."),
    Concept(
      "translation", "language", "Every translation chooses what to lose.",
      "The untranslatable words are mostly the short ones."),
    Concept(
      "walking", "city", "Walking is slow enough to notice doors.",
      "A route walked often becomes a list of thoughts."),
    Concept(
      "silence", "attention", "Silence in a conversation is usually work.",
      "A quiet room is not the same as a quiet hour."),
    Concept(
      "measurement", "craft", "What is measured begins to be improved, whether it matters or not.",
      "Two measurements that agree may share one mistake."),
    Concept(
      "play", "learning", "Play is practice without an examiner.",
      "The rules of a game are what makes it free."),
    Concept("trust", "people", "Trust is built in small change.", "It saves more time than any tool."),
    Concept(
      "craft", "craft", "Craft is judgement that has gone into the hands.",
      "It can be shown sooner than it can be explained."),
    Concept(
      "weather", "garden", "Weather is remembered by what it spoilt.",
      "Forecasts are believed more when they are wrong in detail."),
    Concept(
      "maintenance", "craft", "Maintenance is invisible where it is done.", "Nobody opens a bridge twice."),
    Concept(
      "reading", "reading", "Reading with a pencil is another activity than reading.",
      "A book is finished when it has been disagreed with."),
    Concept(
      "slowness", "attention", "Slowness is sometimes the fast way.",
      "It has to be defended, because it never looks urgent."),
    Concept(
      "copying", "learning", "Copying by hand shows where the difficulties are.",
      "Those who copy everything find out what they would do differently."),
    Concept(
      "order", "writing/notes", "Order made for finding differs from order made for looking.",
      "Too much of it is a way to put off the work."),
    Concept("error", "learning", "An error that is noticed at once is cheap.", "Errors come in families."),
    Concept(
      "distance", "people", "Distance makes letters longer and calls shorter.",
      "From far away the pattern shows, from near the material."),
    Concept(
      "teaching", "learning", "Teaching finds the holes in what one knows.",
      "The best question in class is the one the teacher can't answer."),
    Concept(
      "light", "city", "Light from one side gives things a shape.", "A room is used where the light falls."),
    Concept(
      "improvisation", "music", "Improvisation needs more preparation than a score does.",
      "It is memory in another order."),
    Concept(
      "storage", "software", "Whatever is stored will have to be moved.",
      "A format that can be read without its program is the only archive."),
    Concept(
      "hospitality", "people", "Hospitality is the art of the second chair.",
      "A good host leaves something undone for the guest to do."),
    Concept(
      "patience", "garden", "Patience is easier with something to look at.",
      "Gardens teach it by refusing everything else."),
  ]

  static let bridges = [
    "I noticed this on a walk and have been looking for a counterexample since.",
    "It holds for work as much as for the garden.", "An old teacher said so, and I did not believe it then.",
    "The opposite is true as well, on other days.",
    "I would like to find out whether anybody has written about this.",
    "It explains why last year's plan did not work.",
    "There is an example in nearly every book on the shelf.",
  ]

  static let links = [
    "See [[{title}]].", "This is the other side of [[{title}]].",
    "Compare [[{title}]], where the same happens more slowly.",
    "It seems to contradict [[{title}]], and I do not know yet which of the two is right.",
    "Follows from [[{title}]].", "I came to this from [[{title}]].",
  ]
}

/// Notes written by hand, by which a sample box begins.
struct WrittenNote: Sendable {
  let title: String
  let tags: [String]
  let sentences: [String]

  private init(_ title: String, _ tags: [String], _ sentences: String...) {
    self.title = title
    self.tags = tags
    self.sentences = sentences
  }

  static let all = [
    WrittenNote(
      "A note should say one thing", ["writing/notes"],
      "If the title needs an and, there are two notes in it.",
      "A small note can be linked from anywhere, a long one only from where its topic comes up as a whole."),
    WrittenNote(
      "Titles are promises", ["writing/notes"],
      "A title that is a sentence can be agreed or disagreed with.",
      "A title that is a topic only says where to put more of the same."),
    WrittenNote(
      "Rereading feels like learning", ["memory"],
      "Text that is familiar is taken for text that is known.",
      "The feeling goes away as soon as the book is closed and somebody asks."),
    WrittenNote(
      "Recall strengthens memory more than review", ["memory"],
      "Trying to remember, even in vain, does more than reading the answer once more.",
      "The effort is the point, so it should not be made too easy."),
    WrittenNote(
      "Spacing beats cramming", ["memory"],
      "The same hours, spread over weeks, leave more behind.",
      "A little forgetting between two sessions seems to be needed."),
    WrittenNote(
      "Sourdough is a matter of temperature", ["cooking/bread"],
      "Two degrees change the rise more than half an hour does.",
      "The recipe that says four hours was written in somebody's warm kitchen."),
    WrittenNote(
      "Salt slows fermentation", ["cooking/bread"],
      "Added late, it lets the dough get a head start.",
      "Two per cent of the flour's weight is where most bakers end up."),
    WrittenNote(
      "Weigh, do not measure", ["cooking"],
      "A cup of flour is anything between 110 and 160 grams.",
      "Scales make it possible to repeat a good loaf, and to know what was different about a bad one."),
    WrittenNote(
      "Sharp tools are safer", ["craft/wood"],
      "A blunt chisel needs force, and force slips.",
      "Most accidents in the workshop begin with an edge that should have been honed an hour ago."),
    WrittenNote(
      "Measure from one side only", ["craft/wood"],
      "Errors add up when each piece is measured from the last one.",
      "One reference edge, and everything from there."),
    WrittenNote(
      "Wood moves across the grain", ["craft/wood"],
      "A table top a metre wide grows and shrinks by most of a centimetre over a year.",
      "Joints have to let it, or the wood makes its own room."),
    WrittenNote(
      "Healthy soil is mostly holes", ["garden/soil"],
      "Half of the volume should be air and water.",
      "Digging makes more of them for a month and fewer for years."),
    WrittenNote(
      "Compost needs air more than time", ["garden/soil"],
      "A heap that is turned is done in months, one that is left takes years and smells.",
      "Twigs at the bottom do half of the turning."),
    WrittenNote(
      "Plant for the tenth year", ["garden"],
      "A shrub looks lonely for three seasons and is too big from the eighth on.",
      "The gaps can be filled with annuals meanwhile."),
    WrittenNote(
      "Cities grow along their old paths", ["city"],
      "The bend in the high street is where the cattle avoided a pond.",
      "Buildings go within decades, plots within centuries, streets hardly ever."),
    WrittenNote(
      "A bench makes a square", ["city"],
      "Where people can sit, others stop to talk to them.",
      "Counting those who sit down tells more about a place than counting those who pass."),
    WrittenNote(
      "Attention is spent, not saved", ["attention"],
      "An hour that was kept free is gone in the evening, used or not.",
      "What can be arranged is only what stands nearest when it is spent."),
    WrittenNote(
      "Interruptions cost twice", ["attention"],
      "Once for the minutes, and once for finding the way back.",
      "A line about what comes next, written before getting up, pays for most of the second."),
    WrittenNote(
      "Write the last sentence first", ["writing"],
      "Whoever knows where a text ends can leave out what does not lead there.",
      "The sentence may be wrong by the time the text reaches it, which is useful to know too."),
    WrittenNote(
      "Drafts hide in conversations", ["writing"],
      "The clearest version of a thought is often the third time it is said to somebody.",
      "Write it down afterwards, as it was said."),
    WrittenNote(
      "Maps leave out most of the land", ["maps"],
      "A map that showed everything would be as hard to read as the place.",
      "What was left out is the opinion of the one who drew it."),
    WrittenNote(
      "Checklists are for experts", ["craft"],
      "Beginners look at every step because they have to.",
      "Those who have done it a thousand times are the ones who skip the fourth."),
    WrittenNote(
      "Names outlive their reasons", ["language"],
      "The new bridge is three hundred years old, and the mill road has no mill.",
      "A name is kept because changing it would cost everybody something."),
    WrittenNote(
      "Small tools combine", ["software"],
      "A program that does one thing and writes plain text can be used by programs that did not exist then.",
      "The text between them is the real interface."),
  ]
}
