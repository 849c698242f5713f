import { renameSync, rmSync, writeFileSync } from 'node:fs';
import { extname } from 'node:path';
import { outputFile } from '../base/output-file.ts';
import { didYouMean, fail } from '../base/problem.ts';
import { netToDot } from '../net/dot.ts';
import { netFromJson, netToJson } from '../net/json.ts';
import type { Net } from '../net/net.ts';
import { netToText } from '../net/text.ts';
import { readText } from './inputs.ts';
import { checkOutput } from './output.ts';
import { type MachineOptions, traceNet } from './trace-net.ts';

const WRITERS: Readonly<Record<string, (net: Net) => string>> = {
  '.json': netToJson,
  '.txt': netToText,
  '.dot': netToDot,
};

/**
 * Writes the net of a trace on a machine, or a net from the product's JSON, as JSON, canonical text or DOT: the ending
 * of `output` says which. The JSON is complete: `predict` reads it back. Nothing is written if anything is wrong.
 */
export function convert(
  input: string,
  output: string,
  options: MachineOptions,
): { readonly places: number; readonly transitions: number; readonly bytes: number } {
  const ending = extname(output);
  const write = WRITERS[ending];
  if (write === undefined)
    fail('APP005', `unknown ending "${ending}" of the output.${didYouMean(ending, Object.keys(WRITERS))}`, {
      file: output,
    });
  checkOutput(output, [input, options.machine, options.hostfile]);
  const net = readNet(input, options);
  const text = write(net);
  writeWhole(output, text);
  return { places: net.places.length, transitions: net.transitions.length, bytes: Buffer.byteLength(text) };
}

function readNet(input: string, options: MachineOptions): Net {
  if (extname(input) === '.json') return netFromJson(readText(input), input);
  const { trace, net } = traceNet(input, options, true);
  trace.close();
  return net;
}

/** Writes beside the target first, so that nothing half-done is left where it fails. */
function writeWhole(path: string, text: string): void {
  const { target, temporary } = outputFile(path);
  try {
    writeFileSync(temporary ?? target, text);
    if (temporary !== undefined) renameSync(temporary, target);
  } catch (e) {
    if (temporary !== undefined) rmSync(temporary, { force: true });
    fail('APP006', `cannot be written: ${(e as NodeJS.ErrnoException).code ?? 'unknown error'}`, { file: path });
  }
}
