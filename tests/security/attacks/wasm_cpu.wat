;; family: time
;; does: uses up its processor time
;; contained by: RLIMIT_CPU
;; expect: cpu
;; cpu seconds: 1
;; without: rlimits
;; seconds: 40

(func (export "_start")
  (call $wait)
  (loop $again (br $again)))
