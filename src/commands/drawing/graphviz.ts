import { createRequire } from 'node:module';
import { MessageChannel, receiveMessageOnPort, Worker } from 'node:worker_threads';
import {
  type GraphvizOutput,
  graphvizInput,
  graphvizLayout,
  type NodeOrder,
} from '../../net/drawing/graphviz-layout.ts';
import type { Arranger } from '../../net/drawing/svg.ts';
import { arcCrossings } from '../../net/drawing/svg-arc.ts';

/** Time limit of Graphviz in seconds: it has none itself, and nets with many arcs can take hours. */
export const GRAPHVIZ_SECONDS = 30;

/** Graphviz did not answer in time. */
export class LayoutTimeout extends Error {}

/**
 * The thread of a layout. A text, because it then runs from the sources as from the bundle. The caller sleeps until the flag is set.
 */
const THREAD = `
const { workerData: { flag, port, path, texts } } = require('node:worker_threads');
require(path).instance().then((viz) => {
  const all = texts.map((text) => viz.render(text, { format: 'json0' }));
  const failed = all.find(({ status }) => status !== 'success');
  if (failed === undefined) port.postMessage({ outputs: all.map(({ output }) => output) });
  else port.postMessage({ failure: failed.errors.map(({ message }) => message).join('; ') });
}).catch((error) => port.postMessage({ failure: String(error) })).finally(() => {
  Atomics.store(flag, 0, 1);
  Atomics.notify(flag, 0);
});`;

/** Arcs up to which several layouts are made, of which that with the fewest crossings is taken. */
const FEW_ARCS = 150;

/**
 * Lays out drawings with dot of Graphviz (Gansner et al., IEEE Trans. Softw. Eng. 19, 1993), in a thread that is ended after some seconds.
 * Small nets are laid out with several orders of their nodes. The result does not depend on the computer.
 */
export const graphviz = (seconds: number = GRAPHVIZ_SECONDS): Arranger => ({
  arrange: (content) => {
    const orders: readonly NodeOrder[] =
      content.arcs.length <= FEW_ARCS ? ['marked first', 'by name', 'reversed'] : ['marked first'];
    const texts = orders.map((order) => graphvizInput(content, order));
    const layouts = answered(texts, seconds).map((text) => graphvizLayout(content, JSON.parse(text) as GraphvizOutput));
    const counts = layouts.map((layout) => (layouts.length === 1 ? 0 : arcCrossings(layout)));
    return layouts[counts.indexOf(Math.min(...counts))]!;
  },
});

/** @throws LayoutTimeout; Error if Graphviz fails */
function answered(texts: readonly string[], seconds: number): readonly string[] {
  const flag = new Int32Array(new SharedArrayBuffer(4));
  const { port1, port2 } = new MessageChannel();
  const path = createRequire(import.meta.url).resolve('@viz-js/viz');
  const thread = new Worker(THREAD, {
    eval: true,
    workerData: { flag, port: port2, path, texts },
    transferList: [port2],
    stdout: true,
    stderr: true,
    execArgv: [],
  });
  // Nobody waits for its end; errors are in its answer.
  thread.on('error', () => {});
  thread.unref();
  try {
    if (Atomics.wait(flag, 0, 0, seconds * 1000) === 'timed-out') throw new LayoutTimeout();
    const { message } = receiveMessageOnPort(port1) as {
      readonly message: { readonly outputs?: readonly string[]; readonly failure?: string };
    };
    if (message.outputs === undefined) throw new Error(`Graphviz: ${message.failure}`);
    return message.outputs;
  } finally {
    port1.close();
    void thread.terminate();
  }
}
