;; family: output
;; does: puts one descriptor in the place of another, and changes its own program through any of them
;; contained by: the runner refuses these calls; nothing is writable
;; expect: denied

(import "wasi_snapshot_preview1" "fd_renumber" (func $renumber (param i32 i32) (result i32)))
(import "wasi_snapshot_preview1" "fd_allocate" (func $allocate (param i32 i64 i64) (result i32)))
(import "wasi_snapshot_preview1" "fd_filestat_set_size" (func $resize (param i32 i64) (result i32)))
(global $escaped (mut i32) (i32.const 0))

(func $note (param $error i32)
  (if (i32.eqz (local.get $error)) (then (global.set $escaped (i32.const 1)))))

(func (export "_start") (local $fd i32)
  (call $wait)
  (loop $next
    (call $note (call $renumber (local.get $fd) (i32.const 1)))
    (call $note (call $renumber (i32.const 0) (local.get $fd)))
    (call $note (call $allocate (local.get $fd) (i64.const 0) (i64.const 1024)))
    (call $note (call $resize (local.get $fd) (i64.const 1024)))
    (local.set $fd (i32.add (local.get $fd) (i32.const 1)))
    (br_if $next (i32.lt_u (local.get $fd) (i32.const 300))))
  (call $verdict (global.get $escaped)))
