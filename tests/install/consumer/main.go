// What a consumer of the Go module writes.
package main

import (
	"context"
	"errors"
	"fmt"
	"os"

	vaa "github.com/vaa-eval/vaa-go"
)

func main() {
	result, err := vaa.CheckText("", nil)
	if err != nil || len(result.Flags) != 1 || result.Flags[0] != "empty" {
		fmt.Println("consumer: wrong", result, err)
		os.Exit(1)
	}
	if _, err := vaa.Check(context.Background(), "/no/such/run", nil); !errors.Is(err, &vaa.Error{Status: vaa.ErrorNotFound}) {
		fmt.Println("consumer: wrong", err)
		os.Exit(1)
	}
	fmt.Println("consumer: good")
}
