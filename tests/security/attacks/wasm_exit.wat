;; family: output
;; does: leaves with the status of a program that the kernel killed
;; contained by: the diagnosis: only a kill the kernel counted is the host's
;; expect: crashed

(import "wasi_snapshot_preview1" "proc_exit" (func $exit (param i32)))

(func (export "_start")
  (call $wait)
  (call $exit (i32.const 137)))
