import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { predict } from '../../../src/commands/predict/predict.ts';
import { renderPrediction } from '../../../src/commands/predict/view/terminal.ts';
import { type ClusterOptions, cluster } from '../../../src/machine/cluster.ts';
import { ANY, spmd } from '../../../src/models.ts';
import { effort } from '../../effort.ts';

const folder = mkdtempSync(join(tmpdir(), 'foretoken-tags-'));
afterAll(() => rmSync(folder, { recursive: true }));

const machine = cluster({
  nodes: 4,
  coresPerNode: 1,
  speed: 1e9,
  link: { latency: 1e-6, bandwidth: 1e9 },
  eagerBelow: 1024,
} as unknown as ClusterOptions);

const cases = fc.record({
  sender: fc.integer({ min: 0, max: 2 }),
  receiver: fc.integer({ min: 0, max: 2 }),
  sent: fc.integer({ min: 0, max: 5 }),
  awaited: fc.integer({ min: 0, max: 5 }),
  bytes: fc.constantFrom(8, 1e6),
  wild: fc.boolean(),
  isSplit: fc.boolean(),
});

describe('a deadlock of messages and receives with different tags', () => {
  it('names both tags and both lines, in models', () => {
    fc.assert(
      fc.property(cases, ({ sender, receiver, sent, awaited, bytes, wild, isSplit }) => {
        fc.pre(sender !== receiver);
        const model = spmd({
          name: 'tags',
          build(m) {
            m.when(
              (s) => s.rank === sender,
              () => {
                if (isSplit) m.wait(m.isend({ to: receiver, bytes, tag: sent }));
                else m.send({ to: receiver, bytes, tag: sent });
              },
            );
            m.when(
              (s) => s.rank === receiver,
              () => {
                const from = wild ? ANY : sender;
                if (isSplit) m.wait(m.irecv({ from, tag: awaited }));
                else m.recv({ from, tag: awaited });
              },
            );
          },
        });
        const document = predict(model, { machine, ranks: 3 });
        if (sent === awaited) {
          expect(document.deadlock).toEqual([]);
          expect(document.mismatches).toBeUndefined();
          return;
        }
        expect(document.mismatches).toMatchObject([
          {
            sent: { kind: 'send', rank: sender, peer: receiver, tag: sent, count: 1 },
            awaited: { kind: 'receive', rank: receiver, peer: wild ? null : sender, tag: awaited, count: 1 },
          },
        ]);
        const text = renderPrediction(document, { width: 400, colour: false, unicode: true });
        expect(text).toMatch(
          new RegExp(`rank ${sender} sent to rank ${receiver} with tag ${sent} .*with tag ${awaited} `),
        );
        for (const side of ['sent', 'awaited'] as const)
          expect(document.mismatches![0]![side].at[0]!.file).toContain('tag-mismatch.evidence.test.ts');
      }),
      { numRuns: effort(100) },
    );
  });

  it('names both tags and both lines, in traces', () => {
    fc.assert(
      fc.property(cases, ({ sent, awaited, bytes }) => {
        fc.pre(sent !== awaited);
        const file = join(folder, 'tags.ti');
        const lines = ['0 init', `0 send 1 ${sent} ${bytes}`, '0 finalize', '1 init', `1 recv 0 ${awaited} ${bytes}`];
        writeFileSync(file, `${[...lines, '1 finalize'].join('\n')}\n`);
        expect(predict(file, { machine }).mismatches).toMatchObject([
          { sent: { tag: sent, at: [{ line: 2 }] }, awaited: { tag: awaited, at: [{ line: 5 }] } },
        ]);
      }),
      { numRuns: effort(100) },
    );
  });

  it('is not seen in a cycle of sends, nor in collectives', () => {
    const cycle = spmd({
      name: 'cycle',
      build(m) {
        m.send({ to: (s) => 1 - s.rank, bytes: 1e6, tag: 1 });
        m.recv({ from: (s) => 1 - s.rank, tag: 1 });
      },
    });
    const document = predict(cycle, { machine, ranks: 2 });
    expect(document.deadlock).toHaveLength(2);
    expect(document.mismatches).toBeUndefined();
    const collective = spmd({
      name: 'collective',
      build(m) {
        m.when(
          (s) => s.rank === 0,
          () => m.recv({ from: 1, tag: 1 }),
        );
        m.allreduce({ bytes: 1e6 });
      },
    });
    const other = predict(collective, { machine, ranks: 2 });
    expect(other.deadlock.length).toBeGreaterThan(0);
    expect(other.mismatches).toBeUndefined();
  });
});
