# family: output
# does: answers the next question before it is put
# contained by: draining before a question is put
# expect: unasked
# linger: 0.2

input()
print("first\nsecond", flush=True)
input()
