import Glibc

extension BoxFolder {
  /// Puts back what a swap has moved, and removes the temporary file where nothing is lost with it.
  /// - Returns: Whether the name stands for what it stood for before, or for something later than that.
  @discardableResult
  func undo(_ swap: NameSwap) -> Bool {
    switch swap.outcome {
    case nil:
      swap.removeTemporary()
      return true
    case .made: return undoMaking(swap)
    case .exchanged: return undoExchange(swap)
    case .removed: return undoRemoval(swap)
    case .overwritten: return undoOverwriting(swap)
    }
  }

  /// Takes the new file away, unless somebody has written to it.
  private func undoMaking(_ swap: NameSwap) -> Bool {
    guard swap.rename(.toTemporaryName) == 0 else { return false }
    guard let now = try? swap.readTemporary(), now == swap.bytes else {
      _ = swap.claimOwnName(usingRenameAt2: exchangesNames)
      return false
    }
    swap.removeTemporary()
    return true
  }

  /// Exchanges back until what comes out is what was last put in: anything else was saved in between, and is
  /// later.
  private func undoExchange(_ swap: NameSwap) -> Bool {
    var lastPutIn = swap.written
    for _ in 0..<16 {
      guard let puttingIn = swap.temporaryStatus else { return false }
      let code = swap.rename(.toOwnName, LinuxCalls.renameExchange)
      // Removed by somebody: what was there before is better than nothing.
      if code == ENOENT { return swap.claimOwnName(usingRenameAt2: exchangesNames) == 0 }
      guard code == 0 else { return false }
      if let out = swap.temporaryStatus, let lastPutIn, out.hasSameContents(as: lastPutIn) {
        swap.removeTemporary()
        return true
      }
      lastPutIn = puttingIn
    }
    return false
  }

  /// Gives the old file its name again; where another has the name, that one stays.
  private func undoRemoval(_ swap: NameSwap) -> Bool {
    guard swap.claimOwnName(usingRenameAt2: exchangesNames) != 0 else { return true }
    // Contents that nobody has seen stay under the temporary name.
    if let old = try? swap.readTemporary(), old == swap.expecting { swap.removeTemporary() }
    return false
  }

  private func undoOverwriting(_ swap: NameSwap) -> Bool {
    let back = Replacement(path: swap.place.path, bytes: swap.expecting, expecting: swap.bytes)
    guard var reverse = try? prepare(back, syncing: true) else { return false }
    let isDone = (try? perform(&reverse)) != nil
    reverse.removeTemporary()
    return isDone
  }
}
