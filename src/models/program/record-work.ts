import { fail } from '../../base/problem.ts';
import { noiseOf } from './noise.ts';
import type { Methods, Options, Recording } from './recording.ts';
import { Site } from './site.ts';

/** Builder methods for computing, sleeping and file access. */
export function workMethods(recording: Recording): Methods {
  const methods = {
    compute(work: Options): void {
      const o = recording.options('compute', work, ['flops', 'bytes', 'seconds', 'noise'], methods.compute);
      const site = new Site(methods.compute);
      if (o['flops'] !== undefined && o['seconds'] !== undefined)
        fail('MODEL014', 'compute: expected flops or seconds, got both', site.place);
      if (o['flops'] === undefined && o['seconds'] === undefined && o['bytes'] === undefined)
        fail('MODEL014', 'compute: expected flops, bytes or seconds, got none', site.place);
      const { flops, bytes, seconds, noise } = o;
      recording.add({ kind: 'compute', flops, bytes, seconds, noise: noiseOf(noise, site), site });
    },
    sleep(seconds: unknown, noise?: unknown): void {
      const site = new Site(methods.sleep);
      recording.add({ kind: 'sleep', seconds, noise: noiseOf(noise, site), site });
    },
    readFile(options: Options): void {
      const { bytes } = recording.options('readFile', options, ['bytes'], methods.readFile);
      recording.add({ kind: 'file', call: 'readFile', bytes, site: new Site(methods.readFile) });
    },
    writeFile(options: Options): void {
      const { bytes } = recording.options('writeFile', options, ['bytes'], methods.writeFile);
      recording.add({ kind: 'file', call: 'writeFile', bytes, site: new Site(methods.writeFile) });
    },
  };
  return methods;
}
