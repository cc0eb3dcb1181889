import Bytes
import CUTF8Proc

/// Folds the scalars beyond ASCII and holds back those that may still compose with what follows them.
struct FoldingRun {
  /// Folded scalars that are not written yet.
  private var pending: [Int32] = []
  /// Whether something in `pending` may compose or be out of canonical order.
  private var needsComposition = false
  /// Whether the last thing written was invalid UTF-8, so that leaving out what follows could complete it.
  private var isAfterInvalid = false

  /// Folds one step of the text; `raw` are its bytes.
  mutating func add(_ scalar: DecodedScalar, raw: Span<UInt8>, to result: inout [UInt8]) {
    guard scalar.isValid else {
      end(in: &result)
      result.append(raw)
      isAfterInvalid = true
      return
    }
    if let folded = FoldingTable.shared[scalar.value] {
      if folded.isEmpty {
        dropped(raw, in: &result)
      } else {
        end(in: &result)
        result.append(contentsOf: folded)
      }
    } else {
      addUncommon(scalar.value, raw: raw, to: &result)
    }
  }

  /// Writes what was held back; called where something follows that composes with nothing before it.
  mutating func end(in result: inout [UInt8]) {
    isAfterInvalid = false
    guard !pending.isEmpty else { return }
    if needsComposition { Composition.compose(&pending) }
    for value in pending { result.append(scalar: UInt32(bitPattern: value)) }
    pending.removeAll(keepingCapacity: true)
    needsComposition = false
  }

  /// Leaves a scalar out, unless the bytes on both sides could then become one.
  private mutating func dropped(_ raw: Span<UInt8>, in result: inout [UInt8]) {
    guard isAfterInvalid else { return }
    result.append(raw)
    isAfterInvalid = false
  }

  private mutating func addUncommon(_ value: UInt32, raw: Span<UInt8>, to result: inout [UInt8]) {
    if FoldedScalar.isItsOwn(value) {
      hold(Int32(bitPattern: value), in: &result)
      return
    }
    let folded = FoldedScalar.fold(value)
    if folded.isEmpty { dropped(raw, in: &result) }
    for value in folded { hold(value, in: &result) }
  }

  private mutating func hold(_ value: Int32, in result: inout [UInt8]) {
    if Composition.joinsPrevious(value) {
      needsComposition = true
    } else if pending.count > 256 {
      end(in: &result)
    }
    pending.append(value)
    isAfterInvalid = false
  }
}
