import { didYouMean, fail, shown } from '../../../base/problem.ts';
import { Site } from '../../site.ts';
import { addCompletion, connected } from './record-labels.ts';
import { type Methods, NOTHING, type Options, type Recording } from './recording.ts';
import type { Request, SendMode, Statement } from './statement.ts';

const MODES: readonly SendMode[] = ['standard', 'synchronous', 'buffered', 'ready'];

type Persistent = Request & { readonly persistent: true };

/** Records a send or a receive; with a request, a non-blocking one. `above`: the method whose caller is its site. */
function posting(recording: Recording) {
  const postSend = (
    options: unknown,
    request: Request | undefined,
    above: (...a: never[]) => unknown,
    site: Site = new Site(above),
  ): void => {
    const call = request === undefined ? 'send' : 'isend';
    const given = recording.options(call, options, ['label', 'to', 'bytes', 'tag', 'mode', 'carry', 'comm'], above);
    const { options: o } = connected(recording, call, given, above);
    const { to, bytes, tag = 0, mode = 'standard', carry = {}, comm } = o;
    if (!MODES.includes(mode as SendMode))
      fail('MODEL012', `unknown mode ${shown(mode)} of a ${call}.${didYouMean(String(mode), MODES)}`, site.place);
    for (const name of Object.keys(carry as object)) recording.variable(name, above);
    if (!('to' in o) || bytes === undefined)
      fail('MODEL014', `${call} requires to and bytes: ${'to' in o ? 'bytes' : 'to'} is missing`, site.place);
    recording.add({
      kind: 'send',
      to,
      bytes,
      tag,
      mode: mode as SendMode,
      carry: carry as Options,
      comm: recording.comm(comm, call, above),
      request,
      site,
    });
  };

  const postRecv = (
    options: unknown,
    request: Request | undefined,
    above: (...a: never[]) => unknown,
    site: Site = new Site(above),
  ): void => {
    const call = request === undefined ? 'recv' : 'irecv';
    const given = recording.options(call, options, ['label', 'from', 'tag', 'into', 'comm'], above);
    const { options: o, open } = connected(recording, call, given, above);
    const { from, tag = 0, into, comm } = o;
    if (!('from' in o))
      fail('MODEL014', `${call} requires from, which is missing (ANY receives from any source)`, site.place);
    if (request !== undefined && into !== undefined)
      fail(
        'MODEL014',
        'irecv has no option "into": the message arrives at the wait, so give into to the wait',
        site.place,
      );
    if (open !== undefined && request !== undefined) recording.openRequests.add(request.number);
    const statement: Extract<Statement, { kind: 'recv' }> = {
      kind: 'recv',
      from,
      tag,
      into: recording.into(into, above),
      comm: recording.comm(comm, call, above),
      request,
      site,
    };
    addCompletion(recording, statement, open !== undefined);
  };
  return { postSend, postRecv };
}

/** Records a probe; `iprobe` sets the variable `done` instead of waiting. */
function look(recording: Recording, call: 'probe' | 'iprobe', given: Options, above: (...a: never[]) => unknown): void {
  const known = ['from', 'tag', 'into', 'comm', ...(call === 'probe' ? [] : ['done'])];
  const options = recording.options(call, given, known, above);
  const { from, tag = 0, into, comm, done } = options;
  const site = new Site(above);
  if (!('from' in options))
    fail('MODEL014', `${call} requires from, which is missing (ANY receives from any source)`, site.place);
  if (call === 'iprobe' && done === undefined) fail('MODEL014', 'iprobe requires done, which is missing', site.place);
  // Carried values come with the receive.
  const status = into === undefined ? undefined : recording.options('into', into, ['source', 'tag'], above);
  recording.add({
    kind: 'probe',
    from,
    tag,
    into: recording.into(status, above),
    comm: recording.comm(comm, call, above),
    done: call === 'probe' ? undefined : recording.variable(done, above, 'flag'),
    site,
  });
}

