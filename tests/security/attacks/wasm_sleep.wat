;; family: time
;; does: asks the runtime to wake it in an hour
;; contained by: the deadline of the question
;; expect: silent
;; seconds: 0.5

(import "wasi_snapshot_preview1" "poll_oneoff" (func $poll (param i32 i32 i32 i32) (result i32)))

(func (export "_start")
  (call $wait)
  (i32.store (i32.const 1040) (i32.const 1))
  (i64.store (i32.const 1048) (i64.const 3600000000000))
  (drop (call $poll (i32.const 1024) (i32.const 2048) (i32.const 1) (i32.const 2200)))
  (call $verdict (i32.const 1)))
