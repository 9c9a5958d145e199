;; family: output
;; does: writes without end and without a newline
;; contained by: the cap on a line
;; expect: flooded

(func (export "_start")
  (call $wait)
  (loop $again
    (call $write (i32.const 1) (i32.const 4096) (i32.const 65536))
    (br $again)))
