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
