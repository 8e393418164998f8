#!/usr/bin/env bun
// The command line under the name that the seeds give it; every command that it prints starts with this file.
import "../../src/main.ts";
