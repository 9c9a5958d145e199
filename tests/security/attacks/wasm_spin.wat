;; family: time
;; does: thinks for ever
;; contained by: the deadline of the question
;; expect: silent
;; seconds: 0.5

(func (export "_start")
  (call $wait)
  (loop $again (br $again)))
