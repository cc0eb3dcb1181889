// swift-tools-version: 6.2
import PackageDescription

let strict: [SwiftSetting] = [
  .swiftLanguageMode(.v6),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .treatAllWarnings(as: .error),
]

/// Results that say which value their memory belongs to; scripts/house refuses raw pointers.
let lifetimes: [SwiftSetting] = [.enableExperimentalFeature("Lifetimes")]

/// A module of the package with the settings that all of them share, and its own.
func module(
  _ name: String, _ dependencies: [Target.Dependency] = [], resources: [Resource]? = nil,
  settings: [SwiftSetting] = []
) -> Target {
  .target(name: name, dependencies: dependencies, resources: resources, swiftSettings: strict + settings)
}

/// Tests spend their time in the modules that they test, so scripts/test optimises these alone: it sets the variable.
let unoptimised: [SwiftSetting] =
  Context.environment["SLIPBOX_PLAIN_TESTS"] == "1" ? [.unsafeFlags(["-Onone"])] : []

/// The tests of a module.
func tests(_ name: String, _ dependencies: [Target.Dependency]) -> Target {
  .testTarget(name: name, dependencies: dependencies, swiftSettings: strict + unoptimised)
}

/// One of Debian's C libraries, found through pkg-config.
func library(_ name: String, pkgConfig: String, package: String) -> Target {
  .systemLibrary(name: name, pkgConfig: pkgConfig, providers: [.apt([package])])
}

/// libgit2: a shared library, or linked into the program without what reaches servers; see scripts/static-git.
let libgit2: Target =
  Context.environment["SLIPBOX_STATIC_GIT"] == "1"
  ? .target(
    name: "CLibgit2", path: "Sources/CLibgit2Static",
    linkerSettings: ["git2", "mbedcrypto", "http_parser", "pcre2-8", "z"].map { name in
      .linkedLibrary(":lib\(name).a")
    })
  : library("CLibgit2", pkgConfig: "libgit2", package: "libgit2-dev")

/// The commit that the Makefile builds, for `slip --version`. Only the small CRevision is compiled again for another one.
let revision = Context.environment["SLIPBOX_REVISION"].flatMap { text in
  text.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "-._".contains($0)) } && !text.isEmpty
    ? text : nil
}

