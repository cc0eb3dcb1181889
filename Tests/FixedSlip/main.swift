import Glibc
import Notes
import SlipboxCLI
import SlipboxHost
import SlipboxTesting

// `slip` with a clock that stands still: transcripts need the same times and ids on every run. The time moves and the
// seed changes only as FIXED_SEED says, which a transcript counts up with each command. FIXED_PATIENCE says after how many
// milliseconds a long command shows how far it is.

let seed = getenv("FIXED_SEED").flatMap { UInt64(String(cString: $0)) } ?? 1
let patience = getenv("FIXED_PATIENCE").flatMap { Int64(String(cString: $0)) } ?? 500
let start: Int64 = 1_795_249_800  // 2026-11-21T09:30:00+01:00
let now = Timestamp(seconds: start + Int64(seed) * 60, offsetSeconds: 3_600)

Program.main(
  in: CommandEnvironment(
    clock: { ClockReading(now: now, offset: { _ in 3_600 }) }, random: SplitMix64(seed: seed),
    device: { "desk" }, patienceMilliseconds: patience))
