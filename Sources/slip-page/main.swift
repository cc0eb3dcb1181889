PageProgram.main()
