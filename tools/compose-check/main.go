// Loads a compose file like Docker Compose, with every profile given as an argument, and prints its services.
// Fails when the file does not match the Compose specification. Variables come from the environment.
package main

import (
	"context"
	"fmt"
	"os"

	"github.com/compose-spec/compose-go/v2/cli"
)

func main() {
	options, err := cli.NewProjectOptions(os.Args[1:2], cli.WithOsEnv, cli.WithProfiles(os.Args[2:]))
	check(err)
	project, err := options.LoadProject(context.Background())
	check(err)
	for _, name := range project.ServiceNames() {
		fmt.Println(name)
	}
}

func check(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
