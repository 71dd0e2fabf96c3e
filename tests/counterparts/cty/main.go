// Judges values as go-cty does.
//
// It reads questions, one JSON object a line, and answers each with a line: what the payload is,
// and how go-cty writes it; or why go-cty refuses it. Values are written as trees of one-entry
// tables, as tests/conformance/cases.py describes them.
package main

import (
	"bufio"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"math/big"
	"os"

	"github.com/zclconf/go-cty/cty"
	ctyjson "github.com/zclconf/go-cty/cty/json"
	"github.com/zclconf/go-cty/cty/msgpack"
)

type question struct {
	Format string          `json:"format"` // msgpack, json, or type: the data is a constraint
	Type   json.RawMessage `json:"type"`
	Data   string          `json:"data"`
}

type answer struct {
	Error   string `json:"error,omitempty"`
	Panic   string `json:"panic,omitempty"`
	Type    string `json:"type,omitempty"`
	Value   any    `json:"value,omitempty"`
	Msgpack string `json:"msgpack,omitempty"`
	JSON    string `json:"json,omitempty"`
}

type table = map[string]any

func main() {
	lines := bufio.NewScanner(os.Stdin)
	lines.Buffer(nil, 1<<26)
	encoder := json.NewEncoder(os.Stdout) // unbuffered: some payloads end the process
	encoder.SetEscapeHTML(false)
	for lines.Scan() {
		var asked question
		if err := json.Unmarshal(lines.Bytes(), &asked); err != nil {
			panic(err)
		}
		if err := encoder.Encode(judge(asked)); err != nil {
			panic(err)
		}
	}
}

func judge(asked question) (judged answer) {
	defer func() {
		if reason := recover(); reason != nil {
			judged = answer{Panic: fmt.Sprint(reason)}
		}
	}()
	data, err := hex.DecodeString(asked.Data)
	if err != nil {
		panic(err)
	}
	if asked.Format == "type" {
		asked.Type = data
	}
	constraint, err := ctyjson.UnmarshalType(asked.Type)
	if err != nil {
		return answer{Error: "type: " + err.Error()}
	}
	if asked.Format == "type" {
		canonical, err := ctyjson.MarshalType(constraint)
		if err != nil {
			panic(err)
		}
		return answer{Type: string(canonical)}
	}
	var value cty.Value
	if asked.Format == "json" {
		value, err = ctyjson.Unmarshal(data, constraint)
	} else {
		value, err = msgpack.Unmarshal(data, constraint)
	}
	if err != nil {
		return answer{Error: "decode: " + err.Error()}
	}
	judged.Value = tree(value, constraint)
	packed, err := msgpack.Marshal(value, constraint)
	if err != nil {
		return answer{Error: "encode: " + err.Error()}
	}
	judged.Msgpack = hex.EncodeToString(packed)
	if text, err := ctyjson.Marshal(value, constraint); err == nil {
		judged.JSON = string(text)
	}
	return judged
}

// tree describes a value that was read by a type constraint.
func tree(value cty.Value, constraint cty.Type) table {
	actual := value.Type()
	if constraint == cty.DynamicPseudoType && actual != cty.DynamicPseudoType {
		described, err := ctyjson.MarshalType(actual)
		if err != nil {
			panic(err)
		}
		return table{"dynamic": json.RawMessage(described), "value": tree(value, actual)}
	}
	switch {
	case !value.IsKnown():
		return table{"unknown": refinements(value)}
	case value.IsNull():
		return table{"null": true}
	case actual == cty.String:
		return table{"string": value.AsString()}
	case actual == cty.Bool:
		return table{"bool": value.True()}
	case actual == cty.Number:
		return table{"number": digits(value.AsBigFloat())}
	case actual.IsListType():
		return table{"list": elements(value, constraint.ElementType())}
	case actual.IsSetType():
		return table{"set": elements(value, constraint.ElementType())}
	case actual.IsMapType():
		described := table{}
		for key, element := range value.AsValueMap() {
			described[key] = tree(element, constraint.ElementType())
		}
		return table{"map": described}
	case actual.IsObjectType():
		described := table{}
		for name, attribute := range constraint.AttributeTypes() {
			described[name] = tree(value.GetAttr(name), attribute)
		}
		return table{"object": described}
	case actual.IsTupleType():
		described := []table{}
		for position, element := range value.AsValueSlice() {
			described = append(described, tree(element, constraint.TupleElementType(position)))
		}
		return table{"tuple": described}
	}
	panic("no tree for " + actual.GoString())
}

func elements(value cty.Value, constraint cty.Type) []table {
	described := []table{}
	for _, element := range value.AsValueSlice() {
		described = append(described, tree(element, constraint))
	}
	return described
}

func digits(number *big.Float) string {
	switch {
	case number.IsInf() && number.Sign() > 0:
		return "inf"
	case number.IsInf():
		return "-inf"
	}
	return number.Text('f', -1) // as go-cty writes it in JSON
}

// refinements describes what is known of an unknown value.
func refinements(value cty.Value) table {
	described := table{}
	actual := value.Type()
	if actual == cty.DynamicPseudoType {
		return described
	}
	known := value.Range()
	if known.DefinitelyNotNull() {
		described["not_null"] = true
	}
	switch {
	case actual == cty.String:
		if prefix := known.StringPrefix(); prefix != "" {
			described["prefix"] = prefix
		}
	case actual == cty.Number:
		bound := func(name string, limit cty.Value, inclusive bool) {
			if limit.IsKnown() && !limit.AsBigFloat().IsInf() {
				described[name] = []any{digits(limit.AsBigFloat()), inclusive}
			}
		}
		lower, inclusive := known.NumberLowerBound()
		bound("min", lower, inclusive)
		upper, inclusive := known.NumberUpperBound()
		bound("max", upper, inclusive)
	case actual.IsCollectionType():
		if least := known.LengthLowerBound(); least > 0 {
			described["length_min"] = least
		}
		if most := known.LengthUpperBound(); most != int(^uint(0)>>1) {
			described["length_max"] = most
		}
	}
	return described
}
