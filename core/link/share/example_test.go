package share_test

import (
	"fmt"

	"github.com/rankbox/rankbox/core/experiment"
	"github.com/rankbox/rankbox/core/link/share"
)

func Example() {
	fragment, err := share.Encode(share.Address{Screen: share.Search, Spec: experiment.Spec{
		Collection: "harbour-wire",
		Systems:    []string{"bm25(k1=0.90)", "rrf(bm25, dense, k=60)"},
		Query:      "port strike",
	}})
	fmt.Println(fragment, err)
	address, err := share.Decode("#" + fragment + ".")
	fmt.Println(address.Systems, address.Query, err)
	_, err = share.Decode(fragment[:60])
	fmt.Println(err)
	// Output:
	// v=1&page=search&c=harbour-wire&s=bm25&s=rrf%28bm25,dense%29&q=port%20strike&x=71d2339d <nil>
	// [bm25 rrf(bm25, dense)] port strike <nil>
	// share: the end of the link is missing
}
