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
