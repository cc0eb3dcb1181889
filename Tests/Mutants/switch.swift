internal import Glibc

/// The number of the mutation that is turned on, or -1.
@usableFromInline let activeMutant: Int = getenv("SLIPBOX_MUTANT").flatMap { Int(String(cString: $0)) } ?? -1
/// The file that gets the numbers of the mutations that the tests reach, or -1.
@usableFromInline let reachedMutants: Int32 =
  getenv("SLIPBOX_MUTANTS_REACHED").map { open($0, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0o600) } ?? -1
nonisolated(unsafe) let seenMutants: UnsafeMutablePointer<UInt8> = {
  let seen = UnsafeMutablePointer<UInt8>.allocate(capacity: 1 << 16)
  seen.initialize(repeating: 0, count: 1 << 16)
  return seen
}()

@usableFromInline func mutant(_ number: Int) -> Bool {
  if reachedMutants >= 0, seenMutants[number] == 0 {
    seenMutants[number] = 1
    let line = Array("\(number)\n".utf8)
    _ = write(reachedMutants, line, line.count)
  }
  return activeMutant == number
}

@usableFromInline func mutantLess<T: Comparable>(_ number: Int, _ left: T, _ right: T) -> Bool {
  mutant(number) ? left <= right : left < right
}
@usableFromInline func mutantLessOrEqual<T: Comparable>(_ number: Int, _ left: T, _ right: T) -> Bool {
  mutant(number) ? left < right : left <= right
}
@usableFromInline func mutantGreater<T: Comparable>(_ number: Int, _ left: T, _ right: T) -> Bool {
  mutant(number) ? left >= right : left > right
}
@usableFromInline func mutantGreaterOrEqual<T: Comparable>(_ number: Int, _ left: T, _ right: T) -> Bool {
  mutant(number) ? left > right : left >= right
}
@usableFromInline func mutantAnd(_ number: Int, _ left: Bool, _ right: @autoclosure () throws -> Bool)
  rethrows -> Bool
{
  mutant(number) ? try left || right() : try left && right()
}
@usableFromInline func mutantOr(_ number: Int, _ left: Bool, _ right: @autoclosure () throws -> Bool) rethrows
  -> Bool
{
  mutant(number) ? try left && right() : try left || right()
}
@usableFromInline func mutantPlus<T: AdditiveArithmetic>(_ number: Int, _ left: T, _ right: T) -> T {
  mutant(number) ? left - right : left + right
}
@usableFromInline func mutantMinus<T: AdditiveArithmetic>(_ number: Int, _ left: T, _ right: T) -> T {
  mutant(number) ? left + right : left - right
}
@usableFromInline func mutantAdd<T: AdditiveArithmetic>(_ number: Int, _ left: inout T, _ right: T) {
  if mutant(number) { left -= right } else { left += right }
}
@usableFromInline func mutantSubtract<T: AdditiveArithmetic>(_ number: Int, _ left: inout T, _ right: T) {
  if mutant(number) { left += right } else { left -= right }
}
