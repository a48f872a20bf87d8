from speculoos.cli import main

main()
