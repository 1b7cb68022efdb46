#include "textflag.h"

// func dot(dst *int32, rows *int8, n int, q *int16, stride, blocks int)
//
// Sixteen numbers of a row are widened to 16 bits, multiplied by those of q and added in pairs in 32 bits, two such sums a row.
TEXT ·dot(SB), NOSPLIT, $0-48
	MOVQ dst+0(FP), DI
	MOVQ rows+8(FP), SI
	MOVQ n+16(FP), CX
	MOVQ q+24(FP), DX
	MOVQ stride+32(FP), R8
	MOVQ blocks+40(FP), R9

row:
	VPXOR Y0, Y0, Y0
	VPXOR Y1, Y1, Y1
	MOVQ  SI, R10
	MOVQ  DX, R11
	MOVQ  R9, R12
	SUBQ  $2, R12
	JLT   last

pair:
	VPMOVSXBW (R10), Y2
	VPMOVSXBW 16(R10), Y3
	VPMADDWD  (R11), Y2, Y2
	VPMADDWD  32(R11), Y3, Y3
	VPADDD    Y2, Y0, Y0
	VPADDD    Y3, Y1, Y1
	ADDQ      $32, R10
	ADDQ      $64, R11
	SUBQ      $2, R12
	JGE       pair

last:
	ADDQ      $2, R12
	JZ        sum
	VPMOVSXBW (R10), Y2
	VPMADDWD  (R11), Y2, Y2
	VPADDD    Y2, Y0, Y0

sum:
	VPADDD       Y1, Y0, Y0
	VEXTRACTI128 $1, Y0, X1
	VPADDD       X1, X0, X0
	VPSHUFD      $0x4E, X0, X1
	VPADDD       X1, X0, X0
	VPSHUFD      $0xB1, X0, X1
	VPADDD       X1, X0, X0
	VMOVD        X0, (DI)
	ADDQ         $4, DI
	ADDQ         R8, SI
	DECQ         CX
	JNZ          row
	VZEROUPPER
	RET
