;; family: memory
;; does: grows its memory 16 MB at a time, and writes to every page of it
;; contained by: the most pages that node may give a module; RLIMIT_DATA behind it
;; expect: bounded
;; most: 448
;; seconds: 40

(func (export "_start") (local $got i32) (local $at i32) (local $end i32)
  (call $wait)
  (block $full
    (loop $more
      (local.set $at (memory.grow (i32.const 256)))
      (br_if $full (i32.eq (local.get $at) (i32.const -1)))
      (local.set $at (i32.shl (local.get $at) (i32.const 16)))
      (local.set $end (i32.add (local.get $at) (i32.const 16777216)))
      (loop $page
        (i32.store8 (local.get $at) (i32.const 1))
        (local.set $at (i32.add (local.get $at) (i32.const 4096)))
        (br_if $page (i32.lt_u (local.get $at) (local.get $end))))
      (local.set $got (i32.add (local.get $got) (i32.const 16)))
      (br_if $more (i32.lt_u (local.get $got) (i32.const 2048)))))
  (call $bounded (local.get $got)))
