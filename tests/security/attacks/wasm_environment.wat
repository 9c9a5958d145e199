;; family: inherited descriptors
;; does: looks for variables of the environment, for arguments and for descriptors
;; contained by: the runtime hands on none but its three, and one name
;; expect: denied

(import "wasi_snapshot_preview1" "environ_sizes_get" (func $variables (param i32 i32) (result i32)))
(import "wasi_snapshot_preview1" "args_sizes_get" (func $arguments (param i32 i32) (result i32)))
(import "wasi_snapshot_preview1" "fd_fdstat_get" (func $about (param i32 i32) (result i32)))

(func (export "_start") (local $fd i32) (local $escaped i32)
  (call $wait)
  (drop (call $variables (i32.const 2048) (i32.const 2052)))
  (drop (call $arguments (i32.const 2056) (i32.const 2060)))
  ;; No variable, one argument: bot.wasm and its end.
  (local.set $escaped (i32.or
    (i32.or (i32.load (i32.const 2048)) (i32.load (i32.const 2052)))
    (i32.or (i32.ne (i32.load (i32.const 2056)) (i32.const 1)) (i32.ne (i32.load (i32.const 2060)) (i32.const 9)))))
  (local.set $fd (i32.const 3))
  (loop $next
    (if (i32.eqz (call $about (local.get $fd) (i32.const 2048)))
      (then (local.set $escaped (i32.const 1))))
    (local.set $fd (i32.add (local.get $fd) (i32.const 1)))
    (br_if $next (i32.lt_u (local.get $fd) (i32.const 70000))))
  (call $verdict (local.get $escaped)))
