;; The kernels: the hot loops of search in WebAssembly SIMD, over the memory of the Go program. kernel.go says what each computes; its Go
;; twins are the reference and give the same bits. Pointers are bytes from the start of memory, lengths are numbers of elements.
(module
  (import "go" "mem" (memory 1))

  ;; ---- dot products of int8 -------------------------------------------------------------------------------------------------

  ;; $widen writes the n int8 at $src as int16 at $dst.
  (func $widen (param $dst i32) (param $src i32) (param $n i32)
    (local $end i32)
    (local.set $end (i32.add (local.get $src) (local.get $n)))
    (block $done
      (loop $next
        (br_if $done (i32.ge_u (local.get $src) (local.get $end)))
        (i32.store16 (local.get $dst) (i32.load8_s (local.get $src)))
        (local.set $dst (i32.add (local.get $dst) (i32.const 2)))
        (local.set $src (i32.add (local.get $src) (i32.const 1)))
        (br $next))))

  ;; $dot is the dot product of the int8 at $row and the int16 at $wide.
  (func $dot (param $row i32) (param $wide i32) (param $dim i32) (result i32)
    (local $v v128) (local $a v128) (local $b v128) (local $sum i32) (local $end i32)
    (local.set $end (i32.add (local.get $row) (i32.and (local.get $dim) (i32.const -16))))
    (block $done
      (loop $next
        (br_if $done (i32.ge_u (local.get $row) (local.get $end)))
        (local.set $v (v128.load (local.get $row)))
        (local.set $a (i32x4.add (local.get $a)
          (i32x4.dot_i16x8_s (i16x8.extend_low_i8x16_s (local.get $v)) (v128.load (local.get $wide)))))
        (local.set $b (i32x4.add (local.get $b)
          (i32x4.dot_i16x8_s (i16x8.extend_high_i8x16_s (local.get $v)) (v128.load offset=16 (local.get $wide)))))
        (local.set $row (i32.add (local.get $row) (i32.const 16)))
        (local.set $wide (i32.add (local.get $wide) (i32.const 32)))
        (br $next)))
    (local.set $a (i32x4.add (local.get $a) (local.get $b)))
    (local.set $a (i32x4.add (local.get $a) (i8x16.shuffle 8 9 10 11 12 13 14 15 0 1 2 3 4 5 6 7 (local.get $a) (local.get $a))))
    (local.set $sum (i32.add (i32x4.extract_lane 0 (local.get $a)) (i32x4.extract_lane 1 (local.get $a))))
    (local.set $end (i32.add (local.get $end) (i32.and (local.get $dim) (i32.const 15))))
    (block $done
      (loop $next
        (br_if $done (i32.ge_u (local.get $row) (local.get $end)))
        (local.set $sum (i32.add (local.get $sum) (i32.mul (i32.load8_s (local.get $row)) (i32.load16_s (local.get $wide)))))
        (local.set $row (i32.add (local.get $row) (i32.const 1)))
        (local.set $wide (i32.add (local.get $wide) (i32.const 2)))
        (br $next)))
    (local.get $sum))

  ;; $folded is the sums of the lanes of $a, $b, $c and $d, each in a lane.
  (func $folded (param $a v128) (param $b v128) (param $c v128) (param $d v128) (result v128)
    (local.set $a (i32x4.add
      (i8x16.shuffle 0 1 2 3 16 17 18 19 4 5 6 7 20 21 22 23 (local.get $a) (local.get $b))
      (i8x16.shuffle 8 9 10 11 24 25 26 27 12 13 14 15 28 29 30 31 (local.get $a) (local.get $b))))
    (local.set $c (i32x4.add
      (i8x16.shuffle 0 1 2 3 16 17 18 19 4 5 6 7 20 21 22 23 (local.get $c) (local.get $d))
      (i8x16.shuffle 8 9 10 11 24 25 26 27 12 13 14 15 28 29 30 31 (local.get $c) (local.get $d))))
    (i32x4.add
      (i8x16.shuffle 0 1 2 3 4 5 6 7 16 17 18 19 20 21 22 23 (local.get $a) (local.get $c))
      (i8x16.shuffle 8 9 10 11 12 13 14 15 24 25 26 27 28 29 30 31 (local.get $a) (local.get $c))))

  ;; $dot4 is the dot products of four rows and the int16 at $wide, which the rows share a load of.
  (func $dot4 (param $r0 i32) (param $r1 i32) (param $r2 i32) (param $r3 i32) (param $wide i32) (param $dim i32) (result v128)
    (local $x v128) (local $y v128) (local $a v128) (local $b v128) (local $c v128) (local $d v128) (local $end i32)
    (local.set $end (i32.add (local.get $r0) (i32.and (local.get $dim) (i32.const -16))))
    (block $done
      (br_if $done (i32.ge_u (local.get $r0) (local.get $end)))
      (loop $next
        (local.set $x (v128.load (local.get $wide)))
        (local.set $y (v128.load offset=16 (local.get $wide)))
        (local.set $wide (i32.add (local.get $wide) (i32.const 32)))
        (local.set $a (i32x4.add (i32x4.add (local.get $a) (i32x4.dot_i16x8_s (local.get $x) (v128.load8x8_s (local.get $r0))))
          (i32x4.dot_i16x8_s (local.get $y) (v128.load8x8_s offset=8 (local.get $r0)))))
        (local.set $b (i32x4.add (i32x4.add (local.get $b) (i32x4.dot_i16x8_s (local.get $x) (v128.load8x8_s (local.get $r1))))
          (i32x4.dot_i16x8_s (local.get $y) (v128.load8x8_s offset=8 (local.get $r1)))))
        (local.set $c (i32x4.add (i32x4.add (local.get $c) (i32x4.dot_i16x8_s (local.get $x) (v128.load8x8_s (local.get $r2))))
          (i32x4.dot_i16x8_s (local.get $y) (v128.load8x8_s offset=8 (local.get $r2)))))
        (local.set $d (i32x4.add (i32x4.add (local.get $d) (i32x4.dot_i16x8_s (local.get $x) (v128.load8x8_s (local.get $r3))))
          (i32x4.dot_i16x8_s (local.get $y) (v128.load8x8_s offset=8 (local.get $r3)))))
        (local.set $r0 (i32.add (local.get $r0) (i32.const 16)))
        (local.set $r1 (i32.add (local.get $r1) (i32.const 16)))
        (local.set $r2 (i32.add (local.get $r2) (i32.const 16)))
        (local.set $r3 (i32.add (local.get $r3) (i32.const 16)))
        (br_if $next (i32.lt_u (local.get $r0) (local.get $end)))))
    (local.set $a (call $folded (local.get $a) (local.get $b) (local.get $c) (local.get $d)))
    ;; what is left of the rows, number by number
    (local.set $end (i32.add (local.get $end) (i32.and (local.get $dim) (i32.const 15))))
    (block $done
      (loop $next
        (br_if $done (i32.ge_u (local.get $r0) (local.get $end)))
        (local.set $x (i32x4.splat (i32.load8_s (local.get $r0))))
        (local.set $x (i32x4.replace_lane 1 (local.get $x) (i32.load8_s (local.get $r1))))
        (local.set $x (i32x4.replace_lane 2 (local.get $x) (i32.load8_s (local.get $r2))))
        (local.set $x (i32x4.replace_lane 3 (local.get $x) (i32.load8_s (local.get $r3))))
        (local.set $a (i32x4.add (local.get $a) (i32x4.mul (local.get $x) (i32x4.splat (i32.load16_s (local.get $wide))))))
        (local.set $wide (i32.add (local.get $wide) (i32.const 2)))
        (local.set $r0 (i32.add (local.get $r0) (i32.const 1)))
        (local.set $r1 (i32.add (local.get $r1) (i32.const 1)))
        (local.set $r2 (i32.add (local.get $r2) (i32.const 1)))
        (local.set $r3 (i32.add (local.get $r3) (i32.const 1)))
        (br $next)))
    (local.get $a))

  ;; dst[r] = rows[r] · q, for n rows. $wide is room for dim int16.
  (func (export "dot_i8") (param $dst i32) (param $rows i32) (param $n i32) (param $q i32) (param $dim i32) (param $wide i32)
    (local $end i32) (local $r1 i32) (local $r2 i32) (local $r3 i32)
    (call $widen (local.get $wide) (local.get $q) (local.get $dim))
    (local.set $end (i32.add (local.get $dst) (i32.shl (i32.and (local.get $n) (i32.const -4)) (i32.const 2))))
    (block $done
      (loop $next
        (br_if $done (i32.ge_u (local.get $dst) (local.get $end)))
        (local.set $r1 (i32.add (local.get $rows) (local.get $dim)))
        (local.set $r2 (i32.add (local.get $r1) (local.get $dim)))
        (local.set $r3 (i32.add (local.get $r2) (local.get $dim)))
        (v128.store (local.get $dst)
          (call $dot4 (local.get $rows) (local.get $r1) (local.get $r2) (local.get $r3) (local.get $wide) (local.get $dim)))
        (local.set $rows (i32.add (local.get $r3) (local.get $dim)))
        (local.set $dst (i32.add (local.get $dst) (i32.const 16)))
        (br $next)))
    (local.set $end (i32.add (local.get $end) (i32.shl (i32.and (local.get $n) (i32.const 3)) (i32.const 2))))
    (block $done
      (loop $next
        (br_if $done (i32.ge_u (local.get $dst) (local.get $end)))
        (i32.store (local.get $dst) (call $dot (local.get $rows) (local.get $wide) (local.get $dim)))
        (local.set $rows (i32.add (local.get $rows) (local.get $dim)))
        (local.set $dst (i32.add (local.get $dst) (i32.const 4)))
        (br $next))))

  ;; ---- dot products of biased int8 ------------------------------------------------------------------------------------------

  ;; In the rows the bytes of even columns have their highest bit turned over: they are lo + 128, without a sign. So two columns are an int16 that is
  ;; w = 256·hi + lo + 128, of which w >> 8 is hi, and of the query's two numbers qe and qo
  ;;   lo·qe + hi·qo = w·qe + (w >> 8)·(qo − 256·qe) − 128·qe.
  ;; Rows may hold any byte. A query's numbers are −127 to 127, so that |qo − 256·qe| ≤ 127 + 256·127 = 32,639 is an int16 too. Sums wrap at 2³²; what they
  ;; come to in the end is within 128·127·dim, and exact. At $wide stand, of each 16 numbers, the eight qe and the eight qo − 256·qe, and of what is left
  ;; (dim mod 16) the numbers as they are; $bias is 128 times the sum of the qe of whole 16.

  ;; $biased4 is the dot products of four rows and the query at $wide.
  (func $biased4 (param $r0 i32) (param $r1 i32) (param $r2 i32) (param $r3 i32) (param $wide i32) (param $dim i32) (param $bias i32) (result v128)
    (local $w v128) (local $x v128) (local $y v128) (local $a v128) (local $b v128) (local $c v128) (local $d v128) (local $end i32)
    (local.set $end (i32.add (local.get $r0) (i32.and (local.get $dim) (i32.const -16))))
    (block $done
      (br_if $done (i32.ge_u (local.get $r0) (local.get $end)))
      (loop $next
        (local.set $x (v128.load (local.get $wide)))
        (local.set $y (v128.load offset=16 (local.get $wide)))
        (local.set $wide (i32.add (local.get $wide) (i32.const 32)))
        (local.set $w (v128.load (local.get $r0)))
        (local.set $a (i32x4.add (i32x4.add (local.get $a) (i32x4.dot_i16x8_s (local.get $w) (local.get $x)))
          (i32x4.dot_i16x8_s (i16x8.shr_s (local.get $w) (i32.const 8)) (local.get $y))))
        (local.set $w (v128.load (local.get $r1)))
        (local.set $b (i32x4.add (i32x4.add (local.get $b) (i32x4.dot_i16x8_s (local.get $w) (local.get $x)))
          (i32x4.dot_i16x8_s (i16x8.shr_s (local.get $w) (i32.const 8)) (local.get $y))))
        (local.set $w (v128.load (local.get $r2)))
        (local.set $c (i32x4.add (i32x4.add (local.get $c) (i32x4.dot_i16x8_s (local.get $w) (local.get $x)))
          (i32x4.dot_i16x8_s (i16x8.shr_s (local.get $w) (i32.const 8)) (local.get $y))))
        (local.set $w (v128.load (local.get $r3)))
        (local.set $d (i32x4.add (i32x4.add (local.get $d) (i32x4.dot_i16x8_s (local.get $w) (local.get $x)))
          (i32x4.dot_i16x8_s (i16x8.shr_s (local.get $w) (i32.const 8)) (local.get $y))))
        (local.set $r0 (i32.add (local.get $r0) (i32.const 16)))
        (local.set $r1 (i32.add (local.get $r1) (i32.const 16)))
        (local.set $r2 (i32.add (local.get $r2) (i32.const 16)))
        (local.set $r3 (i32.add (local.get $r3) (i32.const 16)))
        (br_if $next (i32.lt_u (local.get $r0) (local.get $end)))))
    (local.set $a (i32x4.sub (call $folded (local.get $a) (local.get $b) (local.get $c) (local.get $d)) (i32x4.splat (local.get $bias))))
    ;; what is left of the rows, number by number: $y turns the bit of even columns back
    (local.set $end (i32.add (local.get $end) (i32.and (local.get $dim) (i32.const 15))))
    (local.set $y (v128.const i32x4 -128 -128 -128 -128))
    (block $done
      (loop $next
        (br_if $done (i32.ge_u (local.get $r0) (local.get $end)))
        (local.set $x (i32x4.splat (i32.load8_s (local.get $r0))))
        (local.set $x (i32x4.replace_lane 1 (local.get $x) (i32.load8_s (local.get $r1))))
        (local.set $x (i32x4.replace_lane 2 (local.get $x) (i32.load8_s (local.get $r2))))
        (local.set $x (i32x4.replace_lane 3 (local.get $x) (i32.load8_s (local.get $r3))))
        (local.set $a (i32x4.add (local.get $a)
          (i32x4.mul (v128.xor (local.get $x) (local.get $y)) (i32x4.splat (i32.load16_s (local.get $wide))))))
        (local.set $y (v128.xor (local.get $y) (v128.const i32x4 -128 -128 -128 -128)))
        (local.set $wide (i32.add (local.get $wide) (i32.const 2)))
        (local.set $r0 (i32.add (local.get $r0) (i32.const 1)))
        (local.set $r1 (i32.add (local.get $r1) (i32.const 1)))
        (local.set $r2 (i32.add (local.get $r2) (i32.const 1)))
        (local.set $r3 (i32.add (local.get $r3) (i32.const 1)))
        (br $next)))
    (local.get $a))

  ;; dst[r] = rows[r] · q, for n rows, a multiple of 4.
  (func (export "dot_biased") (param $dst i32) (param $rows i32) (param $n i32) (param $wide i32) (param $dim i32) (param $bias i32)
    (local $end i32) (local $r1 i32) (local $r2 i32) (local $r3 i32)
    (local.set $end (i32.add (local.get $dst) (i32.shl (local.get $n) (i32.const 2))))
    (block $done
      (loop $next
        (br_if $done (i32.ge_u (local.get $dst) (local.get $end)))
        (local.set $r1 (i32.add (local.get $rows) (local.get $dim)))
        (local.set $r2 (i32.add (local.get $r1) (local.get $dim)))
        (local.set $r3 (i32.add (local.get $r2) (local.get $dim)))
        (v128.store (local.get $dst)
          (call $biased4 (local.get $rows) (local.get $r1) (local.get $r2) (local.get $r3) (local.get $wide) (local.get $dim) (local.get $bias)))
        (local.set $rows (i32.add (local.get $r3) (local.get $dim)))
        (local.set $dst (i32.add (local.get $dst) (i32.const 16)))
        (br $next))))

  ;; dst[i] = rows[at[i]] · q, for n places, a multiple of 4.
  (func (export "dot_biased_at") (param $dst i32) (param $rows i32) (param $at i32) (param $n i32) (param $wide i32) (param $dim i32) (param $bias i32)
    (local $end i32)
    (local.set $end (i32.add (local.get $dst) (i32.shl (local.get $n) (i32.const 2))))
    (block $done
      (loop $next
        (br_if $done (i32.ge_u (local.get $dst) (local.get $end)))
        (v128.store (local.get $dst)
          (call $biased4
            (i32.add (local.get $rows) (i32.mul (i32.load (local.get $at)) (local.get $dim)))
            (i32.add (local.get $rows) (i32.mul (i32.load offset=4 (local.get $at)) (local.get $dim)))
            (i32.add (local.get $rows) (i32.mul (i32.load offset=8 (local.get $at)) (local.get $dim)))
            (i32.add (local.get $rows) (i32.mul (i32.load offset=12 (local.get $at)) (local.get $dim)))
            (local.get $wide) (local.get $dim) (local.get $bias)))
        (local.set $at (i32.add (local.get $at) (i32.const 16)))
        (local.set $dst (i32.add (local.get $dst) (i32.const 16)))
        (br $next))))

  ;; ---- MaxSim ---------------------------------------------------------------------------------------------------------------

  ;; The numbers of the query stand as int16 in groups of four tokens: of each two numbers of a row, one group after another, the four tokens' two.
  ;; So two numbers of a document's token, in every lane, times a group are four tokens' parts of a dot product, and no lanes are added up in the end.

  ;; $spread writes the n int8 at $src so, as token $i of $groups groups at $dst.
  (func $spread (param $dst i32) (param $src i32) (param $n i32) (param $i i32) (param $groups i32)
    (local $c i32)
    (local.set $dst (i32.add (local.get $dst) (i32.add (i32.shl (i32.shr_u (local.get $i) (i32.const 2)) (i32.const 4))
      (i32.shl (i32.and (local.get $i) (i32.const 3)) (i32.const 2)))))
    (block $done
      (loop $next
        (br_if $done (i32.ge_u (local.get $c) (local.get $n)))
        (i32.store16
          (i32.add (i32.add (local.get $dst) (i32.mul (i32.shr_u (local.get $c) (i32.const 1)) (i32.shl (local.get $groups) (i32.const 4))))
            (i32.shl (i32.and (local.get $c) (i32.const 1)) (i32.const 1)))
          (i32.load8_s (i32.add (local.get $src) (local.get $c))))
        (local.set $c (i32.add (local.get $c) (i32.const 1)))
        (br $next))))

  ;; $open writes the n int8 at $src as int16 at $dst, eight at a time.
  (func $open (param $dst i32) (param $src i32) (param $n i32)
    (local $end i32)
    (local.set $end (i32.add (local.get $src) (i32.and (local.get $n) (i32.const -8))))
    (block $done
      (loop $next
        (br_if $done (i32.ge_u (local.get $src) (local.get $end)))
        (v128.store (local.get $dst) (v128.load8x8_s (local.get $src)))
        (local.set $dst (i32.add (local.get $dst) (i32.const 16)))
        (local.set $src (i32.add (local.get $src) (i32.const 8)))
        (br $next)))
    (call $widen (local.get $dst) (local.get $src) (i32.and (local.get $n) (i32.const 7))))

  ;; $pair4 raises the best of four groups at $best by two tokens, the int16 at $s and $t with their scales. $q is the first of the groups.
  (func $pair4 (param $best i32) (param $q i32) (param $stride i32) (param $s i32) (param $t i32) (param $end i32) (param $sscale i32) (param $tscale i32)
    (local $x v128) (local $y v128) (local $v v128) (local $a v128) (local $b v128) (local $c v128) (local $d v128)
    (local $e v128) (local $f v128) (local $g v128) (local $h v128)
    (loop $next
      (local.set $x (v128.load32_splat (local.get $s)))
      (local.set $y (v128.load32_splat (local.get $t)))
      (local.set $v (v128.load (local.get $q)))
      (local.set $a (i32x4.add (local.get $a) (i32x4.dot_i16x8_s (local.get $x) (local.get $v))))
      (local.set $e (i32x4.add (local.get $e) (i32x4.dot_i16x8_s (local.get $y) (local.get $v))))
      (local.set $v (v128.load offset=16 (local.get $q)))
      (local.set $b (i32x4.add (local.get $b) (i32x4.dot_i16x8_s (local.get $x) (local.get $v))))
      (local.set $f (i32x4.add (local.get $f) (i32x4.dot_i16x8_s (local.get $y) (local.get $v))))
      (local.set $v (v128.load offset=32 (local.get $q)))
      (local.set $c (i32x4.add (local.get $c) (i32x4.dot_i16x8_s (local.get $x) (local.get $v))))
      (local.set $g (i32x4.add (local.get $g) (i32x4.dot_i16x8_s (local.get $y) (local.get $v))))
      (local.set $v (v128.load offset=48 (local.get $q)))
      (local.set $d (i32x4.add (local.get $d) (i32x4.dot_i16x8_s (local.get $x) (local.get $v))))
      (local.set $h (i32x4.add (local.get $h) (i32x4.dot_i16x8_s (local.get $y) (local.get $v))))
      (local.set $q (i32.add (local.get $q) (local.get $stride)))
      (local.set $t (i32.add (local.get $t) (i32.const 4)))
      (local.set $s (i32.add (local.get $s) (i32.const 4)))
      (br_if $next (i32.lt_u (local.get $s) (local.get $end))))
    (local.set $x (v128.load32_splat (local.get $sscale)))
    (local.set $y (v128.load32_splat (local.get $tscale)))
    (v128.store (local.get $best)
      (f32x4.pmax
        (f32x4.pmax (v128.load (local.get $best)) (f32x4.mul (f32x4.convert_i32x4_s (local.get $a)) (local.get $x)))
        (f32x4.mul (f32x4.convert_i32x4_s (local.get $e)) (local.get $y))))
    (v128.store offset=16 (local.get $best)
      (f32x4.pmax
        (f32x4.pmax (v128.load offset=16 (local.get $best)) (f32x4.mul (f32x4.convert_i32x4_s (local.get $b)) (local.get $x)))
        (f32x4.mul (f32x4.convert_i32x4_s (local.get $f)) (local.get $y))))
    (v128.store offset=32 (local.get $best)
      (f32x4.pmax
        (f32x4.pmax (v128.load offset=32 (local.get $best)) (f32x4.mul (f32x4.convert_i32x4_s (local.get $c)) (local.get $x)))
        (f32x4.mul (f32x4.convert_i32x4_s (local.get $g)) (local.get $y))))
    (v128.store offset=48 (local.get $best)
      (f32x4.pmax
        (f32x4.pmax (v128.load offset=48 (local.get $best)) (f32x4.mul (f32x4.convert_i32x4_s (local.get $d)) (local.get $x)))
        (f32x4.mul (f32x4.convert_i32x4_s (local.get $h)) (local.get $y)))))

  ;; $pair1 does the same for one group.
  (func $pair1 (param $best i32) (param $q i32) (param $stride i32) (param $s i32) (param $t i32) (param $end i32) (param $sscale i32) (param $tscale i32)
    (local $x v128) (local $y v128) (local $v v128) (local $a v128) (local $e v128)
    (loop $next
      (local.set $v (v128.load (local.get $q)))
      (local.set $a (i32x4.add (local.get $a) (i32x4.dot_i16x8_s (v128.load32_splat (local.get $s)) (local.get $v))))
      (local.set $e (i32x4.add (local.get $e) (i32x4.dot_i16x8_s (v128.load32_splat (local.get $t)) (local.get $v))))
      (local.set $q (i32.add (local.get $q) (local.get $stride)))
      (local.set $t (i32.add (local.get $t) (i32.const 4)))
      (local.set $s (i32.add (local.get $s) (i32.const 4)))
      (br_if $next (i32.lt_u (local.get $s) (local.get $end))))
    (local.set $x (v128.load32_splat (local.get $sscale)))
    (local.set $y (v128.load32_splat (local.get $tscale)))
    (v128.store (local.get $best)
      (f32x4.pmax
        (f32x4.pmax (v128.load (local.get $best)) (f32x4.mul (f32x4.convert_i32x4_s (local.get $a)) (local.get $x)))
        (f32x4.mul (f32x4.convert_i32x4_s (local.get $e)) (local.get $y)))))

  ;; dst[d] = sum over the query's tokens of qscale × max over the tokens t of document d of dot × scale[t], in that order, in f32;
  ;; 0 for a document without tokens. Document d has tokens offsets[d] to offsets[d+1]. $room is of zeros: for the query's groups of four tokens 16
  ;; bytes each and for every two numbers of a row, 16 a group for the best, and two rows of int16, each of an even number.
  (func (export "max_sim_i8") (param $dst i32) (param $tokens i32) (param $scales i32) (param $offsets i32) (param $docs i32)
      (param $q i32) (param $qscales i32) (param $nq i32) (param $dim i32) (param $room i32)
    (local $i i32) (local $groups i32) (local $stride i32) (local $bests i32) (local $s i32) (local $t i32) (local $end i32)
    (local $row i32) (local $scale i32) (local $last i32) (local $next i32) (local $g i32) (local $sum f32) (local $stop i32)
    (local.set $groups (i32.shr_u (i32.add (local.get $nq) (i32.const 3)) (i32.const 2)))
    (local.set $stride (i32.shl (local.get $groups) (i32.const 4)))
    (block $done
      (loop $query
        (br_if $done (i32.ge_u (local.get $i) (local.get $nq)))
        (call $spread (local.get $room) (i32.add (local.get $q) (i32.mul (local.get $i) (local.get $dim))) (local.get $dim) (local.get $i) (local.get $groups))
        (local.set $i (i32.add (local.get $i) (i32.const 1)))
        (br $query)))
    (local.set $bests (i32.add (local.get $room) (i32.mul (i32.shr_u (i32.add (local.get $dim) (i32.const 1)) (i32.const 1)) (local.get $stride))))
    (local.set $s (i32.add (local.get $bests) (local.get $stride)))
    (local.set $end (i32.add (local.get $s) (i32.and (i32.add (i32.shl (local.get $dim) (i32.const 1)) (i32.const 2)) (i32.const -4))))
    (local.set $t (local.get $end))
    (local.set $stop (i32.add (local.get $offsets) (i32.shl (local.get $docs) (i32.const 2))))
    (block $done
      (loop $doc
        (br_if $done (i32.ge_u (local.get $offsets) (local.get $stop)))
        (local.set $sum (f32.const 0))
        (local.set $scale (i32.add (local.get $scales) (i32.shl (i32.load (local.get $offsets)) (i32.const 2))))
        (local.set $last (i32.add (local.get $scales) (i32.shl (i32.load offset=4 (local.get $offsets)) (i32.const 2))))
        (if (i32.lt_u (local.get $scale) (local.get $last)) (then
          (local.set $row (i32.add (local.get $tokens) (i32.mul (i32.load (local.get $offsets)) (local.get $dim))))
          (local.set $g (local.get $bests))
          (loop $clear
            (v128.store (local.get $g) (v128.const f32x4 -inf -inf -inf -inf))
            (local.set $g (i32.add (local.get $g) (i32.const 16)))
            (br_if $clear (i32.lt_u (local.get $g) (local.get $s))))
          (loop $tokens
            ;; two tokens, or the last one twice, which changes nothing
            (local.set $next (i32.add (local.get $scale) (i32.const 4)))
            (call $open (local.get $s) (local.get $row) (local.get $dim))
            (if (i32.lt_u (local.get $next) (local.get $last))
              (then (local.set $row (i32.add (local.get $row) (local.get $dim))))
              (else (local.set $next (local.get $scale))))
            (call $open (local.get $t) (local.get $row) (local.get $dim))
            (local.set $row (i32.add (local.get $row) (local.get $dim)))
            (local.set $g (local.get $bests))
            (local.set $i (local.get $room))
            (block $four
              (loop $group
                (br_if $four (i32.gt_u (i32.add (local.get $g) (i32.const 64)) (local.get $s)))
                (call $pair4 (local.get $g) (local.get $i) (local.get $stride) (local.get $s) (local.get $t) (local.get $end) (local.get $scale) (local.get $next))
                (local.set $g (i32.add (local.get $g) (i32.const 64)))
                (local.set $i (i32.add (local.get $i) (i32.const 64)))
                (br $group)))
            (block $one
              (loop $group
                (br_if $one (i32.ge_u (local.get $g) (local.get $s)))
                (call $pair1 (local.get $g) (local.get $i) (local.get $stride) (local.get $s) (local.get $t) (local.get $end) (local.get $scale) (local.get $next))
                (local.set $g (i32.add (local.get $g) (i32.const 16)))
                (local.set $i (i32.add (local.get $i) (i32.const 16)))
                (br $group)))
            (local.set $scale (i32.add (local.get $next) (i32.const 4)))
            (br_if $tokens (i32.lt_u (local.get $scale) (local.get $last))))
          (local.set $i (i32.const 0))
          (loop $summed
            (local.set $sum (f32.add (local.get $sum)
              (f32.mul (f32.load (i32.add (local.get $bests) (local.get $i))) (f32.load (i32.add (local.get $qscales) (local.get $i))))))
            (local.set $i (i32.add (local.get $i) (i32.const 4)))
            (br_if $summed (i32.lt_u (local.get $i) (i32.shl (local.get $nq) (i32.const 2)))))))
        (f32.store (local.get $dst) (local.get $sum))
        (local.set $dst (i32.add (local.get $dst) (i32.const 4)))
        (local.set $offsets (i32.add (local.get $offsets) (i32.const 4)))
        (br $doc))))

  ;; ---- dot products of f32 --------------------------------------------------------------------------------------------------

  ;; dst[r] = rows[r] · q, for n rows. Sixteen sums, element c going to sum c mod 16, are folded to 8, 4, 2, 1. $q holds dim numbers and
  ;; zeros up to a multiple of 16; $tail is room for 16 numbers.
  (func (export "dot_f32") (param $dst i32) (param $rows i32) (param $n i32) (param $q i32) (param $dim i32) (param $tail i32)
    (local $r i32) (local $p i32) (local $x i32) (local $end i32) (local $rest i32)
    (local $a v128) (local $b v128) (local $c v128) (local $d v128)
    (local.set $rest (i32.shl (i32.and (local.get $dim) (i32.const 15)) (i32.const 2)))
    (memory.fill (local.get $tail) (i32.const 0) (i32.const 64))
    (block $done
      (loop $row
        (br_if $done (i32.ge_u (local.get $r) (local.get $n)))
        (local.set $p (i32.add (local.get $rows) (i32.mul (local.get $r) (i32.shl (local.get $dim) (i32.const 2)))))
        (local.set $x (local.get $q))
        (local.set $end (i32.add (local.get $p) (i32.shl (i32.and (local.get $dim) (i32.const -16)) (i32.const 2))))
        (local.set $a (v128.const i32x4 0 0 0 0))
        (local.set $b (v128.const i32x4 0 0 0 0))
        (local.set $c (v128.const i32x4 0 0 0 0))
        (local.set $d (v128.const i32x4 0 0 0 0))
        (block $folded
          (loop $next
            (if (i32.eq (local.get $p) (local.get $end)) (then
              ;; What is left of a row goes through $tail, which stays zero behind it.
              (br_if $folded (i32.eqz (local.get $rest)))
              (memory.copy (local.get $tail) (local.get $p) (local.get $rest))
              (local.set $p (local.get $tail))
              (local.set $end (i32.add (local.get $tail) (i32.const 64)))))
            (local.set $a (f32x4.add (local.get $a) (f32x4.mul (v128.load (local.get $x)) (v128.load (local.get $p)))))
            (local.set $b (f32x4.add (local.get $b) (f32x4.mul (v128.load offset=16 (local.get $x)) (v128.load offset=16 (local.get $p)))))
            (local.set $c (f32x4.add (local.get $c) (f32x4.mul (v128.load offset=32 (local.get $x)) (v128.load offset=32 (local.get $p)))))
            (local.set $d (f32x4.add (local.get $d) (f32x4.mul (v128.load offset=48 (local.get $x)) (v128.load offset=48 (local.get $p)))))
            (local.set $p (i32.add (local.get $p) (i32.const 64)))
            (local.set $x (i32.add (local.get $x) (i32.const 64)))
            (br_if $folded (i32.eq (local.get $p) (i32.add (local.get $tail) (i32.const 64))))
            (br $next)))
        (local.set $a (f32x4.add (f32x4.add (local.get $a) (local.get $c)) (f32x4.add (local.get $b) (local.get $d))))
        (local.set $a (f32x4.add (local.get $a) (i8x16.shuffle 8 9 10 11 12 13 14 15 0 1 2 3 4 5 6 7 (local.get $a) (local.get $a))))
        (f32.store (i32.add (local.get $dst) (i32.shl (local.get $r) (i32.const 2)))
          (f32.add (f32x4.extract_lane 0 (local.get $a)) (f32x4.extract_lane 1 (local.get $a))))
        (local.set $r (i32.add (local.get $r) (i32.const 1)))
        (br $row))))

  ;; dst[i] = rows[at[i]] · q in double precision, added up in order, for n places, a multiple of 8: eight sums of their own go on at once. q is f64.
  (func (export "dot_f64_at") (param $dst i32) (param $rows i32) (param $at i32) (param $n i32) (param $query i32) (param $dim i32)
    (local $r0 i32) (local $r1 i32) (local $r2 i32) (local $r3 i32) (local $r4 i32) (local $r5 i32) (local $r6 i32) (local $r7 i32)
    (local $x v128) (local $y v128) (local $z v128) (local $a v128) (local $b v128) (local $c v128) (local $d v128)
    (local $q i32) (local $end i32) (local $size i32) (local $last i32)
    (local.set $size (i32.shl (local.get $dim) (i32.const 2)))
    (local.set $last (i32.add (local.get $at) (i32.shl (local.get $n) (i32.const 2))))
    (block $finished
      (loop $eight
        (br_if $finished (i32.ge_u (local.get $at) (local.get $last)))
        (local.set $r0 (i32.add (local.get $rows) (i32.mul (i32.load offset=0 (local.get $at)) (local.get $size))))
        (local.set $r1 (i32.add (local.get $rows) (i32.mul (i32.load offset=4 (local.get $at)) (local.get $size))))
        (local.set $r2 (i32.add (local.get $rows) (i32.mul (i32.load offset=8 (local.get $at)) (local.get $size))))
        (local.set $r3 (i32.add (local.get $rows) (i32.mul (i32.load offset=12 (local.get $at)) (local.get $size))))
        (local.set $r4 (i32.add (local.get $rows) (i32.mul (i32.load offset=16 (local.get $at)) (local.get $size))))
        (local.set $r5 (i32.add (local.get $rows) (i32.mul (i32.load offset=20 (local.get $at)) (local.get $size))))
        (local.set $r6 (i32.add (local.get $rows) (i32.mul (i32.load offset=24 (local.get $at)) (local.get $size))))
        (local.set $r7 (i32.add (local.get $rows) (i32.mul (i32.load offset=28 (local.get $at)) (local.get $size))))
        (local.set $a (v128.const i32x4 0 0 0 0))
        (local.set $b (v128.const i32x4 0 0 0 0))
        (local.set $c (v128.const i32x4 0 0 0 0))
        (local.set $d (v128.const i32x4 0 0 0 0))
        (local.set $q (local.get $query))
        (local.set $end (i32.add (local.get $q) (i32.shl (i32.and (local.get $dim) (i32.const -4)) (i32.const 3))))
        (block $done
          (loop $next
            (br_if $done (i32.ge_u (local.get $q) (local.get $end)))
            (local.set $x (v128.load (local.get $r0)))
            (local.set $y (v128.load (local.get $r1)))
            (local.set $r0 (i32.add (local.get $r0) (i32.const 16)))
            (local.set $r1 (i32.add (local.get $r1) (i32.const 16)))
            (local.set $z (i8x16.shuffle 0 1 2 3 16 17 18 19 4 5 6 7 20 21 22 23 (local.get $x) (local.get $y)))
            (local.set $x (i8x16.shuffle 8 9 10 11 24 25 26 27 12 13 14 15 28 29 30 31 (local.get $x) (local.get $y)))
            (local.set $a (f64x2.add (local.get $a) (f64x2.mul (f64x2.promote_low_f32x4 (local.get $z)) (v128.load64_splat (local.get $q)))))
            (local.set $a (f64x2.add (local.get $a) (f64x2.mul
              (f64x2.promote_low_f32x4 (i8x16.shuffle 8 9 10 11 12 13 14 15 0 1 2 3 4 5 6 7 (local.get $z) (local.get $z))) (v128.load64_splat offset=8 (local.get $q)))))
            (local.set $a (f64x2.add (local.get $a) (f64x2.mul (f64x2.promote_low_f32x4 (local.get $x)) (v128.load64_splat offset=16 (local.get $q)))))
            (local.set $a (f64x2.add (local.get $a) (f64x2.mul
              (f64x2.promote_low_f32x4 (i8x16.shuffle 8 9 10 11 12 13 14 15 0 1 2 3 4 5 6 7 (local.get $x) (local.get $x))) (v128.load64_splat offset=24 (local.get $q)))))
            (local.set $x (v128.load (local.get $r2)))
            (local.set $y (v128.load (local.get $r3)))
            (local.set $r2 (i32.add (local.get $r2) (i32.const 16)))
            (local.set $r3 (i32.add (local.get $r3) (i32.const 16)))
            (local.set $z (i8x16.shuffle 0 1 2 3 16 17 18 19 4 5 6 7 20 21 22 23 (local.get $x) (local.get $y)))
            (local.set $x (i8x16.shuffle 8 9 10 11 24 25 26 27 12 13 14 15 28 29 30 31 (local.get $x) (local.get $y)))
            (local.set $b (f64x2.add (local.get $b) (f64x2.mul (f64x2.promote_low_f32x4 (local.get $z)) (v128.load64_splat (local.get $q)))))
            (local.set $b (f64x2.add (local.get $b) (f64x2.mul
              (f64x2.promote_low_f32x4 (i8x16.shuffle 8 9 10 11 12 13 14 15 0 1 2 3 4 5 6 7 (local.get $z) (local.get $z))) (v128.load64_splat offset=8 (local.get $q)))))
            (local.set $b (f64x2.add (local.get $b) (f64x2.mul (f64x2.promote_low_f32x4 (local.get $x)) (v128.load64_splat offset=16 (local.get $q)))))
            (local.set $b (f64x2.add (local.get $b) (f64x2.mul
              (f64x2.promote_low_f32x4 (i8x16.shuffle 8 9 10 11 12 13 14 15 0 1 2 3 4 5 6 7 (local.get $x) (local.get $x))) (v128.load64_splat offset=24 (local.get $q)))))
            (local.set $x (v128.load (local.get $r4)))
            (local.set $y (v128.load (local.get $r5)))
            (local.set $r4 (i32.add (local.get $r4) (i32.const 16)))
            (local.set $r5 (i32.add (local.get $r5) (i32.const 16)))
            (local.set $z (i8x16.shuffle 0 1 2 3 16 17 18 19 4 5 6 7 20 21 22 23 (local.get $x) (local.get $y)))
            (local.set $x (i8x16.shuffle 8 9 10 11 24 25 26 27 12 13 14 15 28 29 30 31 (local.get $x) (local.get $y)))
            (local.set $c (f64x2.add (local.get $c) (f64x2.mul (f64x2.promote_low_f32x4 (local.get $z)) (v128.load64_splat (local.get $q)))))
            (local.set $c (f64x2.add (local.get $c) (f64x2.mul
              (f64x2.promote_low_f32x4 (i8x16.shuffle 8 9 10 11 12 13 14 15 0 1 2 3 4 5 6 7 (local.get $z) (local.get $z))) (v128.load64_splat offset=8 (local.get $q)))))
            (local.set $c (f64x2.add (local.get $c) (f64x2.mul (f64x2.promote_low_f32x4 (local.get $x)) (v128.load64_splat offset=16 (local.get $q)))))
            (local.set $c (f64x2.add (local.get $c) (f64x2.mul
              (f64x2.promote_low_f32x4 (i8x16.shuffle 8 9 10 11 12 13 14 15 0 1 2 3 4 5 6 7 (local.get $x) (local.get $x))) (v128.load64_splat offset=24 (local.get $q)))))
            (local.set $x (v128.load (local.get $r6)))
            (local.set $y (v128.load (local.get $r7)))
            (local.set $r6 (i32.add (local.get $r6) (i32.const 16)))
            (local.set $r7 (i32.add (local.get $r7) (i32.const 16)))
            (local.set $z (i8x16.shuffle 0 1 2 3 16 17 18 19 4 5 6 7 20 21 22 23 (local.get $x) (local.get $y)))
            (local.set $x (i8x16.shuffle 8 9 10 11 24 25 26 27 12 13 14 15 28 29 30 31 (local.get $x) (local.get $y)))
            (local.set $d (f64x2.add (local.get $d) (f64x2.mul (f64x2.promote_low_f32x4 (local.get $z)) (v128.load64_splat (local.get $q)))))
            (local.set $d (f64x2.add (local.get $d) (f64x2.mul
              (f64x2.promote_low_f32x4 (i8x16.shuffle 8 9 10 11 12 13 14 15 0 1 2 3 4 5 6 7 (local.get $z) (local.get $z))) (v128.load64_splat offset=8 (local.get $q)))))
            (local.set $d (f64x2.add (local.get $d) (f64x2.mul (f64x2.promote_low_f32x4 (local.get $x)) (v128.load64_splat offset=16 (local.get $q)))))
            (local.set $d (f64x2.add (local.get $d) (f64x2.mul
              (f64x2.promote_low_f32x4 (i8x16.shuffle 8 9 10 11 12 13 14 15 0 1 2 3 4 5 6 7 (local.get $x) (local.get $x))) (v128.load64_splat offset=24 (local.get $q)))))
            (local.set $q (i32.add (local.get $q) (i32.const 32)))
            (br $next)))
        (local.set $end (i32.add (local.get $query) (i32.shl (local.get $dim) (i32.const 3))))
        (block $done
          (loop $next
            (br_if $done (i32.ge_u (local.get $q) (local.get $end)))
        (local.set $x (v128.load32_lane 1 (local.get $r1) (v128.load32_zero (local.get $r0))))
        (local.set $r0 (i32.add (local.get $r0) (i32.const 4)))
        (local.set $r1 (i32.add (local.get $r1) (i32.const 4)))
        (local.set $a (f64x2.add (local.get $a) (f64x2.mul (f64x2.promote_low_f32x4 (local.get $x)) (v128.load64_splat (local.get $q)))))
        (local.set $x (v128.load32_lane 1 (local.get $r3) (v128.load32_zero (local.get $r2))))
        (local.set $r2 (i32.add (local.get $r2) (i32.const 4)))
        (local.set $r3 (i32.add (local.get $r3) (i32.const 4)))
        (local.set $b (f64x2.add (local.get $b) (f64x2.mul (f64x2.promote_low_f32x4 (local.get $x)) (v128.load64_splat (local.get $q)))))
        (local.set $x (v128.load32_lane 1 (local.get $r5) (v128.load32_zero (local.get $r4))))
        (local.set $r4 (i32.add (local.get $r4) (i32.const 4)))
        (local.set $r5 (i32.add (local.get $r5) (i32.const 4)))
        (local.set $c (f64x2.add (local.get $c) (f64x2.mul (f64x2.promote_low_f32x4 (local.get $x)) (v128.load64_splat (local.get $q)))))
        (local.set $x (v128.load32_lane 1 (local.get $r7) (v128.load32_zero (local.get $r6))))
        (local.set $r6 (i32.add (local.get $r6) (i32.const 4)))
        (local.set $r7 (i32.add (local.get $r7) (i32.const 4)))
        (local.set $d (f64x2.add (local.get $d) (f64x2.mul (f64x2.promote_low_f32x4 (local.get $x)) (v128.load64_splat (local.get $q)))))
            (local.set $q (i32.add (local.get $q) (i32.const 8)))
            (br $next)))
        (v128.store (local.get $dst) (local.get $a))
        (v128.store offset=16 (local.get $dst) (local.get $b))
        (v128.store offset=32 (local.get $dst) (local.get $c))
        (v128.store offset=48 (local.get $dst) (local.get $d))
        (local.set $dst (i32.add (local.get $dst) (i32.const 64)))
        (local.set $at (i32.add (local.get $at) (i32.const 32)))
        (br $eight))))

  ;; dst[c] += Σ ((row of token i)[c]) · scales[token i] in double precision, in the order of the n tokens. A row has $half bytes, a multiple of 8, of two numbers
  ;; each, the even column in the low half, and 8 more than they count. Sixteen columns at a time stay in registers.
  (func (export "sum_rows") (param $dst i32) (param $rows i32) (param $half i32) (param $scales i32) (param $tokens i32) (param $n i32)
    (local $a v128) (local $b v128) (local $c v128) (local $d v128) (local $e v128) (local $f v128) (local $g v128) (local $h v128)
    (local $x v128) (local $y v128) (local $w v128) (local $s v128) (local $t i32) (local $last i32) (local $end i32) (local $token i32)
    (local.set $last (i32.add (local.get $tokens) (i32.shl (local.get $n) (i32.const 2))))
    (local.set $end (i32.add (local.get $rows) (local.get $half)))
    (block $finished
      (loop $columns
        (br_if $finished (i32.ge_u (local.get $rows) (local.get $end)))
        (local.set $a (v128.load (local.get $dst)))
        (local.set $b (v128.load offset=16 (local.get $dst)))
        (local.set $c (v128.load offset=32 (local.get $dst)))
        (local.set $d (v128.load offset=48 (local.get $dst)))
        (local.set $e (v128.load offset=64 (local.get $dst)))
        (local.set $f (v128.load offset=80 (local.get $dst)))
        (local.set $g (v128.load offset=96 (local.get $dst)))
        (local.set $h (v128.load offset=112 (local.get $dst)))
        (local.set $t (local.get $tokens))
        (block $done
          (loop $next
            (br_if $done (i32.ge_u (local.get $t) (local.get $last)))
            (local.set $token (i32.load (local.get $t)))
            (local.set $s (v128.load64_splat (i32.add (local.get $scales) (i32.shl (local.get $token) (i32.const 3)))))
            (local.set $x (v128.load64_zero (i32.add (local.get $rows) (i32.mul (local.get $token) (local.get $half)))))
            (local.set $x (i8x16.sub
              (i8x16.shuffle 0 16 1 17 2 18 3 19 4 20 5 21 6 22 7 23
                (v128.and (local.get $x) (v128.const i32x4 0x0f0f0f0f 0x0f0f0f0f 0x0f0f0f0f 0x0f0f0f0f)) (i8x16.shr_u (local.get $x) (i32.const 4)))
              (v128.const i32x4 0x08080808 0x08080808 0x08080808 0x08080808)))
            (local.set $y (i16x8.extend_low_i8x16_s (local.get $x)))
            (local.set $w (i32x4.extend_low_i16x8_s (local.get $y)))
            (local.set $a (f64x2.add (local.get $a) (f64x2.mul (f64x2.convert_low_i32x4_s (local.get $w)) (local.get $s))))
            (local.set $b (f64x2.add (local.get $b) (f64x2.mul
              (f64x2.convert_low_i32x4_s (i8x16.shuffle 8 9 10 11 12 13 14 15 0 1 2 3 4 5 6 7 (local.get $w) (local.get $w))) (local.get $s))))
            (local.set $w (i32x4.extend_high_i16x8_s (local.get $y)))
            (local.set $c (f64x2.add (local.get $c) (f64x2.mul (f64x2.convert_low_i32x4_s (local.get $w)) (local.get $s))))
            (local.set $d (f64x2.add (local.get $d) (f64x2.mul
              (f64x2.convert_low_i32x4_s (i8x16.shuffle 8 9 10 11 12 13 14 15 0 1 2 3 4 5 6 7 (local.get $w) (local.get $w))) (local.get $s))))
            (local.set $y (i16x8.extend_high_i8x16_s (local.get $x)))
            (local.set $w (i32x4.extend_low_i16x8_s (local.get $y)))
            (local.set $e (f64x2.add (local.get $e) (f64x2.mul (f64x2.convert_low_i32x4_s (local.get $w)) (local.get $s))))
            (local.set $f (f64x2.add (local.get $f) (f64x2.mul
              (f64x2.convert_low_i32x4_s (i8x16.shuffle 8 9 10 11 12 13 14 15 0 1 2 3 4 5 6 7 (local.get $w) (local.get $w))) (local.get $s))))
            (local.set $w (i32x4.extend_high_i16x8_s (local.get $y)))
            (local.set $g (f64x2.add (local.get $g) (f64x2.mul (f64x2.convert_low_i32x4_s (local.get $w)) (local.get $s))))
            (local.set $h (f64x2.add (local.get $h) (f64x2.mul
              (f64x2.convert_low_i32x4_s (i8x16.shuffle 8 9 10 11 12 13 14 15 0 1 2 3 4 5 6 7 (local.get $w) (local.get $w))) (local.get $s))))
            (local.set $t (i32.add (local.get $t) (i32.const 4)))
            (br $next)))
        (v128.store (local.get $dst) (local.get $a))
        (v128.store offset=16 (local.get $dst) (local.get $b))
        (v128.store offset=32 (local.get $dst) (local.get $c))
        (v128.store offset=48 (local.get $dst) (local.get $d))
        (v128.store offset=64 (local.get $dst) (local.get $e))
        (v128.store offset=80 (local.get $dst) (local.get $f))
        (v128.store offset=96 (local.get $dst) (local.get $g))
        (v128.store offset=112 (local.get $dst) (local.get $h))
        (local.set $dst (i32.add (local.get $dst) (i32.const 128)))
        (local.set $rows (i32.add (local.get $rows) (i32.const 8)))
        (br $columns))))

  ;; ---- Hamming distances ----------------------------------------------------------------------------------------------------

  ;; dst[r] = number of bits in which rows[r] and q differ, for n rows of $size bytes; counts[v] grows by the number of rows that are v. Rows of 48 bytes,
  ;; which 384 numbers make, are compared with words that stay in registers.
  (func (export "hamming") (param $dst i32) (param $rows i32) (param $n i32) (param $q i32) (param $size i32) (param $counts i32)
    (local $sum i32) (local $x i32) (local $end i32) (local $last i32)
    (local $a i64) (local $b i64) (local $c i64) (local $d i64) (local $e i64) (local $f i64)
    (local.set $last (i32.add (local.get $dst) (i32.shl (local.get $n) (i32.const 2))))
    (if (i32.eq (local.get $size) (i32.const 48)) (then
      (local.set $a (i64.load (local.get $q)))
      (local.set $b (i64.load offset=8 (local.get $q)))
      (local.set $c (i64.load offset=16 (local.get $q)))
      (local.set $d (i64.load offset=24 (local.get $q)))
      (local.set $e (i64.load offset=32 (local.get $q)))
      (local.set $f (i64.load offset=40 (local.get $q)))
      (loop $row
        (if (i32.lt_u (local.get $dst) (local.get $last)) (then
          (local.set $sum (i32.wrap_i64 (i64.add
            (i64.add (i64.add (i64.popcnt (i64.xor (local.get $a) (i64.load (local.get $rows)))) (i64.popcnt (i64.xor (local.get $b) (i64.load offset=8 (local.get $rows)))))
              (i64.add (i64.popcnt (i64.xor (local.get $c) (i64.load offset=16 (local.get $rows)))) (i64.popcnt (i64.xor (local.get $d) (i64.load offset=24 (local.get $rows))))))
            (i64.add (i64.popcnt (i64.xor (local.get $e) (i64.load offset=32 (local.get $rows)))) (i64.popcnt (i64.xor (local.get $f) (i64.load offset=40 (local.get $rows))))))))
          (i32.store (local.get $dst) (local.get $sum))
          (local.set $x (i32.add (local.get $counts) (i32.shl (local.get $sum) (i32.const 2))))
          (i32.store (local.get $x) (i32.add (i32.load (local.get $x)) (i32.const 1)))
          (local.set $rows (i32.add (local.get $rows) (i32.const 48)))
          (local.set $dst (i32.add (local.get $dst) (i32.const 4)))
          (br $row))))
      (return)))
    (block $done
      (loop $row
        (br_if $done (i32.ge_u (local.get $dst) (local.get $last)))
        (local.set $x (local.get $q))
        (local.set $a (i64.const 0))
        (local.set $end (i32.add (local.get $rows) (i32.and (local.get $size) (i32.const -8))))
        (block $summed
          (loop $next
            (br_if $summed (i32.ge_u (local.get $rows) (local.get $end)))
            (local.set $a (i64.add (local.get $a) (i64.popcnt (i64.xor (i64.load (local.get $rows)) (i64.load (local.get $x))))))
            (local.set $rows (i32.add (local.get $rows) (i32.const 8)))
            (local.set $x (i32.add (local.get $x) (i32.const 8)))
            (br $next)))
        (local.set $sum (i32.wrap_i64 (local.get $a)))
        (local.set $end (i32.add (local.get $end) (i32.and (local.get $size) (i32.const 7))))
        (block $summed
          (loop $next
            (br_if $summed (i32.ge_u (local.get $rows) (local.get $end)))
            (local.set $sum (i32.add (local.get $sum)
              (i32.popcnt (i32.xor (i32.load8_u (local.get $rows)) (i32.load8_u (local.get $x))))))
            (local.set $rows (i32.add (local.get $rows) (i32.const 1)))
            (local.set $x (i32.add (local.get $x) (i32.const 1)))
            (br $next)))
        (i32.store (local.get $dst) (local.get $sum))
        (local.set $x (i32.add (local.get $counts) (i32.shl (local.get $sum) (i32.const 2))))
        (i32.store (local.get $x) (i32.add (i32.load (local.get $x)) (i32.const 1)))
        (local.set $dst (i32.add (local.get $dst) (i32.const 4)))
        (br $row))))

  ;; ---- choosing --------------------------------------------------------------------------------------------------------------

  ;; $near writes the places, ascending, of those of n numbers that are below $limit and of the first $ties that equal it, and returns how many there
  ;; are. $dst has room for one more.
  (func (export "near") (param $dst i32) (param $values i32) (param $n i32) (param $limit i32) (param $ties i32) (result i32)
    (local $i i32) (local $v i32) (local $equal i32) (local $from i32) (local $limits v128) (local $four v128)
    (local.set $from (local.get $dst))
    (local.set $limits (i32x4.splat (local.get $limit)))
    (block $fours
      (loop $next
        (br_if $fours (i32.gt_u (i32.add (local.get $i) (i32.const 4)) (local.get $n)))
        (local.set $four (v128.load (local.get $values)))
        (if (v128.any_true (i32x4.le_u (local.get $four) (local.get $limits))) (then
          (local.set $v (i32x4.extract_lane 0 (local.get $four)))
          (local.set $equal (i32.and (i32.eq (local.get $v) (local.get $limit)) (i32.gt_u (local.get $ties) (i32.const 0))))
          (local.set $ties (i32.sub (local.get $ties) (local.get $equal)))
          (i32.store (local.get $dst) (local.get $i))
          (local.set $dst (i32.add (local.get $dst) (i32.shl (i32.or (local.get $equal) (i32.lt_u (local.get $v) (local.get $limit))) (i32.const 2))))
          (local.set $v (i32x4.extract_lane 1 (local.get $four)))
          (local.set $equal (i32.and (i32.eq (local.get $v) (local.get $limit)) (i32.gt_u (local.get $ties) (i32.const 0))))
          (local.set $ties (i32.sub (local.get $ties) (local.get $equal)))
          (i32.store (local.get $dst) (i32.add (local.get $i) (i32.const 1)))
          (local.set $dst (i32.add (local.get $dst) (i32.shl (i32.or (local.get $equal) (i32.lt_u (local.get $v) (local.get $limit))) (i32.const 2))))
          (local.set $v (i32x4.extract_lane 2 (local.get $four)))
          (local.set $equal (i32.and (i32.eq (local.get $v) (local.get $limit)) (i32.gt_u (local.get $ties) (i32.const 0))))
          (local.set $ties (i32.sub (local.get $ties) (local.get $equal)))
          (i32.store (local.get $dst) (i32.add (local.get $i) (i32.const 2)))
          (local.set $dst (i32.add (local.get $dst) (i32.shl (i32.or (local.get $equal) (i32.lt_u (local.get $v) (local.get $limit))) (i32.const 2))))
          (local.set $v (i32x4.extract_lane 3 (local.get $four)))
          (local.set $equal (i32.and (i32.eq (local.get $v) (local.get $limit)) (i32.gt_u (local.get $ties) (i32.const 0))))
          (local.set $ties (i32.sub (local.get $ties) (local.get $equal)))
          (i32.store (local.get $dst) (i32.add (local.get $i) (i32.const 3)))
          (local.set $dst (i32.add (local.get $dst) (i32.shl (i32.or (local.get $equal) (i32.lt_u (local.get $v) (local.get $limit))) (i32.const 2))))))
        (local.set $values (i32.add (local.get $values) (i32.const 16)))
        (local.set $i (i32.add (local.get $i) (i32.const 4)))
        (br $next)))
    (block $done
      (loop $next
        (br_if $done (i32.ge_u (local.get $i) (local.get $n)))
        (local.set $v (i32.load (local.get $values)))
        (local.set $equal (i32.and (i32.eq (local.get $v) (local.get $limit)) (i32.gt_u (local.get $ties) (i32.const 0))))
        (local.set $ties (i32.sub (local.get $ties) (local.get $equal)))
        (i32.store (local.get $dst) (local.get $i))
        (local.set $dst (i32.add (local.get $dst) (i32.shl (i32.or (local.get $equal) (i32.lt_u (local.get $v) (local.get $limit))) (i32.const 2))))
        (local.set $values (i32.add (local.get $values) (i32.const 4)))
        (local.set $i (i32.add (local.get $i) (i32.const 1)))
        (br $next)))
    (i32.shr_u (i32.sub (local.get $dst) (local.get $from)) (i32.const 2)))

  ;; dst[i] = f32(dots[i]) × factors[i], for n numbers. most[i mod m] becomes the largest of them, where that is larger than what
  ;; is there; m is a multiple of 4.
  (func (export "weigh") (param $dst i32) (param $dots i32) (param $factors i32) (param $n i32) (param $most i32) (param $m i32)
    (local $v v128) (local $w f32) (local $end i32) (local $p i32) (local $stop i32)
    (local.set $p (local.get $most))
    (local.set $stop (i32.add (local.get $most) (i32.shl (local.get $m) (i32.const 2))))
    (local.set $end (i32.add (local.get $dots) (i32.shl (i32.and (local.get $n) (i32.const -4)) (i32.const 2))))
    (block $done
      (loop $next
        (br_if $done (i32.ge_u (local.get $dots) (local.get $end)))
        (local.set $v (f32x4.mul (f32x4.convert_i32x4_s (v128.load (local.get $dots))) (v128.load (local.get $factors))))
        (v128.store (local.get $dst) (local.get $v))
        (v128.store (local.get $p) (f32x4.pmax (v128.load (local.get $p)) (local.get $v)))
        (local.set $dst (i32.add (local.get $dst) (i32.const 16)))
        (local.set $dots (i32.add (local.get $dots) (i32.const 16)))
        (local.set $factors (i32.add (local.get $factors) (i32.const 16)))
        (local.set $p (i32.add (local.get $p) (i32.const 16)))
        (local.set $p (select (local.get $most) (local.get $p) (i32.ge_u (local.get $p) (local.get $stop))))
        (br $next)))
    (local.set $end (i32.add (local.get $end) (i32.shl (i32.and (local.get $n) (i32.const 3)) (i32.const 2))))
    (block $done
      (loop $next
        (br_if $done (i32.ge_u (local.get $dots) (local.get $end)))
        (local.set $w (f32.mul (f32.convert_i32_s (i32.load (local.get $dots))) (f32.load (local.get $factors))))
        (f32.store (local.get $dst) (local.get $w))
        (if (f32.gt (local.get $w) (f32.load (local.get $p))) (then (f32.store (local.get $p) (local.get $w))))
        (local.set $dst (i32.add (local.get $dst) (i32.const 4)))
        (local.set $dots (i32.add (local.get $dots) (i32.const 4)))
        (local.set $factors (i32.add (local.get $factors) (i32.const 4)))
        (local.set $p (i32.add (local.get $p) (i32.const 4)))
        (br $next))))

  ;; $above writes the places, ascending, of those of n numbers that are $least or more, and returns how many there are: at most $room, which ends it.
  (func (export "above") (param $dst i32) (param $room i32) (param $values i32) (param $n i32) (param $least f32) (result i32)
    (local $i i32) (local $from i32) (local $mask i32) (local $limit v128) (local $last i32)
    (local.set $from (local.get $dst))
    (local.set $last (i32.add (local.get $dst) (i32.shl (local.get $room) (i32.const 2))))
    (local.set $limit (f32x4.splat (local.get $least)))
    (block $done
      (loop $next
        (br_if $done (i32.ge_u (local.get $i) (local.get $n)))
        (if (i32.le_u (i32.add (local.get $i) (i32.const 4)) (local.get $n))
          (then (local.set $mask (i32x4.bitmask (f32x4.ge (v128.load (local.get $values)) (local.get $limit)))))
          (else
            (local.set $mask (i32.const 0))
            (loop $rest
              (local.set $mask (i32.or (local.get $mask) (i32.shl
                (f32.ge (f32.load (i32.add (local.get $values) (i32.shl (i32.and (local.get $i) (i32.const 3)) (i32.const 2)))) (local.get $least))
                (i32.and (local.get $i) (i32.const 3)))))
              (local.set $i (i32.add (local.get $i) (i32.const 1)))
              (br_if $rest (i32.lt_u (local.get $i) (local.get $n))))
            (local.set $i (i32.and (i32.sub (local.get $i) (i32.const 1)) (i32.const -4)))))
        (block $written
          (loop $one
            (br_if $written (i32.eqz (local.get $mask)))
            (br_if $done (i32.ge_u (local.get $dst) (local.get $last)))
            (i32.store (local.get $dst) (i32.add (local.get $i) (i32.ctz (local.get $mask))))
            (local.set $dst (i32.add (local.get $dst) (i32.const 4)))
            (local.set $mask (i32.and (local.get $mask) (i32.sub (local.get $mask) (i32.const 1))))
            (br $one)))
        (local.set $values (i32.add (local.get $values) (i32.const 16)))
        (local.set $i (i32.add (local.get $i) (i32.const 4)))
        (br $next)))
    (i32.shr_u (i32.sub (local.get $dst) (local.get $from)) (i32.const 2)))

  ;; ---- BM25 and the best k --------------------------------------------------------------------------------------------------

  ;; $single is a term score: w − w/(1 + tf·inv).
  (func $single (param $w f32) (param $tf f32) (param $inv f32) (result f32)
    (f32.sub (local.get $w) (f32.div (local.get $w) (f32.add (f32.const 1) (f32.mul (local.get $tf) (local.get $inv))))))

  ;; $add adds the scores of one list to $acc. A posting is document << 8 | tf. $titles are bytes parallel to the postings, or 0; with
  ;; them tf is $weight·title + (tf − title).
  (func $add (param $acc i32) (param $inv i32) (param $p i32) (param $n i32) (param $w f32) (param $titles i32) (param $weight f32)
    (local $end i32) (local $v v128) (local $t v128) (local $ws v128) (local $titlews v128)
    (local $i0 i32) (local $i1 i32) (local $i2 i32) (local $i3 i32) (local $a i32) (local $tf f32)
    (local.set $ws (f32x4.splat (local.get $w)))
    (local.set $titlews (f32x4.splat (local.get $weight)))
    (local.set $end (i32.add (local.get $p) (i32.shl (i32.and (local.get $n) (i32.const -4)) (i32.const 2))))
    (block $done
      (loop $next
        (br_if $done (i32.ge_u (local.get $p) (local.get $end)))
        (local.set $v (v128.load (local.get $p)))
        (local.set $i0 (i32.shr_u (i32x4.extract_lane 0 (local.get $v)) (i32.const 8)))
        (local.set $i1 (i32.shr_u (i32x4.extract_lane 1 (local.get $v)) (i32.const 8)))
        (local.set $i2 (i32.shr_u (i32x4.extract_lane 2 (local.get $v)) (i32.const 8)))
        (local.set $i3 (i32.shr_u (i32x4.extract_lane 3 (local.get $v)) (i32.const 8)))
        (local.set $v (v128.and (local.get $v) (v128.const i32x4 255 255 255 255)))
        (if (local.get $titles)
          (then
            (local.set $t (i32x4.extend_low_i16x8_u (i16x8.extend_low_i8x16_u (v128.load32_zero (local.get $titles)))))
            (local.set $titles (i32.add (local.get $titles) (i32.const 4)))
            (local.set $v (f32x4.add (f32x4.mul (local.get $titlews) (f32x4.convert_i32x4_s (local.get $t)))
              (f32x4.convert_i32x4_s (i32x4.sub (local.get $v) (local.get $t))))))
          (else
            (local.set $v (f32x4.convert_i32x4_s (local.get $v)))))
        (local.set $t (v128.load32_zero (i32.add (local.get $inv) (i32.shl (local.get $i0) (i32.const 2)))))
        (local.set $t (v128.load32_lane 1 (i32.add (local.get $inv) (i32.shl (local.get $i1) (i32.const 2))) (local.get $t)))
        (local.set $t (v128.load32_lane 2 (i32.add (local.get $inv) (i32.shl (local.get $i2) (i32.const 2))) (local.get $t)))
        (local.set $t (v128.load32_lane 3 (i32.add (local.get $inv) (i32.shl (local.get $i3) (i32.const 2))) (local.get $t)))
        (local.set $v (f32x4.sub (local.get $ws) (f32x4.div (local.get $ws)
          (f32x4.add (v128.const f32x4 1 1 1 1) (f32x4.mul (local.get $v) (local.get $t))))))
        (local.set $t (f64x2.promote_low_f32x4 (local.get $v)))
        (local.set $a (i32.add (local.get $acc) (i32.shl (local.get $i0) (i32.const 3))))
        (f64.store (local.get $a) (f64.add (f64.load (local.get $a)) (f64x2.extract_lane 0 (local.get $t))))
        (local.set $a (i32.add (local.get $acc) (i32.shl (local.get $i1) (i32.const 3))))
        (f64.store (local.get $a) (f64.add (f64.load (local.get $a)) (f64x2.extract_lane 1 (local.get $t))))
        (local.set $t (f64x2.promote_low_f32x4 (i8x16.shuffle 8 9 10 11 12 13 14 15 0 1 2 3 4 5 6 7 (local.get $v) (local.get $v))))
        (local.set $a (i32.add (local.get $acc) (i32.shl (local.get $i2) (i32.const 3))))
        (f64.store (local.get $a) (f64.add (f64.load (local.get $a)) (f64x2.extract_lane 0 (local.get $t))))
        (local.set $a (i32.add (local.get $acc) (i32.shl (local.get $i3) (i32.const 3))))
        (f64.store (local.get $a) (f64.add (f64.load (local.get $a)) (f64x2.extract_lane 1 (local.get $t))))
        (local.set $p (i32.add (local.get $p) (i32.const 16)))
        (br $next)))
    (local.set $end (i32.add (local.get $end) (i32.shl (i32.and (local.get $n) (i32.const 3)) (i32.const 2))))
    (block $done
      (loop $next
        (br_if $done (i32.ge_u (local.get $p) (local.get $end)))
        (local.set $i0 (i32.load (local.get $p)))
        (local.set $i1 (i32.and (local.get $i0) (i32.const 255)))
        (local.set $i0 (i32.shr_u (local.get $i0) (i32.const 8)))
        (local.set $tf (f32.convert_i32_s (local.get $i1)))
        (if (local.get $titles) (then
          (local.set $i2 (i32.load8_u (local.get $titles)))
          (local.set $titles (i32.add (local.get $titles) (i32.const 1)))
          (local.set $tf (f32.add (f32.mul (local.get $weight) (f32.convert_i32_s (local.get $i2)))
            (f32.convert_i32_s (i32.sub (local.get $i1) (local.get $i2)))))))
        (local.set $a (i32.add (local.get $acc) (i32.shl (local.get $i0) (i32.const 3))))
        (f64.store (local.get $a) (f64.add (f64.load (local.get $a)) (f64.promote_f32 (call $single (local.get $w) (local.get $tf)
          (f32.load (i32.add (local.get $inv) (i32.shl (local.get $i0) (i32.const 2))))))))
        (local.set $p (i32.add (local.get $p) (i32.const 4)))
        (br $next))))

  ;; A key is an i32 that orders documents as their score rounded to f32 does; the smallest i32 stands for a document that is not ranked.

  ;; $keys_single makes the keys of non-negative sums, whose f32 bits they are, and resets the sums to −0.
  (func $keys_single (param $acc i32) (param $keys i32) (param $n i32)
    (local $end i32)
    (local.set $end (i32.add (local.get $keys) (i32.shl (i32.and (local.get $n) (i32.const -4)) (i32.const 2))))
    (block $done
      (loop $next
        (br_if $done (i32.ge_u (local.get $keys) (local.get $end)))
        (v128.store (local.get $keys) (i8x16.shuffle 0 1 2 3 4 5 6 7 16 17 18 19 20 21 22 23
          (f32x4.demote_f64x2_zero (v128.load (local.get $acc)))
          (f32x4.demote_f64x2_zero (v128.load offset=16 (local.get $acc)))))
        (v128.store (local.get $acc) (v128.const f64x2 -0 -0))
        (v128.store offset=16 (local.get $acc) (v128.const f64x2 -0 -0))
        (local.set $acc (i32.add (local.get $acc) (i32.const 32)))
        (local.set $keys (i32.add (local.get $keys) (i32.const 16)))
        (br $next)))
    (local.set $end (i32.add (local.get $end) (i32.shl (i32.and (local.get $n) (i32.const 3)) (i32.const 2))))
    (block $done
      (loop $next
        (br_if $done (i32.ge_u (local.get $keys) (local.get $end)))
        (f32.store (local.get $keys) (f32.demote_f64 (f64.load (local.get $acc))))
        (f64.store (local.get $acc) (f64.const -0))
        (local.set $acc (i32.add (local.get $acc) (i32.const 8)))
        (local.set $keys (i32.add (local.get $keys) (i32.const 4)))
        (br $next))))

  ;; $keys_double makes the keys of sum + base; a sum of −0 is not ranked.
  (func $keys_double (param $acc i32) (param $keys i32) (param $n i32) (param $base f64)
    (local $end i32) (local $x i32)
    (local.set $end (i32.add (local.get $keys) (i32.shl (local.get $n) (i32.const 2))))
    (block $done
      (loop $next
        (br_if $done (i32.ge_u (local.get $keys) (local.get $end)))
        (if (i64.eq (i64.load (local.get $acc)) (i64.const 0x8000000000000000))
          (then (i32.store (local.get $keys) (i32.const 0x80000000)))
          (else
            (local.set $x (i32.reinterpret_f32 (f32.demote_f64 (f64.add (f64.load (local.get $acc)) (local.get $base)))))
            (i32.store (local.get $keys) (i32.xor (local.get $x)
              (i32.and (i32.shr_s (local.get $x) (i32.const 31)) (i32.const 0x7fffffff))))))
        (local.set $acc (i32.add (local.get $acc) (i32.const 8)))
        (local.set $keys (i32.add (local.get $keys) (i32.const 4)))
        (br $next))))

  ;; $mask takes out the documents whose bit in the filter is 0.
  (func $mask (param $keys i32) (param $n i32) (param $filter i32)
    (local $bits i64) (local $d i32) (local $x i32)
    (block $done
      (loop $word
        (br_if $done (i32.ge_u (local.get $d) (local.get $n)))
        (local.set $bits (i64.xor (i64.load (local.get $filter)) (i64.const -1)))
        (block $empty
          (loop $bit
            (br_if $empty (i64.eqz (local.get $bits)))
            (local.set $x (i32.add (local.get $d) (i32.wrap_i64 (i64.ctz (local.get $bits)))))
            (br_if $empty (i32.ge_u (local.get $x) (local.get $n)))
            (i32.store (i32.add (local.get $keys) (i32.shl (local.get $x) (i32.const 2))) (i32.const 0x80000000))
            (local.set $bits (i64.and (local.get $bits) (i64.sub (local.get $bits) (i64.const 1))))
            (br $bit)))
        (local.set $filter (i32.add (local.get $filter) (i32.const 8)))
        (local.set $d (i32.add (local.get $d) (i32.const 64)))
        (br $word))))

  ;; $count counts the keys above $t in every $step bytes' first four keys.
  (func $count (param $keys i32) (param $end i32) (param $step i32) (param $t i32) (result i32)
    (local $c v128) (local $ts v128)
    (local.set $ts (i32x4.splat (local.get $t)))
    (block $done
      (loop $next
        (br_if $done (i32.ge_u (local.get $keys) (local.get $end)))
        (local.set $c (i32x4.sub (local.get $c) (i32x4.gt_s (v128.load (local.get $keys)) (local.get $ts))))
        (local.set $keys (i32.add (local.get $keys) (local.get $step)))
        (br $next)))
    (i32.add (i32.add (i32x4.extract_lane 0 (local.get $c)) (i32x4.extract_lane 1 (local.get $c)))
      (i32.add (i32x4.extract_lane 2 (local.get $c)) (i32x4.extract_lane 3 (local.get $c)))))

  ;; $cut guesses, from a sample, a key that about $target keys are above.
  (func $cut (param $keys i32) (param $end i32) (param $target i32) (result i32)
    (local $step i32) (local $low i32) (local $high i32) (local $lo i32) (local $hi i32) (local $mid i32) (local $c i32)
    (local $m v128) (local $p i32)
    (local.set $lo (i32.const 0x80000000))
    (local.set $step (i32.shr_u (local.get $target) (i32.const 4)))
    (if (i32.eqz (local.get $step)) (then (local.set $step (i32.const 1))))
    (local.set $low (i32.div_u (i32.sub (local.get $target) (i32.shr_u (local.get $target) (i32.const 3))) (local.get $step)))
    (local.set $high (i32.div_u (i32.add (local.get $target) (i32.shr_u (local.get $target) (i32.const 2))) (local.get $step)))
    (local.set $step (i32.shl (local.get $step) (i32.const 4)))
    (if (i32.le_u (call $count (local.get $keys) (local.get $end) (local.get $step) (local.get $lo)) (local.get $high))
      (then (return (local.get $lo))))
    (local.set $m (i32x4.splat (local.get $lo)))
    (local.set $p (local.get $keys))
    (loop $next
      (local.set $m (i32x4.max_s (local.get $m) (v128.load (local.get $p))))
      (br_if $next (i32.lt_u (local.tee $p (i32.add (local.get $p) (local.get $step))) (local.get $end))))
    (local.set $m (i32x4.max_s (local.get $m) (i8x16.shuffle 8 9 10 11 12 13 14 15 0 1 2 3 4 5 6 7 (local.get $m) (local.get $m))))
    (local.set $m (i32x4.max_s (local.get $m) (i8x16.shuffle 4 5 6 7 0 1 2 3 12 13 14 15 8 9 10 11 (local.get $m) (local.get $m))))
    (local.set $hi (i32x4.extract_lane 0 (local.get $m)))
    ;; Halve the interval, after a first try at an eighth of the highest score.
    (local.set $mid (i32.sub (local.get $hi) (i32.const 0x01800000)))
    (if (i32.lt_s (local.get $mid) (i32.const 0)) (then (local.set $mid (i32.const 0))))
    (block $done
      (loop $next
        (br_if $done (i32.ge_s (local.get $mid) (local.get $hi)))
        (br_if $done (i32.le_s (local.get $mid) (local.get $lo)))
        (local.set $c (call $count (local.get $keys) (local.get $end) (local.get $step) (local.get $mid)))
        (if (i32.gt_u (local.get $c) (local.get $high))
          (then (local.set $lo (local.get $mid)))
          (else
            (if (i32.ge_u (local.get $c) (local.get $low)) (then (return (local.get $mid))))
            (local.set $hi (local.get $mid))))
        (local.set $mid (i32.add (i32.and (local.get $lo) (local.get $hi))
          (i32.shr_s (i32.xor (local.get $lo) (local.get $hi)) (i32.const 1))))
        (br $next)))
    (local.get $lo))

  ;; $gather writes the documents with keys above $t, in order, as hits {document, score} and returns how many. The score is the key's own
  ;; where $acc is 0, or else sum + base.
  (func $gather (param $keys i32) (param $end i32) (param $t i32) (param $out i32) (param $acc i32) (param $base f64) (result i32)
    (local $p i32) (local $m i32) (local $d i32) (local $ts v128) (local $first i32)
    (local.set $ts (i32x4.splat (local.get $t)))
    (local.set $p (local.get $keys))
    (local.set $first (local.get $out))
    (block $done
      (loop $next
        (br_if $done (i32.ge_u (local.get $p) (local.get $end)))
        (if (local.tee $m (i32x4.bitmask (i32x4.gt_s (v128.load (local.get $p)) (local.get $ts)))) (then
          (loop $lane
            (local.set $d (i32.add (i32.shr_u (i32.sub (local.get $p) (local.get $keys)) (i32.const 2)) (i32.ctz (local.get $m))))
            (i64.store (local.get $out) (i64.extend_i32_u (local.get $d)))
            (f64.store offset=8 (local.get $out)
              (if (result f64) (local.get $acc)
                (then (f64.add (f64.load (i32.add (local.get $acc) (i32.shl (local.get $d) (i32.const 3)))) (local.get $base)))
                (else (f64.promote_f32 (f32.load (i32.add (local.get $keys) (i32.shl (local.get $d) (i32.const 2))))))))
            (local.set $out (i32.add (local.get $out) (i32.const 16)))
            (br_if $lane (local.tee $m (i32.and (local.get $m) (i32.sub (local.get $m) (i32.const 1))))))))
        (local.set $p (i32.add (local.get $p) (i32.const 16)))
        (br $next)))
    (i32.shr_u (i32.sub (local.get $out) (local.get $first)) (i32.const 4)))

  ;; $sort sorts $n hits at $a by score descending and keeps the order of equal ones. $b is room for as many.
  (func $sort (param $a i32) (param $b i32) (param $n i32)
    (local $width i32) (local $i i32) (local $j i32) (local $o i32) (local $m i32) (local $e i32) (local $end i32) (local $t i32)
    (local $from i32) (local $home i32)
    (local.set $home (local.get $a))
    (local.set $n (i32.shl (local.get $n) (i32.const 4)))
    (local.set $width (i32.const 16))
    (block $sorted
      (loop $pass
        (br_if $sorted (i32.ge_u (local.get $width) (local.get $n)))
        (local.set $from (local.get $a))
        (local.set $end (i32.add (local.get $a) (local.get $n)))
        (local.set $o (local.get $b))
        (block $passed
          (loop $merge
            (br_if $passed (i32.ge_u (local.get $from) (local.get $end)))
            (local.set $i (local.get $from))
            (local.set $m (i32.add (local.get $from) (local.get $width)))
            (if (i32.gt_u (local.get $m) (local.get $end)) (then (local.set $m (local.get $end))))
            (local.set $j (local.get $m))
            (local.set $e (i32.add (local.get $m) (local.get $width)))
            (if (i32.gt_u (local.get $e) (local.get $end)) (then (local.set $e (local.get $end))))
            (local.set $from (local.get $e))
            (block $merged
              (loop $step
                (br_if $merged (i32.ge_u (local.get $i) (local.get $m)))
                (br_if $merged (i32.ge_u (local.get $j) (local.get $e)))
                (local.set $t (f64.gt (f64.load offset=8 (local.get $j)) (f64.load offset=8 (local.get $i))))
                (v128.store (local.get $o) (v128.load (select (local.get $j) (local.get $i) (local.get $t))))
                (local.set $t (i32.shl (local.get $t) (i32.const 4)))
                (local.set $j (i32.add (local.get $j) (local.get $t)))
                (local.set $i (i32.add (local.get $i) (i32.sub (i32.const 16) (local.get $t))))
                (local.set $o (i32.add (local.get $o) (i32.const 16)))
                (br $step)))
            (block $copied
              (loop $step
                (br_if $copied (i32.ge_u (local.get $i) (local.get $m)))
                (v128.store (local.get $o) (v128.load (local.get $i)))
                (local.set $i (i32.add (local.get $i) (i32.const 16)))
                (local.set $o (i32.add (local.get $o) (i32.const 16)))
                (br $step)))
            (block $copied
              (loop $step
                (br_if $copied (i32.ge_u (local.get $j) (local.get $e)))
                (v128.store (local.get $o) (v128.load (local.get $j)))
                (local.set $j (i32.add (local.get $j) (i32.const 16)))
                (local.set $o (i32.add (local.get $o) (i32.const 16)))
                (br $step)))
            (br $merge)))
        (local.set $t (local.get $a))
        (local.set $a (local.get $b))
        (local.set $b (local.get $t))
        (local.set $width (i32.shl (local.get $width) (i32.const 1)))
        (br $pass)))
    (if (i32.ne (local.get $a) (local.get $home)) (then
      (memory.copy (local.get $home) (local.get $a) (local.get $n)))))

  ;; rank does a job (kernel.go: job) and returns the number of hits.
  (func (export "rank") (param $job i32) (result i32)
    (local $acc i32) (local $n i32) (local $lists i32) (local $end i32) (local $keys i32) (local $hits i32) (local $count i32)
    (local $target i32) (local $k i32) (local $single i32) (local $t i32)
    (local.set $acc (i32.load (local.get $job)))
    (local.set $n (i32.load offset=4 (local.get $job)))
    (local.set $lists (i32.load offset=12 (local.get $job)))
    (local.set $k (i32.load offset=20 (local.get $job)))
    (local.set $hits (i32.load offset=24 (local.get $job)))
    (local.set $keys (i32.load offset=28 (local.get $job)))
    (local.set $single (i32.load offset=40 (local.get $job)))

    (local.set $end (i32.add (local.get $lists) (i32.shl (i32.load offset=16 (local.get $job)) (i32.const 4))))
    (block $done
      (loop $next
        (br_if $done (i32.ge_u (local.get $lists) (local.get $end)))
        (call $add (local.get $acc) (i32.load offset=8 (local.get $job))
          (i32.load (local.get $lists)) (i32.load offset=4 (local.get $lists)) (f32.load offset=8 (local.get $lists))
          (i32.load offset=12 (local.get $lists)) (f32.load offset=44 (local.get $job)))
        (local.set $lists (i32.add (local.get $lists) (i32.const 16)))
        (br $next)))

    (if (local.get $single)
      (then (call $keys_single (local.get $acc) (local.get $keys) (local.get $n)))
      (else (call $keys_double (local.get $acc) (local.get $keys) (local.get $n) (f64.load offset=48 (local.get $job)))))
    (local.set $end (i32.add (local.get $keys) (i32.shl (local.get $n) (i32.const 2))))
    (block $padded
      (loop $next
        (br_if $padded (i32.eqz (i32.and (i32.sub (local.get $end) (local.get $keys)) (i32.const 15))))
        (i32.store (local.get $end) (i32.const 0x80000000))
        (local.set $end (i32.add (local.get $end) (i32.const 4)))
        (br $next)))
    (if (i32.load offset=36 (local.get $job))
      (then (call $mask (local.get $keys) (local.get $n) (i32.load offset=36 (local.get $job)))))

    ;; Take those above a guessed key; where they are too few, guess lower.
    (local.set $target (i32.add (i32.add (local.get $k) (i32.shr_u (local.get $k) (i32.const 1))) (i32.const 8)))
    (block $enough
      (loop $again
        (local.set $t (i32.const 0x80000000))
        (if (i32.lt_u (local.get $target) (local.get $n))
          (then (local.set $t (call $cut (local.get $keys) (local.get $end) (local.get $target)))))
        (local.set $count (call $gather (local.get $keys) (local.get $end) (local.get $t) (local.get $hits)
          (select (i32.const 0) (local.get $acc) (local.get $single)) (f64.load offset=48 (local.get $job))))
        (br_if $enough (i32.ge_u (local.get $count) (local.get $k)))
        (br_if $enough (i32.eq (local.get $t) (i32.const 0x80000000)))
        (local.set $target (i32.shl (local.get $target) (i32.const 1)))
        (br $again)))

    (if (i32.eqz (local.get $single)) (then
      (local.set $end (i32.add (local.get $acc) (i32.shl (local.get $n) (i32.const 3))))
      (block $done
        (loop $next
          (br_if $done (i32.ge_u (local.get $acc) (local.get $end)))
          (f64.store (local.get $acc) (f64.const -0))
          (local.set $acc (i32.add (local.get $acc) (i32.const 8)))
          (br $next)))))
    (call $sort (local.get $hits) (i32.load offset=32 (local.get $job)) (local.get $count))
    (select (local.get $k) (local.get $count) (i32.lt_u (local.get $k) (local.get $count))))

  ;; ---- reading an index -----------------------------------------------------------------------------------------------------
  ;; The layout is described in core/retrieve/index (Format). Both functions return 0 where they meet what they do not understand.

  ;; unpack_terms writes the terms to $blob, which may be written to for 16 bytes beyond its end, where each ends to $ends, and 1 + their
  ;; numbers into the hash table at $table with $mask + 1 slots.
  (func (export "unpack_terms") (param $prefix i32) (param $n i32) (param $suffix i32) (param $suffixEnd i32) (param $blob i32)
      (param $blobEnd i32) (param $ends i32) (param $table i32) (param $mask i32) (result i32)
    (local $id i32) (local $same i32) (local $from i32) (local $length i32) (local $at i32) (local $p i32) (local $c i32) (local $h i64)
    (local $slot i32)
    (local.set $at (local.get $blob))
    (local.set $from (local.get $blob))
    (block $done
      (loop $term
        (br_if $done (i32.ge_u (local.get $id) (local.get $n)))
        (local.set $same (i32.load8_u (i32.add (local.get $prefix) (local.get $id))))
        (if (i32.gt_u (local.get $same) (local.get $length)) (then (return (i32.const 0))))
        (if (i32.gt_u (i32.add (local.get $at) (local.get $same)) (local.get $blobEnd)) (then (return (i32.const 0))))
        (if (i32.ge_u (local.get $suffix) (local.get $suffixEnd)) (then (return (i32.const 0))))
        ;; The rest must not be empty, and its first byte above the one that it replaces.
        (local.set $c (i32.load8_u (local.get $suffix)))
        (if (i32.eq (local.get $c) (i32.const 255)) (then (return (i32.const 0))))
        (if (i32.lt_u (local.get $same) (local.get $length)) (then
          (if (i32.le_u (local.get $c) (i32.load8_u (i32.add (local.get $from) (local.get $same)))) (then (return (i32.const 0))))))
        (local.set $p (i32.const 0))
        (block $copied
          (loop $next
            (br_if $copied (i32.ge_u (local.get $p) (local.get $same)))
            (v128.store (i32.add (local.get $at) (local.get $p)) (v128.load (i32.add (local.get $from) (local.get $p))))
            (local.set $p (i32.add (local.get $p) (i32.const 16)))
            (br $next)))
        (local.set $from (local.get $at))
        (local.set $at (i32.add (local.get $at) (local.get $same)))
        (loop $next
          (if (i32.ge_u (local.get $at) (local.get $blobEnd)) (then (return (i32.const 0))))
          (i32.store8 (local.get $at) (local.get $c))
          (local.set $at (i32.add (local.get $at) (i32.const 1)))
          (local.set $suffix (i32.add (local.get $suffix) (i32.const 1)))
          (if (i32.ge_u (local.get $suffix) (local.get $suffixEnd)) (then (return (i32.const 0))))
          (br_if $next (i32.ne (local.tee $c (i32.load8_u (local.get $suffix))) (i32.const 255))))
        (local.set $suffix (i32.add (local.get $suffix) (i32.const 1)))
        (local.set $length (i32.sub (local.get $at) (local.get $from)))
        (i32.store (i32.add (local.get $ends) (i32.shl (local.get $id) (i32.const 2))) (i32.sub (local.get $at) (local.get $blob)))
        (local.set $id (i32.add (local.get $id) (i32.const 1)))

        ;; The hash of core/retrieve/index (hashTerm).
        (local.set $h (i64.mul (i64.extend_i32_u (local.get $length)) (i64.const 0x9E3779B185EBCA87)))
        (local.set $p (local.get $from))
        (block $last
          (loop $next
            (br_if $last (i32.le_u (i32.sub (local.get $at) (local.get $p)) (i32.const 8)))
            (local.set $h (i64.mul (i64.xor (local.get $h) (i64.load (local.get $p))) (i64.const 0xC2B2AE3D27D4EB4F)))
            (local.set $h (i64.xor (local.get $h) (i64.shr_u (local.get $h) (i64.const 29))))
            (local.set $p (i32.add (local.get $p) (i32.const 8)))
            (br $next)))
        (local.set $h (i64.mul (i64.const 0xC2B2AE3D27D4EB4F) (i64.xor (local.get $h)
          (i64.shr_u (i64.load (i32.sub (local.get $at) (i32.const 8)))
            (i64.extend_i32_u (select (i32.const 0) (i32.sub (i32.const 64) (i32.shl (local.get $length) (i32.const 3)))
              (i32.ge_u (local.get $length) (i32.const 8))))))))
        (local.set $slot (i32.wrap_i64 (i64.xor (local.get $h) (i64.shr_u (local.get $h) (i64.const 29)))))
        (block $free
          (loop $next
            (local.set $p (i32.add (local.get $table) (i32.shl (i32.and (local.get $slot) (local.get $mask)) (i32.const 2))))
            (br_if $free (i32.eqz (i32.load (local.get $p))))
            (local.set $slot (i32.add (local.get $slot) (i32.const 1)))
            (br $next)))
        (i32.store (local.get $p) (local.get $id))
        (br $term)))
    (i32.and (i32.eq (local.get $suffix) (local.get $suffixEnd)) (i32.eq (local.get $at) (local.get $blobEnd))))

  ;; unpack decodes the lists of a job (kernel.go: packed).
  (func (export "unpack") (param $job i32) (result i32)
    (if (i32.eqz (call $gaps (local.get $job))) (then (return (i32.const 0))))
    (if (i32.eqz (call $frequencies (local.get $job))) (then (return (i32.const 0))))
    (if (i32.eqz (i32.load offset=60 (local.get $job))) (then (return (i32.const 1))))
    (call $titles (local.get $job)))

  ;; $gaps writes document << 8 for every posting.
  (func $gaps (param $job i32) (result i32)
    (local $docs i32) (local $counts i32) (local $most i32) (local $df i32) (local $lists i32) (local $i i32) (local $next i32) (local $v i32)
    (local $low i32) (local $middle i32) (local $high i32) (local $gap i32) (local $gapEnd i32) (local $p i32)
    (local $x v128)
    (local.set $docs (i32.load (local.get $job)))
    (local.set $counts (i32.load offset=4 (local.get $job)))
    (local.set $most (i32.load offset=8 (local.get $job)))
    (local.set $low (i32.load offset=12 (local.get $job)))
    (local.set $middle (i32.load offset=16 (local.get $job)))
    (local.set $high (i32.load offset=20 (local.get $job)))
    (local.set $gap (i32.load offset=24 (local.get $job)))
    (local.set $gapEnd (i32.load offset=28 (local.get $job)))
    (local.set $p (i32.load offset=48 (local.get $job)))
    (block $done
      (loop $next_df
        (local.set $df (i32.add (local.get $df) (i32.const 1)))
        (br_if $done (i32.gt_u (local.get $df) (local.get $most)))
        (local.set $lists (i32.load (i32.add (local.get $counts) (i32.shl (local.get $df) (i32.const 2)))))
        (block $listed
          (loop $list
            (br_if $listed (i32.eqz (local.get $lists)))
            (local.set $lists (i32.sub (local.get $lists) (i32.const 1)))
            (local.set $next (i32.const 0))
            (local.set $i (local.get $df))
            (if (i32.le_u (local.get $df) (i32.shr_u (local.get $docs) (i32.const 8)))
              (then
                (loop $posting
                  (local.set $v (i32.load8_u (local.get $low)))
                  (local.set $low (i32.add (local.get $low) (i32.const 1)))
                  (if (local.get $middle) (then
                    (local.set $v (i32.or (local.get $v) (i32.shl (i32.load8_u (local.get $middle)) (i32.const 8))))
                    (local.set $middle (i32.add (local.get $middle) (i32.const 1)))
                    (if (local.get $high) (then
                      (local.set $v (i32.or (local.get $v) (i32.shl (i32.load8_u (local.get $high)) (i32.const 16))))
                      (local.set $high (i32.add (local.get $high) (i32.const 1)))))))
                  (local.set $next (i32.add (local.get $next) (local.get $v)))
                  (if (i32.ge_u (local.get $next) (local.get $docs)) (then (return (i32.const 0))))
                  (i32.store (local.get $p) (i32.shl (local.get $next) (i32.const 8)))
                  (local.set $p (i32.add (local.get $p) (i32.const 4)))
                  (local.set $next (i32.add (local.get $next) (i32.const 1)))
                  (br_if $posting (local.tee $i (i32.sub (local.get $i) (i32.const 1))))))
              (else
                ;; Four at a time, as long as none of their bytes is 255.
                (block $few
                  (loop $four
                    (br_if $few (i32.lt_u (local.get $i) (i32.const 4)))
                    (br_if $few (i32.gt_u (i32.add (local.get $gap) (i32.const 4)) (local.get $gapEnd)))
                    (local.set $v (i32.load (local.get $gap)))
                    (br_if $few (i32.and (i32.and (local.get $v) (i32.const 0x80808080))
                      (i32.sub (i32.xor (local.get $v) (i32.const -1)) (i32.const 0x01010101))))
                    (local.set $x (i32x4.add (v128.const i32x4 1 1 1 1)
                      (i32x4.extend_low_i16x8_u (i16x8.extend_low_i8x16_u (i32x4.splat (local.get $v))))))
                    (local.set $x (i32x4.add (local.get $x) (i8x16.shuffle 16 16 16 16 0 1 2 3 4 5 6 7 8 9 10 11
                      (local.get $x) (v128.const i32x4 0 0 0 0))))
                    (local.set $x (i32x4.add (local.get $x) (i8x16.shuffle 16 16 16 16 16 16 16 16 0 1 2 3 4 5 6 7
                      (local.get $x) (v128.const i32x4 0 0 0 0))))
                    (local.set $x (i32x4.add (local.get $x) (i32x4.splat (local.get $next))))
                    (v128.store (local.get $p) (i32x4.shl (i32x4.sub (local.get $x) (v128.const i32x4 1 1 1 1)) (i32.const 8)))
                    (local.set $next (i32x4.extract_lane 3 (local.get $x)))
                    (if (i32.gt_u (local.get $next) (local.get $docs)) (then (return (i32.const 0))))
                    (local.set $p (i32.add (local.get $p) (i32.const 16)))
                    (local.set $gap (i32.add (local.get $gap) (i32.const 4)))
                    (local.set $i (i32.sub (local.get $i) (i32.const 4)))
                    (br $four)))
                (br_if $list (i32.eqz (local.get $i)))
                (loop $posting
                  (loop $more
                    (if (i32.ge_u (local.get $gap) (local.get $gapEnd)) (then (return (i32.const 0))))
                    (local.set $v (i32.load8_u (local.get $gap)))
                    (local.set $gap (i32.add (local.get $gap) (i32.const 1)))
                    (local.set $next (i32.add (local.get $next) (local.get $v)))
                    (if (i32.ge_u (local.get $next) (local.get $docs)) (then (return (i32.const 0))))
                    (br_if $more (i32.eq (local.get $v) (i32.const 255))))
                  (i32.store (local.get $p) (i32.shl (local.get $next) (i32.const 8)))
                  (local.set $p (i32.add (local.get $p) (i32.const 4)))
                  (local.set $next (i32.add (local.get $next) (i32.const 1)))
                  (br_if $posting (local.tee $i (i32.sub (local.get $i) (i32.const 1)))))))
            (br $list)))
        (br $next_df)))
    (i32.eq (local.get $gap) (local.get $gapEnd)))

  ;; $frequencies adds tf to every posting, and to the length of its document.
  (func $frequencies (param $job i32) (result i32)
    (local $tf i32) (local $tf4 i32) (local $tf4End i32) (local $p i32) (local $end i32) (local $lengths i32)
    (local $b i32) (local $v i32) (local $a i32) (local $four v128) (local $x v128) (local $n i32) (local $i i32)
    (local.set $tf (i32.load offset=32 (local.get $job)))
    (local.set $tf4 (i32.load offset=36 (local.get $job)))
    (local.set $tf4End (i32.load offset=40 (local.get $job)))
    (local.set $lengths (i32.load offset=44 (local.get $job)))
    (local.set $p (i32.load offset=48 (local.get $job)))
    (local.set $n (i32.load offset=52 (local.get $job)))
    (local.set $end (i32.add (local.get $p) (i32.shl (i32.and (local.get $n) (i32.const -4)) (i32.const 2))))
    (block $done
      (loop $next
        (br_if $done (i32.ge_u (local.get $p) (local.get $end)))
        (local.set $b (i32.load8_u (local.get $tf)))
        (local.set $tf (i32.add (local.get $tf) (i32.const 1)))
        (local.set $four (v128.load (local.get $p)))
        (local.set $x (i32x4.add (v128.const i32x4 1 1 1 1) (v128.and (v128.const i32x4 3 3 3 3)
          (i32x4.shr_u (i32x4.mul (i32x4.splat (local.get $b)) (v128.const i32x4 64 16 4 1)) (i32.const 6)))))
        (v128.store (local.get $p) (v128.or (local.get $four) (local.get $x)))
        (local.set $four (i32x4.shr_u (local.get $four) (i32.const 6)))
        (local.set $a (i32.add (local.get $lengths) (i32x4.extract_lane 0 (local.get $four))))
        (i32.store (local.get $a) (i32.add (i32.load (local.get $a)) (i32x4.extract_lane 0 (local.get $x))))
        (local.set $a (i32.add (local.get $lengths) (i32x4.extract_lane 1 (local.get $four))))
        (i32.store (local.get $a) (i32.add (i32.load (local.get $a)) (i32x4.extract_lane 1 (local.get $x))))
        (local.set $a (i32.add (local.get $lengths) (i32x4.extract_lane 2 (local.get $four))))
        (i32.store (local.get $a) (i32.add (i32.load (local.get $a)) (i32x4.extract_lane 2 (local.get $x))))
        (local.set $a (i32.add (local.get $lengths) (i32x4.extract_lane 3 (local.get $four))))
        (i32.store (local.get $a) (i32.add (i32.load (local.get $a)) (i32x4.extract_lane 3 (local.get $x))))
        ;; Frequencies above 3 have 4 now; what is above that comes from tf4.
        (if (local.tee $b (i32.and (i32.and (local.get $b) (i32.shr_u (local.get $b) (i32.const 1))) (i32.const 0x55))) (then
          (loop $lane
            (if (i32.ge_u (local.get $tf4) (local.get $tf4End)) (then (return (i32.const 0))))
            (local.set $v (i32.load8_u (local.get $tf4)))
            (local.set $tf4 (i32.add (local.get $tf4) (i32.const 1)))
            (if (i32.gt_u (local.get $v) (i32.const 250)) (then (return (i32.const 0))))
            (local.set $a (i32.add (local.get $p) (i32.shl (i32.ctz (local.get $b)) (i32.const 1))))
            (i32.store (local.get $a) (i32.add (i32.load (local.get $a)) (local.get $v)))
            (local.set $a (i32.add (local.get $lengths) (i32.and (i32.shr_u (i32.load (local.get $a)) (i32.const 6)) (i32.const -4))))
            (i32.store (local.get $a) (i32.add (i32.load (local.get $a)) (local.get $v)))
            (br_if $lane (local.tee $b (i32.and (local.get $b) (i32.sub (local.get $b) (i32.const 1))))))))
        (local.set $p (i32.add (local.get $p) (i32.const 16)))
        (br $next)))
    (if (local.tee $i (i32.and (local.get $n) (i32.const 3))) (then
      (local.set $b (i32.load8_u (local.get $tf)))
      (loop $lane
        (local.set $v (i32.add (i32.and (local.get $b) (i32.const 3)) (i32.const 1)))
        (local.set $b (i32.shr_u (local.get $b) (i32.const 2)))
        (if (i32.eq (local.get $v) (i32.const 4)) (then
          (if (i32.ge_u (local.get $tf4) (local.get $tf4End)) (then (return (i32.const 0))))
          (local.set $v (i32.add (i32.load8_u (local.get $tf4)) (i32.const 4)))
          (local.set $tf4 (i32.add (local.get $tf4) (i32.const 1)))
          (if (i32.ge_u (local.get $v) (i32.const 255)) (then (return (i32.const 0))))))
        (local.set $a (i32.load (local.get $p)))
        (i32.store (local.get $p) (i32.or (local.get $a) (local.get $v)))
        (local.set $a (i32.add (local.get $lengths) (i32.shr_u (local.get $a) (i32.const 6))))
        (i32.store (local.get $a) (i32.add (i32.load (local.get $a)) (local.get $v)))
        (local.set $p (i32.add (local.get $p) (i32.const 4)))
        (br_if $lane (local.tee $i (i32.sub (local.get $i) (i32.const 1)))))
      (if (local.get $b) (then (return (i32.const 0))))))
    (i32.eq (local.get $tf4) (local.get $tf4End)))

  ;; $titles writes the frequencies in titles, and adds them to the lengths of the titles. The flags of postings with tf 1 are in one run of
  ;; bits, the others in a second; $one and $two are the places in them, $oneEnd and $twoEnd their ends, in bits.
  (func $titles (param $job i32) (result i32)
    (local $p i32) (local $end i32) (local $fours i32) (local $to i32) (local $lengths i32) (local $tf i32) (local $tfEnd i32)
    (local $deposit i32) (local $ones i32) (local $twos i32) (local $one i32) (local $two i32) (local $oneEnd i32) (local $twoEnd i32)
    (local $m i32) (local $n i32) (local $b i32) (local $v i32) (local $a i32) (local $d i32) (local $lanes i32)
    (local.set $p (i32.load offset=48 (local.get $job)))
    (local.set $end (i32.add (local.get $p) (i32.shl (i32.load offset=52 (local.get $job)) (i32.const 2))))
    (local.set $to (i32.load offset=60 (local.get $job)))
    (local.set $lengths (i32.load offset=56 (local.get $job)))
    (local.set $tf (i32.load offset=64 (local.get $job)))
    (local.set $tfEnd (i32.load offset=68 (local.get $job)))
    (local.set $deposit (i32.load offset=72 (local.get $job)))
    (local.set $ones (i32.load offset=76 (local.get $job)))
    (local.set $oneEnd (i32.shl (i32.sub (i32.load offset=80 (local.get $job)) (local.get $ones)) (i32.const 3)))
    (local.set $twos (i32.load offset=84 (local.get $job)))
    (local.set $twoEnd (i32.shl (i32.sub (i32.load offset=88 (local.get $job)) (local.get $twos)) (i32.const 3)))
    (block $done
      (loop $next
        (br_if $done (i32.ge_u (local.get $p) (local.get $end)))
        (if (i32.and (i32.and (i32.le_u (i32.add (local.get $p) (i32.const 16)) (local.get $end))
              (i32.le_u (i32.add (local.get $one) (i32.const 16)) (local.get $oneEnd)))
            (i32.le_u (i32.add (local.get $two) (i32.const 16)) (local.get $twoEnd)))
          (then
            ;; Four postings: $m says which have tf 1.
            (local.set $lanes (i32.const 4))
            (local.set $m (i32x4.bitmask (i32x4.eq (v128.const i32x4 1 1 1 1)
              (v128.and (v128.load (local.get $p)) (v128.const i32x4 255 255 255 255)))))
            (local.set $n (i32.popcnt (local.get $m)))
            (local.set $b (i32.or
              (i32.load8_u (i32.add (local.get $deposit) (i32.or (i32.shl (local.get $m) (i32.const 4))
                (i32.and (i32.const 15) (i32.shr_u
                  (i32.load16_u (i32.add (local.get $ones) (i32.shr_u (local.get $one) (i32.const 3))))
                  (i32.and (local.get $one) (i32.const 7)))))))
              (i32.load8_u (i32.add (local.get $deposit) (i32.or (i32.shl (i32.xor (local.get $m) (i32.const 15)) (i32.const 4))
                (i32.and (i32.const 15) (i32.shr_u
                  (i32.load16_u (i32.add (local.get $twos) (i32.shr_u (local.get $two) (i32.const 3))))
                  (i32.and (local.get $two) (i32.const 7)))))))))
            (local.set $one (i32.add (local.get $one) (local.get $n)))
            (local.set $two (i32.add (local.get $two) (i32.sub (i32.const 4) (local.get $n)))))
          (else
            (local.set $lanes (i32.const 1))
            (if (i32.eq (i32.load8_u (local.get $p)) (i32.const 1))
              (then
                (if (i32.ge_u (local.get $one) (local.get $oneEnd)) (then (return (i32.const 0))))
                (local.set $b (i32.and (i32.const 1) (i32.shr_u
                  (i32.load8_u (i32.add (local.get $ones) (i32.shr_u (local.get $one) (i32.const 3)))) (i32.and (local.get $one) (i32.const 7)))))
                (local.set $one (i32.add (local.get $one) (i32.const 1))))
              (else
                (if (i32.ge_u (local.get $two) (local.get $twoEnd)) (then (return (i32.const 0))))
                (local.set $b (i32.and (i32.const 1) (i32.shr_u
                  (i32.load8_u (i32.add (local.get $twos) (i32.shr_u (local.get $two) (i32.const 3)))) (i32.and (local.get $two) (i32.const 7)))))
                (local.set $two (i32.add (local.get $two) (i32.const 1)))))))
        (if (local.get $b) (then
          (loop $lane
            (local.set $d (i32.ctz (local.get $b)))
            (local.set $a (i32.load (i32.add (local.get $p) (i32.shl (local.get $d) (i32.const 2)))))
            (local.set $v (i32.const 1))
            (if (i32.ne (i32.and (local.get $a) (i32.const 255)) (i32.const 1)) (then
              (if (i32.ge_u (local.get $tf) (local.get $tfEnd)) (then (return (i32.const 0))))
              (local.set $v (i32.add (i32.load8_u (local.get $tf)) (i32.const 1)))
              (local.set $tf (i32.add (local.get $tf) (i32.const 1)))
              (if (i32.gt_u (local.get $v) (i32.and (local.get $a) (i32.const 255))) (then (return (i32.const 0))))))
            (i32.store8 (i32.add (local.get $to) (local.get $d)) (local.get $v))
            (local.set $a (i32.add (local.get $lengths) (i32.and (i32.shr_u (local.get $a) (i32.const 6)) (i32.const -4))))
            (i32.store (local.get $a) (i32.add (i32.load (local.get $a)) (local.get $v)))
            (br_if $lane (local.tee $b (i32.and (local.get $b) (i32.sub (local.get $b) (i32.const 1))))))))
        (local.set $p (i32.add (local.get $p) (i32.shl (local.get $lanes) (i32.const 2))))
        (local.set $to (i32.add (local.get $to) (local.get $lanes)))
        (br $next)))
    ;; Both runs must end in the last byte that was begun, with no bit set behind the last.
    (i32.and (i32.eq (local.get $tf) (local.get $tfEnd))
      (i32.and (call $ended (local.get $ones) (local.get $one) (local.get $oneEnd))
        (call $ended (local.get $twos) (local.get $two) (local.get $twoEnd)))))

  ;; $ended reports whether a run of bits that was read to $at ends at $end, and has no bit set in between.
  (func $ended (param $run i32) (param $at i32) (param $end i32) (result i32)
    (if (i32.ne (i32.and (i32.add (local.get $at) (i32.const 7)) (i32.const -8)) (local.get $end)) (then (return (i32.const 0))))
    (if (i32.eqz (i32.and (local.get $at) (i32.const 7))) (then (return (i32.const 1))))
    (i32.eqz (i32.shr_u (i32.load8_u (i32.add (local.get $run) (i32.shr_u (local.get $at) (i32.const 3)))) (i32.and (local.get $at) (i32.const 7)))))
)
