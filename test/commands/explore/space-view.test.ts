import { describe, expect, it } from 'vitest';
import { explore } from '../../../src/commands/explore/explore.ts';
import type { SpaceDocument } from '../../../src/commands/explore/space.ts';
import { renderSpace, spaceJson } from '../../../src/commands/explore/space-view.ts';
import { NetBuilder } from '../../../src/net/builder/builder.ts';
import type { Net } from '../../../src/net/net.ts';
import { displayWidth } from '../../../src/report/text.ts';
import { buffer, mutex } from '../../analysis/space/small-nets.ts';
import { philosophers, tokenRing } from '../../net/contest-nets.ts';

/** Processes that compute once, in any order. */
function workers(count: number): Net {
  const n = new NetBuilder('workers');
  const P = n.range('P', 0, count - 1);
  const ready = n.place('ready', { p: P }, { initial: Array.from({ length: count }, (_, p) => ({ p })) });
  const ended = n.place('ended', { p: P });
  n.processes(P, ended);
  n.transition('work', (t) => {
    const { p } = t.take(ready);
    t.process(p);
    t.kind('compute');
    t.delay(1);
    t.put(ended, { p });
  });
  return n.build();
}

/** The document with fixed values for time and memory. */
const timeless = (document: SpaceDocument): SpaceDocument => ({
  ...document,
  seconds: 0.0125,
  totalSeconds: 0.0125,
  bytesPerState: 24.5,
});

const pages: Readonly<Record<string, SpaceDocument>> = {
  'space-philosophers': timeless(explore(philosophers(5), { bounds: 'Think,Catch1,Catch2,Eat;Fork' })),
  'space-ring': timeless(explore(tokenRing(4))),
  'space-truncated': timeless(explore(buffer(1000), { maxStates: 100, bounds: 'full' })),
  'space-timed': timeless(explore(mutex(true))),
  'space-processes': timeless(explore(workers(4))),
  'space-processes-truncated': timeless(explore(workers(12), { maxStates: 100 })),
};

describe.each(Object.entries(pages))('the page of %s', (name, document) => {
  it.each([40, 80, 120])('at %i columns', async (width) => {
    const view = renderSpace(document, { width, colour: false, unicode: true });
    for (const line of view.split('\n')) expect(displayWidth(line)).toBeLessThanOrEqual(width);
    await expect(view).toMatchFileSnapshot(`views/${name}-${width}.txt`);
  });

  it('in ASCII', () => {
    expect(renderSpace(document, { width: 80, colour: false, unicode: false })).toMatch(/^[\n -~]*$/);
  });

  it('is available as JSON', () => {
    expect(JSON.parse(spaceJson(document))).toEqual(document);
  });
});

it('says of how many depths a column is, where there are more depths than columns', () => {
  const text = (places: number): string =>
    renderSpace(explore(buffer(places)), { width: 120, colour: false, unicode: true });
  // A chain: one state at each depth.
  expect(text(20)).toContain('at most 1 state at one depth');
  expect(text(1000)).toMatch(/at most (\d+) states in a column of \1 depths/);
});
