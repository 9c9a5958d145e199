# family: output
# does: writes a line one byte too long
# contained by: the cap on a line
# expect: flooded

input()
print("x" * 65536)
