import { counter, oneOf, receives, resource, sends, spmd } from 'foretoken/models';

/** Content of a message: a frame, or the end of the stream. */
const kind = oneOf('frame', 'end');

/** Samples frames at a fixed interval, and sends them on. */
export const sensor = spmd({
  name: 'sensor',
  params: { frames: 20, bytes: 1_000_000, interval: 5e-3 },
  vars: { kind },
  interface: { frames: sends('kind') },
  verifyWith: { ranks: 1, frames: 2 },
  build(m) {
    m.loop(m.p.frames, () => {
      m.sleep(m.p.interval);
      m.send({ label: 'frames', bytes: m.p.bytes, carry: { kind: 'frame' } });
    });
    m.send({ label: 'frames', bytes: 0, carry: { kind: 'end' } });
  },
});

/** A filter that smooths each frame in one pass. */
export const smooth = spmd({
  name: 'smooth',
  params: { flops: 4e7, bytes: 1_000_000 },
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

/** A filter that finds features in several passes, and sends only these on. */
export const features = spmd({
  name: 'features',
  params: { passes: 3, flops: 5e6, bytes: 50_000 },
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

/** Compresses frames on the accelerator, and stores them. */
export const archive = spmd({
  name: 'archive',
  params: { flops: 1e7, bytes: 100_000 },
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
