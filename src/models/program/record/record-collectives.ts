import { Site } from '../../site.ts';
import type { Methods, Recording } from './recording.ts';
import type { CollectiveKind, Request } from './statement.ts';

/** Builder methods for collectives: each by its name, and with prefix `i` for the non-blocking variant. */
export function collectiveMethods(recording: Recording): Methods {
  const methods = {};
  for (const call of Object.keys(COLLECTIVE_OPTIONS) as CollectiveKind[]) {
    const add = (options: unknown, request: Request | undefined, above: (o?: unknown) => unknown): void => {
      const o = recording.options(call, options ?? {}, [...COLLECTIVE_OPTIONS[call], 'comm'], above);
      const { comm, ...args } = o;
      recording.add({
        kind: 'collective',
        call,
        args,
        comm: recording.comm(comm, call, above),
        request,
        site: new Site(above),
      });
    };
    const blocking = (options?: unknown): void => add(options, undefined, blocking);
    const posted = (options?: unknown): Request => {
      const request = recording.request(posted);
      add(options, request, posted);
      return request;
    };
    Object.assign(methods, { [call]: blocking, [`i${call}`]: posted });
  }
  return methods;
}

const COLLECTIVE_OPTIONS: Readonly<Record<CollectiveKind, readonly string[]>> = {
  barrier: [],
  bcast: ['bytes', 'root'],
  reduce: ['bytes', 'flops', 'root'],
  allreduce: ['bytes', 'flops'],
  scan: ['bytes', 'flops'],
  exscan: ['bytes', 'flops'],
  gather: ['bytes', 'root'],
  scatter: ['bytes', 'root'],
  allgather: ['bytes'],
  alltoall: ['bytes'],
  gatherv: ['counts', 'root'],
  scatterv: ['counts', 'root'],
  allgatherv: ['counts'],
  alltoallv: ['sendCounts', 'recvCounts'],
  reducescatter: ['counts', 'flops'],
};
