;; family: other processes
;; does: raises every signal there might be
;; contained by: the runner refuses this call; the filter for signals behind it
;; expect: denied

(import "wasi_snapshot_preview1" "proc_raise" (func $raise (param i32) (result i32)))

(func (export "_start") (local $signal i32) (local $escaped i32)
  (call $wait)
  (loop $next
    (if (i32.eqz (call $raise (local.get $signal)))
      (then (local.set $escaped (i32.const 1))))
    (local.set $signal (i32.add (local.get $signal) (i32.const 1)))
    (br_if $next (i32.lt_u (local.get $signal) (i32.const 65))))
  (call $verdict (local.get $escaped)))
