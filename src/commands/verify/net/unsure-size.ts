import { CUT_UNSURE, UNSURE_BYTES, whyEndless } from '../../../analysis/coverability/boundedness.ts';
import type { Helper } from '../../../analysis/properties/formula-of.ts';
import type { StateSpace } from '../../../analysis/space/state-space.ts';
import type { Net } from '../../../net/net.ts';

/** Ends the exploration of a net that may have infinitely many markings, and whose markings take much memory. */
export class UnsureSize implements Helper {
  readonly #net: Net;
  readonly #space: StateSpace;
  readonly #stop: () => boolean;
  #endless: { readonly because: string | undefined } | undefined;

  constructor(net: Net, space: StateSpace, stop: () => boolean) {
    this.#net = net;
    this.#space = space;
    this.#stop = stop;
  }

  work(): void {}

  stops(): string | undefined {
    if (this.#space.bytes < UNSURE_BYTES) return undefined;
    if (this.#endless === undefined) {
      const found = whyEndless(this.#net, this.#stop);
      this.#endless = { because: found?.sure === false ? `${found.because} ${CUT_UNSURE}` : undefined };
    }
    return this.#endless.because;
  }
}
