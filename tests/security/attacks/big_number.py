# family: time
# does: computes where no interpreter looks for signals
# contained by: the deadline of the question; SIGKILL
# expect: silent
# seconds: 0.5

input()
print("escaped" if 7 ** (7**12) else "")
