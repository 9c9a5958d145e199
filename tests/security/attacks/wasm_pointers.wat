;; family: memory
;; does: hands the runtime addresses beyond its memory
;; contained by: the runtime checks every address
;; expect: denied

(import "wasi_snapshot_preview1" "random_get" (func $random (param i32 i32) (result i32)))
(import "wasi_snapshot_preview1" "args_get" (func $arguments (param i32 i32) (result i32)))
(import "wasi_snapshot_preview1" "clock_time_get" (func $time (param i32 i64 i32) (result i32)))
(import "wasi_snapshot_preview1" "poll_oneoff" (func $poll (param i32 i32 i32 i32) (result i32)))
;; An iovec to the last byte of memory, 8 KB long, and one that begins far beyond it.
(data (i32.const 1024) "\ff\ff\01\00\00\20\00\00")
(data (i32.const 1032) "\00\00\00\80\01\00\00\00")
(global $escaped (mut i32) (i32.const 0))

(func $note (param $error i32)
  (if (i32.eqz (local.get $error)) (then (global.set $escaped (i32.const 1)))))

(func (export "_start")
  (call $wait)
  (call $note (call $fd_write (i32.const 2) (i32.const 1024) (i32.const 1) (i32.const 8)))
  (call $note (call $fd_write (i32.const 2) (i32.const 1032) (i32.const 1) (i32.const 8)))
  (call $note (call $fd_write (i32.const 2) (i32.const -8) (i32.const 1) (i32.const 8)))
  (call $note (call $fd_write (i32.const 2) (i32.const 0) (i32.const -1) (i32.const 8)))
  (call $note (call $fd_write (i32.const 2) (i32.const 0) (i32.const 1) (i32.const -1)))
  (call $note (call $fd_read (i32.const 0) (i32.const 1024) (i32.const 1) (i32.const 8)))
  (call $note (call $random (i32.const 65536) (i32.const 2147483647)))
  (call $note (call $random (i32.const -1) (i32.const 2)))
  (call $note (call $arguments (i32.const -4) (i32.const 2048)))
  (call $note (call $arguments (i32.const 2048) (i32.const -4)))
  (call $note (call $time (i32.const 0) (i64.const 0) (i32.const -4)))
  (call $note (call $poll (i32.const -16) (i32.const 2048) (i32.const 1) (i32.const 2200)))
  (call $note (call $poll (i32.const 2048) (i32.const -16) (i32.const 1) (i32.const 2200)))
  (call $note (call $poll (i32.const 2048) (i32.const 2048) (i32.const 89478486) (i32.const 2200)))
  (call $verdict (global.get $escaped)))
