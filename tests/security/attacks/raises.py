# family: output
# does: fails with an exception
# contained by: the process's own end
# expect: exited

input()
raise RuntimeError("as if by accident")
