# family: time
# does: burns more processor time than a game has
# contained by: RLIMIT_CPU
# expect: cpu
# seconds: 40
# cpu seconds: 1
# without: rlimits

input()
while True:
    pass
