;; family: output
;; does: closes its output and lives on
;; contained by: the deadline of the question
;; expect: silent
;; confined expects: exited
;; seconds: 0.5

(import "wasi_snapshot_preview1" "fd_close" (func $close (param i32) (result i32)))

(func (export "_start")
  (call $wait)
  (drop (call $close (i32.const 1)))
  (call $verdict (i32.const 1))
  (loop $again (br $again)))
