import Bytes
package import Git
import Text

extension SlipboxError {
  /// A failure of another repository: what, and what to do.
  ///
  /// - Parameter remote: what the other repository is called here.
  package init(_ fault: RemoteFault, remote: String, address: RemoteAddress?) {
    let form = Self.form(
      of: fault, remote: remote, host: Visible.escape(address?.host ?? "the other side"),
      reason: Visible.escape(fault.reason), address)
    if fault.kind == .readOnly {
      self.init(
        .notPermitted, "the git directory of this clone can't be written: \(Visible.escape(fault.reason))",
        hints: ["see to the rights of its files, then run: slip sync"])
      return
    }
    let said = fault.words.map { "it says: \(Visible.escape($0))" }
    let isOfServer = ![.address, .foreignProgram, .busy, .full, .notOwned, .hookRefused].contains(fault.kind)
    self.init(
      form.kind, "\(Visible.escape(remote)): \(form.message)", hints: (isOfServer ? said : []) + form.hints)
  }

  /// The class of a fault with its sentence and the way out.
  private static func form(
    of fault: RemoteFault, remote: String, host: String, reason: String, _ address: RemoteAddress?
  ) -> (kind: Kind, message: String, hints: [String]) {
    switch fault.kind {
    case .address:
      (
        .notPermitted, "its address is not used: \(reason)",
        ["slip remote list shows it; a folder, user@host:path, ssh://, https:// and git:// are used"]
      )
    case .foreignProgram:
      (
        .notPermitted,
        "the settings of this repository name a program or a file, \(reason), which is not run here",
        foreignHints(fault.reason, file: fault.words.first ?? ".git/config")
      )
    case .unknownHost:
      (
        .unavailable, "the name \(host) is not known",
        ["is the network up? is the address right? slip remote list"]
      )
    case .unreachable: (.unavailable, "\(host) can't be reached: \(reason)", [again])
    case .silent: (.unavailable, "\(host) does not answer: \(reason)", [again])
    case .cut:
      (.unavailable, "the connection was cut: \(reason)", ["nothing is lost here or there; \(again)"])
    case .certificate:
      (
        .unavailable, "the certificate of \(host) is not accepted: \(reason)",
        ["is the clock of this machine right? date", "git help config explains http.sslCAInfo"]
      )
    case .unknownHostKey:
      (
        .notPermitted, "the key of \(host) is not known here, so it could be anybody",
        ["compare it once with what its owner says: ssh \(typed(address?.host))"]
      )
    case .changedHostKey:
      (
        .notPermitted, "the key of \(host) is another than before: somebody may stand in between",
        ["where its owner confirms the new key: ssh-keygen -R \(typed(address?.host))"]
      )
    case .noAccess: (.notPermitted, "no access: \(reason)", accessHints(address, remote))
    case .noRepository:
      (
        .unavailable, "there is no repository, or none for you: \(reason)",
        ["slip remote list shows the address", "a folder becomes one by: git init --bare -b main DIR"]
      )
    case .noBranch: (.notFound, "it has no such branch: \(reason)", [again])
    case .hookRefused:
      (
        .notPermitted, "\(reason); your commits stay here",
        fault.words.map { "the hook says: \(Visible.escape($0))" }
      )
    case .declined:
      (.notPermitted, "it did not take the commits: \(reason)", declinedHints(reason))
    case .tooLarge:
      (
        .unavailable, "it takes no more bytes at once: \(reason)",
        ["by ssh there is mostly no such limit; its owner can raise it"]
      )
    case .serverTrouble: (.unavailable, "something is wrong on \(host): \(reason)", [again])
    case .overtaken: (.busy, "others were faster: \(reason)", [again])
    case .shallow:
      (
        .configuration, "it takes nothing from a clone without its whole history",
        ["git fetch --unshallow brings the rest of the history"]
      )
    case .notOwned:
      (
        .notPermitted, reason,
        ["if you trust that folder: git config --global --add safe.directory DIR"]
      )
    case .busy: (.busy, "another git is at work: \(reason)", [again])
    case .readOnly: (.notPermitted, reason, [])
    case .full: (.inputOutput, reason, ["make room; nothing is lost"])
    case .other: (.unavailable, reason, ["git fetch \(typed(remote)) shows more"])
    }
  }

  /// A text as it is typed in a shell.
  private static func typed(_ text: String?) -> String { ShellWord.quoted(Array((text ?? "").utf8)) }

  private static let again = "try again: slip sync"

  private static func foreignHints(_ setting: String, file: String) -> [String] {
    let name = typed(setting)
    let unset = "git config --file \(Visible.escape(file)) --unset-all \(name)"
    if setting.hasPrefix("include") { return ["look at that file; then take the setting out: \(unset)"] }
    let hint = "if it is yours, put it into your own settings: git config --global \(name) VALUE"
    return [hint, "then take it out here: \(unset)"]
  }

  private static func accessHints(_ address: RemoteAddress?, _ remote: String) -> [String] {
    switch address?.way {
    case .ssh:
      let login = [address?.user, address?.host].compactMap { $0 }.joined(separator: "@")
      return ["is your key loaded? ssh-add -l", "ssh -T \(typed(login)) says what the server thinks of you"]
    case .http:
      return [
        "on a terminal, git fetch \(typed(remote)) asks for name and password, and your helper keeps them"
      ]
    case .folder: return ["look at who may write there: ls -ld \(typed(address?.path))"]
    default: return ["ask its owner to let you in"]
    }
  }

  private static func declinedHints(_ reason: String) -> [String] {
    guard reason.contains("checked out") else { return ["your commits stay here; settle it with its owner"] }
    return ["it is somebody's work tree; a meeting point has none: git init --bare -b main DIR"]
  }
}
