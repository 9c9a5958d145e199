# family: output
# does: is no Python
# contained by: the process's own end
# expect: exited

def (:
