;; family: files
;; does: opens, makes and looks up files by every descriptor there might be
;; contained by: the runtime opens no directory for a module; Landlock behind it
;; expect: denied

(import "wasi_snapshot_preview1" "path_open"
  (func $path_open (param i32 i32 i32 i32 i32 i64 i64 i32 i32) (result i32)))
(import "wasi_snapshot_preview1" "path_create_directory" (func $make (param i32 i32 i32) (result i32)))
(import "wasi_snapshot_preview1" "path_filestat_get" (func $look (param i32 i32 i32 i32 i32) (result i32)))
(import "wasi_snapshot_preview1" "fd_prestat_get" (func $opened (param i32 i32) (result i32)))
(import "wasi_snapshot_preview1" "fd_fdstat_get" (func $about (param i32 i32) (result i32)))
(data (i32.const 1024) "/etc/passwd")
(data (i32.const 1040) "bot.wasm")
(data (i32.const 1056) "../../dev/null")
(data (i32.const 1072) ".")
(global $escaped (mut i32) (i32.const 0))

(func $note (param $error i32)
  (if (i32.eqz (local.get $error)) (then (global.set $escaped (i32.const 1)))))

(func $try (param $fd i32) (param $name i32) (param $size i32)
  (call $note (call $path_open (local.get $fd) (i32.const 1) (local.get $name) (local.get $size) (i32.const 0)
    (i64.const 2) (i64.const 2) (i32.const 0) (i32.const 2048)))
  (call $note (call $path_open (local.get $fd) (i32.const 1) (local.get $name) (local.get $size) (i32.const 9)
    (i64.const 64) (i64.const 64) (i32.const 0) (i32.const 2048)))
  (call $note (call $look (local.get $fd) (i32.const 0) (local.get $name) (local.get $size) (i32.const 2048)))
  (call $note (call $make (local.get $fd) (local.get $name) (local.get $size))))

(func (export "_start") (local $fd i32)
  (call $wait)
  (loop $next
    (call $try (local.get $fd) (i32.const 1024) (i32.const 11))
    (call $try (local.get $fd) (i32.const 1040) (i32.const 8))
    (call $try (local.get $fd) (i32.const 1056) (i32.const 14))
    (call $try (local.get $fd) (i32.const 1072) (i32.const 1))
    (call $note (call $opened (local.get $fd) (i32.const 2048)))
    (if (i32.gt_u (local.get $fd) (i32.const 2))
      (then (call $note (call $about (local.get $fd) (i32.const 2048)))))
    (local.set $fd (i32.add (local.get $fd) (i32.const 1)))
    (br_if $next (i32.lt_u (local.get $fd) (i32.const 300))))
  (call $verdict (global.get $escaped)))
