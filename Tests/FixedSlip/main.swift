import Glibc
import Notes
import SampleBox
import SlipboxCLI
import SlipboxHost

// `slip` with a clock that stands still: transcripts need the same times and ids on every run. FIXED_MINUTES are those since
// the start, and the ids follow from FIXED_IDS. FIXED_SEED says both with one number. FIXED_PATIENCE says after how many
// milliseconds a long command shows how far it is.

func number(_ name: String) -> UInt64? { getenv(name).flatMap { UInt64(String(cString: $0)) } }

let minutes = number("FIXED_SEED") ?? number("FIXED_MINUTES") ?? 1
let seed = number("FIXED_SEED") ?? number("FIXED_IDS") ?? minutes
let patience = getenv("FIXED_PATIENCE").flatMap { Int64(String(cString: $0)) } ?? 500
let start: Int64 = 1_795_249_800  // 2026-11-21T09:30:00+01:00
let now = Timestamp(seconds: start + Int64(minutes) * 60, offsetSeconds: 3_600)

Program.main(
  in: CommandEnvironment(
    clock: { ClockReading(now: now, offset: { _ in 3_600 }) }, random: SampleRandom(seed: seed),
    device: { "desk" }, patienceMilliseconds: patience))
