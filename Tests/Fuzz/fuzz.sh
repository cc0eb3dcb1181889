#!/bin/sh
# Builds one fuzz target in a temporary folder and runs it: fuzz.sh FrontMatterFuzz 180 [CORPUS-FOLDER]
set -eu
[ $# -ge 2 ] || { echo "usage: fuzz.sh TARGET SECONDS [CORPUS-FOLDER]" >&2; exit 64; }
target=$1 seconds=$2
root=$(cd "$(dirname "$0")/../.." && pwd)
folder=$(mktemp -d "${TMPDIR:-/tmp}/slipbox-fuzz-XXXXXX")
trap 'rm -rf "$folder"' EXIT
trap 'exit 130' INT TERM
corpus=${3:-$folder/corpus}
mkdir -p "$folder/Sources/$target" "$corpus"
# Only what the target imports is built.
folders="CLibyaml CUTF8Proc Bytes Text Notes" index="" core="" modules='"Notes", "Text", "Bytes"'
if grep -q 'import NoteIndex' "$root/Tests/Fuzz/$target.swift"; then
  folders="$folders NoteIndex" modules="$modules, \"NoteIndex\""
  index='.target(name: "NoteIndex", dependencies: ["Notes", "Text", "Bytes"], swiftSettings: strict),'
fi
if grep -q 'import SlipboxCore' "$root/Tests/Fuzz/$target.swift"; then
  folders="$folders CLibgit2 Git Platform Foreign SlipboxCore" modules="$modules, \"Platform\", \"SlipboxCore\""
  core='.systemLibrary(name: "CLibgit2", pkgConfig: "libgit2"),
    .target(name: "Platform", dependencies: ["Bytes"], swiftSettings: strict),
    .target(name: "Git", dependencies: ["CLibgit2", "Platform", "Bytes"], swiftSettings: strict),
    .target(name: "Foreign", dependencies: ["Notes", "Text", "Bytes"], swiftSettings: strict),
    .target(
      name: "SlipboxCore", dependencies: ["NoteIndex", "Foreign", "Notes", "Text", "Git", "Platform", "Bytes"],
      swiftSettings: strict),'
fi
for module_folder in $folders; do ln -s "$root/Sources/$module_folder" "$folder/Sources/"; done
ln -s "$root/Tests/Fuzz/$target.swift" "$folder/Sources/$target/$target.swift"
cat > "$folder/Package.swift" <<MANIFEST
// swift-tools-version: 6.2
import PackageDescription

let strict: [SwiftSetting] = [
  .swiftLanguageMode(.v6), .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"), .enableUpcomingFeature("MemberImportVisibility"),
]
let package = Package(
  name: "slipbox",
  targets: [
    .systemLibrary(name: "CLibyaml", pkgConfig: "yaml-0.1"),
    .systemLibrary(name: "CUTF8Proc", pkgConfig: "libutf8proc"),
    .target(
      name: "Bytes", swiftSettings: strict + [.enableExperimentalFeature("Lifetimes")]),
    .target(name: "Text", dependencies: ["Bytes", "CUTF8Proc"], swiftSettings: strict),
    .target(name: "Notes", dependencies: ["Text", "Bytes", "CLibyaml"], swiftSettings: strict),
    $index
    $core
    .executableTarget(name: "$target", dependencies: [$modules], swiftSettings: strict),
  ]
)
MANIFEST
cd "$folder"
swift build -c release --sanitize fuzzer -Xswiftc -parse-as-library -Xswiftc -enable-testing >&2
crashes=${FUZZ_CRASHES:-$root/.build/fuzz}
mkdir -p "$crashes"
SWIFT_BACKTRACE=enable=no ".build/release/$target" -max_total_time="$seconds" -max_len=4096 -timeout=10 \
  -artifact_prefix="$crashes/$target-" "$corpus"
