import { counter, oneOf, receives, resource, sends, spmd } from 'foretoken/models';

/** What a message carries: a frame, or that no more frames follow. */
const kind = oneOf('frame', 'end');

/** Reads frames from a file and sends them on. */
export const reader = spmd({
  name: 'reader',
  params: { frames: 8, bytes: 2_000_000 },
  vars: { kind },
  interface: { frames: sends('kind') },
  verifyWith: { ranks: 1, frames: 2 },
  build(m) {
    m.loop(m.p.frames, () => {
      m.readFile({ bytes: m.p.bytes });
      m.send({ label: 'frames', bytes: m.p.bytes, carry: { kind: 'frame' } });
    });
    m.send({ label: 'frames', bytes: 0, carry: { kind: 'end' } });
  },
});

/** A filter that smooths each frame on the accelerator. */
export const blur = spmd({
  name: 'blur',
  params: { flops: 4e8, bytes: 2_000_000 },
  vars: { kind },
  interface: { source: receives('kind'), result: sends('kind'), accelerator: resource(1) },
  verifyWith: { ranks: 1 },
  build(m) {
    m.while(
      (s) => s.kind === 'frame',
      () => {
        m.recv({ label: 'source', into: { carry: ['kind'] } });
        m.when(
          (s) => s.kind === 'frame',
          () => m.hold('accelerator', () => m.compute({ flops: m.p.flops })),
        );
        m.send({ label: 'result', bytes: (s) => (s.kind === 'frame' ? m.p.bytes : 0), carry: { kind: (s) => s.kind } });
      },
    );
  },
});

/** A filter that takes every frame in two passes, each on the accelerator. */
export const sharpen = spmd({
  name: 'sharpen',
  params: { passes: 2, flops: 1.5e8, bytes: 2_000_000 },
  vars: { kind, pass: counter() },
  interface: { source: receives('kind'), result: sends('kind'), accelerator: resource(1) },
  verifyWith: { ranks: 1 },
  build(m) {
    m.while(
      (s) => s.kind === 'frame',
      () => {
        m.recv({ label: 'source', into: { carry: ['kind'] } });
        m.when(
          (s) => s.kind === 'frame',
          () => m.loop('pass', m.p.passes, () => m.hold('accelerator', () => m.compute({ flops: m.p.flops }))),
        );
        m.send({ label: 'result', bytes: (s) => (s.kind === 'frame' ? m.p.bytes : 0), carry: { kind: (s) => s.kind } });
      },
    );
  },
});

/** Compresses frames on the accelerator and writes them. */
export const writer = spmd({
  name: 'writer',
  params: { flops: 1e8, bytes: 500_000 },
  vars: { kind },
  interface: { frames: receives('kind'), accelerator: resource(1) },
  verifyWith: { ranks: 1 },
  build(m) {
    m.while(
      (s) => s.kind === 'frame',
      () => {
        m.recv({ label: 'frames', into: { carry: ['kind'] } });
        m.when(
          (s) => s.kind === 'frame',
          () => {
            m.hold('accelerator', () => m.compute({ flops: m.p.flops }));
            m.writeFile({ bytes: m.p.bytes });
          },
        );
      },
    );
  },
});
