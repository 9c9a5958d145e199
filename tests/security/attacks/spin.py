# family: time
# does: thinks for ever
# contained by: the deadline of the question
# expect: silent
# seconds: 0.5

input()
while True:
    pass
