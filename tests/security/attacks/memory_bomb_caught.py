# family: memory
# does: takes all memory there is and keeps it
# contained by: RLIMIT_AS
# expect: bounded
# most: 512
# without: rlimits
# seconds: 20

input()
taken = []
try:
    while len(taken) < 40:
        taken.append(bytearray(16 << 20))
except MemoryError:
    pass
print("bounded", len(taken) * 16)
