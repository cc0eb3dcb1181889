import SlipboxCLI

Program.main()
