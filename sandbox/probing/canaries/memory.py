"""Takes memory until there is no more: the limit must come before 100 GB do."""

taken: list[bytearray] = []
try:
    while len(taken) < 1600:
        taken.append(bytearray(64 << 20))
except MemoryError:
    count = len(taken)
    taken.clear()
    print("contained" if count < 8 else f"escaped: {count * 64} MB")
else:
    print("escaped: no limit")