let package = Package(
  name: "slipbox",
  products: [
    .executable(name: "slip", targets: ["slip"]), .executable(name: "slip-page", targets: ["slip-page"]),
  ],
  dependencies: [
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.0"),
    .package(url: "https://github.com/apple/swift-nio", from: "2.101.2"),
  ],
  targets: [
    libgit2,
    library("CLibyaml", pkgConfig: "yaml-0.1", package: "libyaml-dev"),
    library("CUTF8Proc", pkgConfig: "libutf8proc", package: "libutf8proc-dev"),
    library("CCmark", pkgConfig: "libcmark-gfm", package: "libcmark-gfm-dev"),
    .target(name: "CArguments"),
    .target(
      name: "CRevision", cSettings: revision.map { [.define("SLIPBOX_REVISION", to: "\"\($0)\"")] } ?? []),
    module("Bytes", settings: lifetimes),
    module("Platform", ["Bytes", "CArguments"]),
    module("Git", ["Platform", "Bytes", "CLibgit2"]),
    module("Text", ["Bytes", "CUTF8Proc"]),
    module("Notes", ["Text", "Bytes", "CLibyaml"], settings: lifetimes),
    module("NoteIndex", ["Notes", "Text", "Bytes"], settings: lifetimes),
    module("Foreign", ["Notes", "Text", "Bytes"]),
    module("SampleBox", ["Notes", "Text"]),
    module("SlipboxCore", ["NoteIndex", "Foreign", "Notes", "Text", "Git", "Platform", "Bytes"]),
    module(
      "Presentation",
      ["SlipboxCore", "NoteIndex", "Foreign", "Notes", "Text", "Git", "Platform", "Bytes", "CCmark"],
      resources: [.embedInCode("Scripts")]),
    module(
      "SlipboxLSP",
      ["Presentation", "SlipboxCore", "NoteIndex", "Notes", "Text", "Platform", "Bytes"]),
    module(
      "SlipboxScreen",
      ["Git", "Presentation", "SlipboxCore", "NoteIndex", "Notes", "Text", "Platform", "Bytes"]),
    module("SlipboxHost", ["SlipboxCore", "Notes", "Platform"]),
    .target(
      name: "SlipboxPage",
      dependencies: [
        "Presentation", "SlipboxCore", "NoteIndex", "Foreign", "Notes", "Text", "Git", "Platform", "Bytes",
      ],
      exclude: ["jsconfig.json", "page-types.d.ts"],
      resources: [.embedInCode("Assets")],
      swiftSettings: strict),
    module(
      "SlipboxCLI",
      [
        "SlipboxHost", "SlipboxLSP", "SlipboxScreen", "SlipboxCore", "NoteIndex", "Foreign", "Notes", "Text",
        "Git",
        "Platform", "Bytes",
        "Presentation", "SampleBox",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ]),
    .executableTarget(name: "slip", dependencies: ["SlipboxCLI", "CRevision"], swiftSettings: strict),
    .executableTarget(
      name: "slip-page",
      dependencies: [
        "SlipboxPage", "SlipboxHost", "SlipboxCore", "Text", "Platform", "Bytes",
        .product(name: "NIOCore", package: "swift-nio"), .product(name: "NIOPosix", package: "swift-nio"),
        .product(name: "NIOHTTP1", package: "swift-nio"),
      ],
      swiftSettings: strict),
    module("SlipboxBench", ["Platform", "Bytes"]),
    .executableTarget(name: "slipbox-bench", dependencies: ["SlipboxBench"], swiftSettings: strict),
    .executableTarget(
      name: "fixed-slip", dependencies: ["SlipboxCLI", "SlipboxHost", "SampleBox", "Notes"],
      path: "Tests/FixedSlip", swiftSettings: strict),
    .target(
      name: "SlipboxTesting", dependencies: ["Platform"], path: "Tests/SlipboxTesting",
      swiftSettings: strict),
    tests("BytesTests", ["Bytes", "SlipboxTesting"]),
    tests("PlatformTests", ["Platform", "Bytes", "SlipboxTesting"]),
    tests("GitTests", ["Git", "Platform", "Bytes", "SlipboxTesting"]),
    tests("TextTests", ["Text", "Bytes"]),
    tests(
      "PresentationTests",
      ["Presentation", "SlipboxCore", "NoteIndex", "Notes", "Text", "Bytes", "SlipboxTesting"]),
    tests("NotesTests", ["Notes", "Text", "Bytes", "CCmark", "SlipboxTesting"]),
    tests("NoteIndexTests", ["NoteIndex", "Notes", "Text", "Bytes"]),
    tests("ForeignTests", ["Foreign", "Notes", "Bytes", "SlipboxTesting"]),
    tests("SampleBoxTests", ["SampleBox", "Notes"]),
    tests(
      "SlipboxCoreTests",
      [
        "SlipboxCore", "SampleBox", "Foreign", "NoteIndex", "Notes", "Git", "Platform", "Bytes",
        "SlipboxTesting",
      ]),
    tests(
      "SlipboxLSPTests",
      ["SlipboxLSP", "SlipboxCore", "NoteIndex", "Notes", "Text", "Platform", "Bytes", "SlipboxTesting"]),
    tests(
      "SlipboxPageTests",
      [
        "SlipboxPage", "Presentation", "SlipboxCore", "NoteIndex", "Notes", "Platform", "Bytes",
        "SlipboxTesting",
      ]),
    tests(
      "SlipboxScreenTests",
      [
        "SlipboxScreen", "Presentation", "SlipboxCore", "NoteIndex", "Notes", "Text", "Platform", "Bytes",
        "SlipboxTesting",
      ]),
    tests("BenchTests", ["SlipboxBench", "fixed-slip", "SlipboxTesting"]),
    tests(
      "SlipboxCLITests",
      [
        "SlipboxCLI", "SlipboxCore", "Presentation", "Notes", "Text", "fixed-slip", "slip-page",
        "SlipboxTesting",
      ]),
  ]
)

// SLIPBOX_TESTS limits the package to some test modules and to what they need, for builds that take long.
if let names = Context.environment["SLIPBOX_TESTS"]?.split(separator: ",").map(String.init) {
  var needed: [String] = []
  var next = names
  while let name = next.popLast() {
    guard !needed.contains(name), let target = package.targets.first(where: { $0.name == name }) else {
      continue
    }
    needed.append(name)
    for case .byNameItem(let dependency, _) in target.dependencies { next.append(dependency) }
  }
  package.targets.removeAll { !needed.contains($0.name) }
  package.products = []
}
