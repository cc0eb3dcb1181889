import Glibc

extension BoxFolder {
  /// Puts back what a swap has moved, and removes the temporary file where nothing is lost with it.
  /// - Returns: Whether the name stands for what it stood for before, or for something later than that.
  @discardableResult
  func undo(_ swap: PendingReplacement) -> Bool {
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
  private func undoMaking(_ swap: PendingReplacement) -> Bool {
    guard swap.rename(.toTemporaryName) == 0 else { return false }
    guard let now = try? swap.readTemporary(), now == swap.bytes else {
      _ = swap.claimOwnName(usingRenameAt2: exchangesNames)
      return false
    }
    letGo(swap.temporaryName, of: swap.place, expecting: swap.bytes)
    return true
  }

  /// Exchanges back until what comes out is what was last put in: anything else was saved in between, and is
  /// later.
  private func undoExchange(_ swap: PendingReplacement) -> Bool {
    var lastPutIn = swap.written
    var lastBytes = swap.bytes
    for _ in 0..<16 {
      guard let puttingIn = swap.temporaryStatus else { return false }
      let bytesPuttingIn = try? swap.readTemporary()
      let code = swap.rename(.toOwnName, LinuxCalls.renameExchange)
      // Removed by somebody: what was there before is better than nothing.
      if code == ENOENT { return swap.claimOwnName(usingRenameAt2: exchangesNames) == 0 }
      guard code == 0 else { return false }
      if let out = swap.temporaryStatus, let lastPutIn, out.hasSameContents(as: lastPutIn) {
        letGo(swap.temporaryName, of: swap.place, expecting: lastBytes)
        return true
      }
      lastPutIn = puttingIn
      lastBytes = bytesPuttingIn
    }
    return false
  }

  /// Gives the old file its name again; where another has the name, that one stays.
  private func undoRemoval(_ swap: PendingReplacement) -> Bool {
    guard swap.claimOwnName(usingRenameAt2: exchangesNames) != 0 else { return true }
    // Contents that nobody has seen stay under the temporary name.
    letGo(swap.temporaryName, of: swap.place, expecting: swap.expecting)
    return false
  }

  private func undoOverwriting(_ swap: PendingReplacement) -> Bool {
    if let kept = swap.keptName {
      guard let now = try? swap.place.status(), let written = swap.written, now.hasSameContents(as: written)
      else {
        letGo(kept, of: swap.place, expecting: swap.expecting)
        return false
      }
      return swap.renameKept(kept) == 0
    }
    let back = Replacement(path: swap.place.path, bytes: swap.expecting, expecting: swap.bytes)
    guard var reverse = try? prepare(back, syncing: true) else { return false }
    let isDone = (try? perform(&reverse)) != nil
    reverse.removeTemporary()
    return isDone
  }
}
