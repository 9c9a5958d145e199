;; family: network
;; does: accepts, sends and receives on every descriptor there might be
;; contained by: the runner refuses these calls; seccomp: no sockets
;; expect: denied

(import "wasi_snapshot_preview1" "sock_accept" (func $accept (param i32 i32 i32) (result i32)))
(import "wasi_snapshot_preview1" "sock_send" (func $send (param i32 i32 i32 i32 i32) (result i32)))
(import "wasi_snapshot_preview1" "sock_recv" (func $receive (param i32 i32 i32 i32 i32 i32) (result i32)))
(data (i32.const 1024) "\00\08\00\00\04\00\00\00")

(func (export "_start") (local $fd i32) (local $escaped i32)
  (call $wait)
  (loop $next
    (if (i32.eqz (call $accept (local.get $fd) (i32.const 0) (i32.const 2100)))
      (then (local.set $escaped (i32.const 1))))
    (if (i32.eqz (call $send (local.get $fd) (i32.const 1024) (i32.const 1) (i32.const 0) (i32.const 2100)))
      (then (local.set $escaped (i32.const 1))))
    (if (i32.eqz (call $receive (local.get $fd) (i32.const 1024) (i32.const 1) (i32.const 0) (i32.const 2100)
          (i32.const 2104)))
      (then (local.set $escaped (i32.const 1))))
    (local.set $fd (i32.add (local.get $fd) (i32.const 1)))
    (br_if $next (i32.lt_u (local.get $fd) (i32.const 300))))
  (call $verdict (local.get $escaped)))
