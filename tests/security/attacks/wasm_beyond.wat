;; family: memory
;; does: reads beyond its memory, where the runtime has its own
;; contained by: the bounds of a module's memory: pages that nobody may touch
;; expect: exited

(func (export "_start")
  (call $wait)
  (drop (i32.load offset=2147483647 (i32.const -1)))
  (call $verdict (i32.const 1)))
