import SlipboxBench

BenchProgram.main()
