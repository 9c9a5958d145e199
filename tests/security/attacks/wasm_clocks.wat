;; family: other processes
;; does: reads the processor time of others, to see the opponent think
;; contained by: the runtime has four clocks, all of them its own
;; expect: denied

(import "wasi_snapshot_preview1" "clock_time_get" (func $time (param i32 i64 i32) (result i32)))

(func (export "_start") (local $clock i32) (local $escaped i32)
  (call $wait)
  (local.set $clock (i32.const -40000))
  (loop $next
    (if (i32.eqz (call $time (local.get $clock) (i64.const 0) (i32.const 2048)))
      (then (local.set $escaped (i32.or (local.get $escaped) (i32.gt_u (local.get $clock) (i32.const 3))))))
    (local.set $clock (i32.add (local.get $clock) (i32.const 1)))
    (br_if $next (i32.ne (local.get $clock) (i32.const 1000))))
  (call $verdict (local.get $escaped)))
