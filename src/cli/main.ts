#!/usr/bin/env node
import { run } from './program.ts';

const code = await run(process.argv.slice(2));
// A code that is set already is that of an output that could not be written.
process.exitCode ||= code;
