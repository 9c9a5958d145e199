# family: output
# does: leaves in the middle of the game as if all were well
# contained by: the end of its output
# expect: exited

input()
