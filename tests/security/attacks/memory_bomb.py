# family: memory
# does: takes memory until there is none
# contained by: RLIMIT_AS
# expect: memory
# seconds: 20

input()
taken = []
while len(taken) < 2000:
    taken.append(bytearray(16 << 20))
print("escaped: 32 GB")
