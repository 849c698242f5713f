import type { Methods, Options, Recording } from './recording.ts';
import { Site } from './site.ts';

/** Builder methods for one-sided transfers. */
export function oneSidedMethods(recording: Recording): Methods {
  const methods = {
    put(options: Options): void {
      const { to, bytes, comm } = recording.options('put', options, ['to', 'bytes', 'comm'], methods.put);
      recording.add({
        kind: 'put',
        peer: to,
        bytes,
        comm: recording.comm(comm, 'put', methods.put),
        site: new Site(methods.put),
      });
    },
    get(options: Options): void {
      const { from, bytes, comm } = recording.options('get', options, ['from', 'bytes', 'comm'], methods.get);
      recording.add({
        kind: 'get',
        peer: from,
        bytes,
        comm: recording.comm(comm, 'get', methods.get),
        site: new Site(methods.get),
      });
    },
    fence(options: unknown = {}): void {
      const { comm } = recording.options('fence', options, ['comm'], methods.fence);
      recording.add({
        kind: 'fence',
        comm: recording.comm(comm, 'fence', methods.fence),
        site: new Site(methods.fence),
      });
    },
  };
  return methods;
}
