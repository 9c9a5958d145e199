;; Plays the first legal move. It reads a byte at a time, and looks for fields in the line instead of parsing JSON.
;; Memory: 0 an iovec, 8 how many bytes went, 16 texts, 4096 the answer, 8192 the line.
(module
  (import "wasi_snapshot_preview1" "fd_read" (func $fd_read (param i32 i32 i32 i32) (result i32)))
  (import "wasi_snapshot_preview1" "fd_write" (func $fd_write (param i32 i32 i32 i32) (result i32)))
  (memory (export "memory") 3)
  (global $end (mut i32) (i32.const 8192))
  (global $answer (mut i32) (i32.const 4096))
  (data (i32.const 16) "\"type\":\"hello\"\00")
  (data (i32.const 48) "\"type\":\"end\"\00")
  (data (i32.const 80) "\"type\":\"tick\"\00")
  (data (i32.const 112) "\"legal\":[\"\00")
  (data (i32.const 144) "\"id\":\"\00")
  (data (i32.const 176) "{\"id\":\"\00")
  (data (i32.const 208) "\",\"moves\":[\"\00")
  (data (i32.const 240) "\"]}\n\00")
  (data (i32.const 272) "\",\"action\":\"\00")
  (data (i32.const 304) "\"}\n\00")
  (data (i32.const 336) "{\"type\":\"ready\",\"events\":false,\"ticks\":true}\n\00")

  ;; Whether a line has come; it ends at $end.
  (func $line (result i32)
    (global.set $end (i32.const 8192))
    (loop $more
      (i32.store (i32.const 0) (global.get $end))
      (i32.store (i32.const 4) (i32.const 1))
      (if (i32.or (call $fd_read (i32.const 0) (i32.const 0) (i32.const 1) (i32.const 8))
                  (i32.eqz (i32.load (i32.const 8))))
        (then (return (i32.const 0))))
      (global.set $end (i32.add (global.get $end) (i32.const 1)))
      (br_if $more (i32.ne (i32.load8_u (i32.sub (global.get $end) (i32.const 1))) (i32.const 10))))
    (i32.const 1))

  ;; What follows a text in the line, or 0.
  (func $after (param $text i32) (result i32) (local $at i32) (local $same i32)
    (local.set $at (i32.const 8192))
    (loop $next
      (local.set $same (i32.const 0))
      (block $differs
        (loop $letter
          (if (i32.eqz (i32.load8_u (i32.add (local.get $text) (local.get $same))))
            (then (return (i32.add (local.get $at) (local.get $same)))))
          (br_if $differs (i32.ne (i32.load8_u (i32.add (local.get $text) (local.get $same)))
                                  (i32.load8_u (i32.add (local.get $at) (local.get $same)))))
          (local.set $same (i32.add (local.get $same) (i32.const 1)))
          (br $letter)))
      (local.set $at (i32.add (local.get $at) (i32.const 1)))
      (br_if $next (i32.lt_u (local.get $at) (global.get $end))))
    (i32.const 0))

  ;; Add to the answer what begins at $from, up to a byte.
  (func $add (param $from i32) (param $until i32)
    (block $done
      (loop $letter
        (br_if $done (i32.eq (i32.load8_u (local.get $from)) (local.get $until)))
        (i32.store8 (global.get $answer) (i32.load8_u (local.get $from)))
        (global.set $answer (i32.add (global.get $answer) (i32.const 1)))
        (local.set $from (i32.add (local.get $from) (i32.const 1)))
        (br $letter))))

  (func $say
    (i32.store (i32.const 0) (i32.const 4096))
    (i32.store (i32.const 4) (i32.sub (global.get $answer) (i32.const 4096)))
    (drop (call $fd_write (i32.const 1) (i32.const 0) (i32.const 1) (i32.const 8)))
    (global.set $answer (i32.const 4096)))

  (func (export "_start") (local $tick i32)
    (block $over
      (loop $next
        (br_if $over (i32.eqz (call $line)))
        (br_if $over (call $after (i32.const 48)))
        (if (call $after (i32.const 16))
          (then (call $add (i32.const 336) (i32.const 0)) (call $say) (br $next)))
        (br_if $next (i32.eqz (call $after (i32.const 112))))
        (local.set $tick (call $after (i32.const 80)))
        (call $add (i32.const 176) (i32.const 0))
        (call $add (call $after (i32.const 144)) (i32.const 34))
        (call $add (select (i32.const 272) (i32.const 208) (local.get $tick)) (i32.const 0))
        (call $add (call $after (i32.const 112)) (i32.const 34))
        (call $add (select (i32.const 304) (i32.const 240) (local.get $tick)) (i32.const 0))
        (call $say)
        (br $next)))))
