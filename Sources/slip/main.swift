import CRevision
import SlipboxCLI

Program.main(revision: String(cString: slipbox_revision()))
