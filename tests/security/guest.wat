  ;; What every attack in WebAssembly begins with: it waits for a line, and says in one how it went.
  ;; Memory: 0 an iovec, 8 how many bytes went, 16 texts, from 1024 the attack's.
  (import "wasi_snapshot_preview1" "fd_read" (func $fd_read (param i32 i32 i32 i32) (result i32)))
  (import "wasi_snapshot_preview1" "fd_write" (func $fd_write (param i32 i32 i32 i32) (result i32)))
  (memory (export "memory") 2)
  (data (i32.const 16) "denied\n")
  (data (i32.const 32) "escaped\n")
  (data (i32.const 48) "bounded ")

  (func $write (param $to i32) (param $from i32) (param $size i32)
    (i32.store (i32.const 0) (local.get $from))
    (i32.store (i32.const 4) (local.get $size))
    (drop (call $fd_write (local.get $to) (i32.const 0) (i32.const 1) (i32.const 8))))

  (func $byte (param $value i32)
    (i32.store8 (i32.const 64) (local.get $value))
    (call $write (i32.const 1) (i32.const 64) (i32.const 1)))

  (func $digits (param $value i32)
    (if (i32.ge_u (local.get $value) (i32.const 10))
      (then (call $digits (i32.div_u (local.get $value) (i32.const 10)))))
    (call $byte (i32.add (i32.const 48) (i32.sub (local.get $value)
      (i32.mul (i32.const 10) (i32.div_u (local.get $value) (i32.const 10)))))))

  (func $wait
    (loop $more
      (i32.store (i32.const 0) (i32.const 64))
      (i32.store (i32.const 4) (i32.const 1))
      (drop (call $fd_read (i32.const 0) (i32.const 0) (i32.const 1) (i32.const 8)))
      (br_if $more (i32.ne (i32.load8_u (i32.const 64)) (i32.const 10)))))

  (func $verdict (param $escaped i32)
    (if (local.get $escaped)
      (then (call $write (i32.const 1) (i32.const 32) (i32.const 8)))
      (else (call $write (i32.const 1) (i32.const 16) (i32.const 7)))))

  (func $bounded (param $amount i32)
    (call $write (i32.const 1) (i32.const 48) (i32.const 8))
    (call $digits (local.get $amount))
    (call $byte (i32.const 10)))
