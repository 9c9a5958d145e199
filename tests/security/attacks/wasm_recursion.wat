;; family: memory
;; does: recurses without end
;; contained by: node's limit of its stack
;; expect: exited

(func $deeper (param $n i32) (result i32)
  (i32.add (local.get $n) (call $deeper (i32.add (local.get $n) (i32.const 1)))))

(func (export "_start")
  (call $wait)
  (call $verdict (call $deeper (i32.const 0))))