/** Builder methods for point-to-point messages. */
export function messageMethods(recording: Recording): Methods {
  const persistent = new Map<Request, (request: Request, site: Site) => void>();

  const { postSend, postRecv } = posting(recording);
  const methods = {
    send(options: Options): void {
      postSend(options, undefined, methods.send);
    },
    isend(options: Options): Request {
      const request = recording.request(methods.isend);
      postSend(options, request, methods.isend);
      return request;
    },
    recv(options: Options): void {
      postRecv(options, undefined, methods.recv);
    },
    irecv(options: Options): Request {
      const request = recording.request(methods.irecv);
      postRecv(options, request, methods.irecv);
      return request;
    },
    probe(options: Options): void {
      look(recording, 'probe', options, methods.probe);
    },
    iprobe(options: Options): void {
      look(recording, 'iprobe', options, methods.iprobe);
    },
    sendrecv(options: Options): void {
      const above = methods.sendrecv;
      const { from, recvTag, into, ...send } = recording.options(
        'sendrecv',
        options,
        ['to', 'bytes', 'tag', 'carry', 'comm', 'from', 'recvTag', 'into'],
        above,
      );
      const site = new Site(above, 'sendrecv');
      const sent = recording.request(above);
      postSend(send, sent, above, site);
      const received = recording.request(above);
      const tag = recvTag ?? send['tag'];
      const { comm } = send;
      postRecv(
        { from, ...(tag === undefined ? {} : { tag }), ...(comm === undefined ? {} : { comm }) },
        received,
        above,
        site,
      );
      recording.add({ kind: 'wait', request: sent, into: NOTHING, site });
      recording.add({ kind: 'wait', request: received, into: recording.into(into, above), site });
    },
    sendInit(options: Options): Persistent {
      const request: Persistent = { ...recording.request(methods.sendInit), persistent: true };
      persistent.set(request, (q, site) => postSend(options, q, methods.start, site));
      return request;
    },
    recvInit(options: Options): Persistent {
      const request: Persistent = { ...recording.request(methods.recvInit), persistent: true };
      persistent.set(request, (q, site) => postRecv(options, q, methods.start, site));
      return request;
    },
    start(...requests: readonly Persistent[]): void {
      const site = new Site(methods.start, requests.length > 1 ? 'startall' : 'start');
      for (const request of requests) {
        const post = persistent.get(request);
        if (post === undefined) fail('MODEL015', 'start: expected a request of sendInit or recvInit', site.place);
        post(request, site);
      }
    },
  };
  return methods;
}

