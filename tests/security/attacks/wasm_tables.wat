;; family: memory
;; does: asks for twenty tables of ten million functions
;; contained by: node's own heap limit, set below RLIMIT_DATA
;; expect: memory
;; seconds: 30

(table 10000000 funcref) (table 10000000 funcref) (table 10000000 funcref) (table 10000000 funcref)
(table 10000000 funcref) (table 10000000 funcref) (table 10000000 funcref) (table 10000000 funcref)
(table 10000000 funcref) (table 10000000 funcref) (table 10000000 funcref) (table 10000000 funcref)
(table 10000000 funcref) (table 10000000 funcref) (table 10000000 funcref) (table 10000000 funcref)
(table 10000000 funcref) (table 10000000 funcref) (table 10000000 funcref) (table 10000000 funcref)
(func (export "_start")
  (call $wait)
  (call $verdict (i32.const 1)))
