import { PassThrough } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { MODEL_ENDINGS } from '../../../src/commands/inputs/path-kinds.ts';
import { assertTrusted, type Terminal } from '../../../src/commands/rerun/trust.ts';

/** A terminal on which the user types an answer; `undefined`: end of input. */
function terminal(answer: string | undefined, isTTY = true): Terminal & { readonly shown: () => string } {
  const [input, output] = [new PassThrough(), new PassThrough()];
  let shown = '';
  output.on('data', (chunk: Buffer) => {
    shown += chunk.toString();
  });
  input.end(answer);
  return { input: Object.assign(input, { isTTY }), output: Object.assign(output, { isTTY }), shown: () => shown };
}

describe('a result whose input is a module', () => {
  it.each(MODEL_ENDINGS)('%s is refused by name without --trust and without a terminal', async (ending) => {
    const refused = assertTrusted(`pkg/m${ending}`, 'r.json', false, terminal('y\n', false));
    await expect(refused).rejects.toThrow(new RegExp(`r\\.json: APP048 runs the module ".*pkg/m\\${ending}".*--trust`));
    await expect(assertTrusted(`pkg/m${ending}`, 'r.json', true, terminal('', false))).resolves.toBeUndefined();
  });

  it.each(['y\n', 'yes\n', ' Y \n'])('runs after %j on a terminal, which names it', async (answer) => {
    const at = terminal(answer);
    await expect(assertTrusted('pkg/m\u202e.ts', 'r.json', false, at)).resolves.toBeUndefined();
    expect(at.shown()).toContain('pkg/m\\u{202e}.ts');
  });

  it.each(['n\n', '\n', 'yesterday\n', 'no y\n'])('is refused after %j on a terminal', async (answer) => {
    await expect(assertTrusted('m.ts', 'r.json', false, terminal(answer))).rejects.toThrow('APP048');
  });
});

it.each(['x.ti', 'net.json', 'net.pnml', 'list.txt'])('%s is data and needs no trust', async (input) => {
  await expect(assertTrusted(input, 'r.json', false, terminal('', false))).resolves.toBeUndefined();
});
