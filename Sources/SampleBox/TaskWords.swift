/// The words and sentences of the groups and tasks of a sample box.
enum TaskWords {
  /// A part of life in which every verb goes with every object.
  struct Area: Sendable {
    let tag: String
    let groups: [String]
    let verbs: [String]
    let objects: [String]
    let remarks: [String]
  }

  static let areas = [home, work, garden, travel, family]

  private static let home = Area(
    tag: "home",
    groups: [
      "The new flat", "Repairs around the house", "Kitchen renovation", "Spring cleaning", "Cellar and attic",
    ],
    verbs: ["Measure", "Clean", "Repair", "Paint", "Replace", "Take a photo of", "Get an offer for"],
    objects: [
      "the window frames", "the cellar door", "the garden gate", "the old wardrobe", "the balcony rail",
      "the hall cupboard", "the stair rail", "the kitchen table", "the garage door", "the letter box",
      "the bathroom door", "the shoe rack", "the bedside table", "the shelf in the study",
    ],
    remarks: [
      "The hardware shop closes at six.", "The ladder is at {name}'s place.",
      "Two screws of {count} millimetres are missing.", "The colour is written on the lid of the old tin.",
    ])

  private static let work = Area(
    tag: "work",
    groups: ["Museum project", "Team day", "Release of the handbook", "Hiring", "Customer visit"],
    verbs: ["Draft", "Review", "Send out", "Update", "Discuss", "Translate", "Shorten"],
    objects: [
      "the quarterly report", "the agenda for the team day", "the offer for the museum",
      "the onboarding guide",
      "the minutes of the board meeting", "the release notes", "the customer survey", "the job advertisement",
      "the price list", "the project plan", "the privacy notice", "the press release",
      "the chapter on backups",
      "the slides for the customer visit",
    ],
    remarks: [
      "{name} has the latest version.", "Two pages are enough.",
      "The numbers of last year are in the shared folder.",
      "Legal wants to see it before anybody else does.",
    ])

  private static let garden = Area(
    tag: "garden",
    groups: ["The vegetable beds", "Fruit trees", "Roses and herbs", "Compost and soil", "The south wall"],
    verbs: ["Water", "Prune", "Mulch", "Check", "Weed around", "Feed", "Take cuttings from"],
    objects: [
      "the raspberries", "the tomatoes", "the rose by the gate", "the apple tree", "the herb bed",
      "the lavender",
      "the blackcurrants", "the fig in the pot", "the climbing beans", "the old pear tree",
      "the strawberries",
      "the hydrangea", "the vine on the south wall", "the rhubarb",
    ],
    remarks: [
      "Not in the midday sun.", "The good shears are in the shed, on the left.",
      "There were greenfly on it last week.", "Half a can is enough while the nights are cool.",
    ])

  private static let travel = Area(
    tag: "travel",
    groups: [
      "Two weeks in Portugal", "Walking in Scotland", "Gotland by bicycle", "A weekend in Vienna", "The lake",
    ],
    verbs: [
      "Book", "Confirm", "Pay for", "Compare offers for", "Find the papers for", "Ask about", "Change",
    ],
    objects: [
      "the night train to Vienna", "the ferry to Gotland", "the room in Porto", "the rental car",
      "the museum tickets", "the cottage by the lake", "the sleeper to Inverness", "the bus to the trailhead",
      "the guided walk", "the campsite", "the seats for the concert", "the return journey",
      "the bicycle hire",
      "the mountain hut",
    ],
    remarks: [
      "It can be cancelled free of charge until {count} days before.", "{name} would like to come along.",
      "The cheap places go first.", "The confirmation has to be printed.",
    ])

  private static let family = Area(
    tag: "family",
    groups: ["Birthdays", "School", "Summer camp", "Grandma's eightieth", "The school play"],
    verbs: ["Buy", "Choose", "Pick up", "Order", "Ask about", "Return", "Pay for"],
    objects: [
      "the present for Grandma", "the birthday cake", "the school books", "the tickets for the circus",
      "the new bicycle helmet", "the flowers for Lena", "the costume for the play", "the swimming goggles",
      "the board game for Tom", "the winter boots", "the photo album", "the violin strings",
      "the lunch boxes",
      "the tent for the camp",
    ],
    remarks: [
      "It must not cost more than {count}0 euros.", "{name} knows the size.",
      "The blue one, if there is a choice.",
      "The receipt is in the kitchen drawer.",
    ])

  static let remarks = [
    "Should not take longer than half an hour.", "Call {name} first.",
    "This has been put off twice already.",
    "Easier in the morning.", "If it rains, do it another day.", "Write down what it cost.",
    "Half of it is done, the rest is waiting for an answer.",
    "Ask whether somebody else has done it already.",
    "{name} will help for an hour.", "Nothing else can start before this is done.",
  ]

  static let additions = [
    "with Ines", "with Jonas", "with Marta", "with Paul", "with Aylin", "before the weekend",
    "before the holidays",
    "once more", "at last",
  ]

  static let groupRemarks = [
    "Everything that has to happen before {name} comes back.",
    "What is left over from last year belongs here too.",
    "The plan is to be through with it in {count} weeks.",
    "A little every week is better than all of it at once.",
    "{name} and I share this, so look before you start.", "Costs are written into the single tasks.",
  ]

  /// Suffixes that distinguish groups of one name.
  static let seasons = [
    "spring", "summer", "autumn", "winter", "January", "Easter", "May", "July", "September", "October",
  ]
}