/** Builder methods that wait for requests or test them. */
export function requestMethods(recording: Recording): Methods {
  const methods = {
    wait(request: Request, into?: unknown): void {
      const above = methods.wait;
      const known = recording.known(request, above);
      const completion = {
        kind: 'wait',
        request: known,
        into: recording.into(into, above),
        site: new Site(above),
      } as const;
      addCompletion(recording, completion, recording.openRequests.has(known.number));
    },
    waitAll(requests: readonly Request[]): void {
      const list = recording.requestsOf(requests, methods.waitAll);
      const site = new Site(methods.waitAll, 'waitall');
      for (const request of list) recording.add({ kind: 'wait', request, into: NOTHING, site });
    },
    waitAny(requests: readonly Request[], options: unknown = {}): void {
      const above = methods.waitAny;
      const { index, into } = recording.options('waitAny', options, ['index', 'into'], above);
      const list = recording.requestsOf(requests, above);
      const completion = {
        kind: 'waitAny',
        requests: list,
        index: index === undefined ? undefined : recording.variable(index, above, 'number'),
        into: recording.into(into, above),
        site: new Site(above),
      } as const;
      addCompletion(recording, completion, recording.allOpen(list, completion.into, above));
    },
    waitSome(requests: readonly Request[], options: unknown = {}): void {
      const above = methods.waitSome;
      const { count } = recording.options('waitSome', options, ['count'], above);
      const list = recording.requestsOf(requests, above);
      const site = new Site(above, 'waitSome');
      const counter = count === undefined ? undefined : recording.variable(count, above, 'number');
      recording.add({ kind: 'waitAny', requests: list, index: undefined, into: NOTHING, site });
      if (counter !== undefined) recording.add({ kind: 'let', variable: counter, value: 1, site });
      for (const request of list) recording.add({ kind: 'take', request, count: counter, site });
    },
    testAny(requests: readonly Request[], options: unknown): void {
      const above = methods.testAny;
      const { done, index } = recording.options('testAny', options, ['done', 'index'], above);
      const list = recording.requestsOf(requests, above);
      const flag = recording.variable(done, above, 'flag');
      const site = new Site(above, 'testAny');
      const position = index === undefined ? undefined : recording.variable(index, above, 'number');
      // If all requests were taken before, MPI sets the flag.
      const all = testsOf(list, flag, true, { asks: 'over', site });
      const any = testsOf(list, flag, false, { asks: 'now', index: position, site });
      for (const s of [...all, ...after(flag, false, any, site)]) recording.add(s);
    },
    testAll(requests: readonly Request[], options: unknown): void {
      const above = methods.testAll;
      const { done } = recording.options('testAll', options, ['done'], above);
      const list = recording.requestsOf(requests, above);
      const site = new Site(above, 'testAll');
      const flag = recording.variable(done, above, 'flag');
      for (const s of testsOf(list, flag, true, { asks: 'complete', site })) recording.add(s);
    },
    testSome(requests: readonly Request[], options: unknown = {}): void {
      const above = methods.testSome;
      const { count } = recording.options('testSome', options, ['count'], above);
      const list = recording.requestsOf(requests, above);
      const site = new Site(above, 'testSome');
      const counter = count === undefined ? undefined : recording.variable(count, above, 'number');
      if (counter !== undefined) recording.add({ kind: 'let', variable: counter, value: 0, site });
      for (const request of list) recording.add({ kind: 'take', request, count: counter, site });
    },
    test(request: Request, options: unknown): void {
      const above = methods.test;
      const { done, into } = recording.options('test', options, ['done', 'into'], above);
      const known = recording.known(request, above);
      const completion = {
        kind: 'test',
        request: known,
        done: recording.variable(done, above, 'flag'),
        into: recording.into(into, above),
        site: new Site(above),
      } as const;
      addCompletion(recording, completion, recording.openRequests.has(known.number));
    },
  };
  return methods;
}

type Test = Extract<Statement, { readonly kind: 'test' }>;

/** Tests of requests one after the other, each if the flag of the one before is `wanted`; without requests the flag is true. */
function testsOf(
  requests: readonly Request[],
  done: string,
  wanted: boolean,
  how: Pick<Test, 'asks' | 'index' | 'site'>,
): readonly Statement[] {
  if (requests.length === 0) return [{ kind: 'let', variable: done, value: true, site: how.site }];
  return requests.reduceRight<readonly Statement[]>(
    (rest, request, position) => [
      { kind: 'test', request, done, into: NOTHING, position, ...how },
      ...(rest.length === 0 ? [] : after(done, wanted, rest, how.site)),
    ],
    [],
  );
}

/** Statements that are executed if a flag is `wanted`. */
function after(flag: string, wanted: boolean, statements: readonly Statement[], site: Site): readonly Statement[] {
  const test = (s: Readonly<Record<string, unknown>>): boolean => s[flag] === wanted;
  return [{ kind: 'when', test, holds: { statements }, otherwise: { statements: [] }, site }];
}

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
    accumulate(options: Options): void {
      const above = methods.accumulate;
      const { to, bytes, comm } = recording.options('accumulate', options, ['to', 'bytes', 'comm'], above);
      recording.add({
        kind: 'put',
        peer: to,
        bytes,
        comm: recording.comm(comm, 'accumulate', above),
        accumulates: true,
        site: new Site(above),
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
