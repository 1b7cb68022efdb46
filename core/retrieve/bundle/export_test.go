package bundle

import "github.com/rankbox/rankbox/core/base/wire"

// Decode decodes the file of a role, for the fuzz test.
func Decode(role string, data []byte) error {
	switch role {
	case "cards":
		return wire.Unmarshal(data, &cardFile{})
	case "queries":
		return wire.Unmarshal(data, &queryFile{})
	case "qrels":
		return wire.Unmarshal(data, &qrelFile{})
	case "texts":
		return wire.Unmarshal(data, &textFile{})
	case "needs":
		return wire.Unmarshal(data, &needFile{})
	case "news":
		return wire.Unmarshal(data, &newsFile{})
	case "tokens":
		return wire.Unmarshal(data, &tokenFile{})
	case "weights":
		return wire.Unmarshal(data, &weightFile{})
	case "run":
		return wire.Unmarshal(data, &runFile{})
	case "signs":
		var s signFile
		err := wire.Unmarshal(data, &s)
		if err == nil {
			err = s.vectors().Check()
		}
		return err
	}
	return wire.Unmarshal(data, &vectorFile{})
}
