;; family: output
;; does: writes to standard error without end
;; contained by: keeping 64 KB, reading once in five milliseconds; the deadline
;; expect: silent
;; seconds: 1

(func (export "_start")
  (call $wait)
  (loop $again
    (call $write (i32.const 2) (i32.const 4096) (i32.const 65536))
    (br $again)))
