// Times the reference, go-cty: reads types and values, prints the nanoseconds to decode and to encode.
package main

import (
	"encoding/json"
	"os"
	"time"

	ctyjson "github.com/zclconf/go-cty/cty/json"
	"github.com/zclconf/go-cty/cty/msgpack"
)

type payload struct {
	Type json.RawMessage
	Data []byte
}

const rounds, round = 7, 30 * time.Millisecond

func main() {
	var payloads map[string]payload
	check(json.NewDecoder(os.Stdin).Decode(&payloads))
	times := map[string][2]float64{}
	for name, payload := range payloads {
		constraint, err := ctyjson.UnmarshalType(payload.Type)
		check(err)
		value, err := msgpack.Unmarshal(payload.Data, constraint)
		if err != nil {
			continue // an older go-cty that does not know refinements
		}
		times[name] = [2]float64{
			best(func() { msgpack.Unmarshal(payload.Data, constraint) }),
			best(func() { msgpack.Marshal(value, constraint) }),
		}
	}
	check(json.NewEncoder(os.Stdout).Encode(times))
}

// best gives the nanoseconds of one call in the fastest round.
func best(action func()) float64 {
	fastest := 0.0
	for n := 0; n < rounds; n++ {
		calls, start := 0, time.Now()
		for time.Since(start) < round {
			action()
			calls++
		}
		if once := float64(time.Since(start).Nanoseconds()) / float64(calls); fastest == 0 || once < fastest {
			fastest = once
		}
	}
	return fastest
}

func check(err error) {
	if err != nil {
		panic(err)
	}
}
