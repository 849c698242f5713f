import * as fc from 'fast-check';
import { NetBuilder } from '../../src/net/builder/builder.ts';
import type { Follow, LinkProfile, Net, ServiceLink } from '../../src/net/net.ts';
import { div } from '../../src/net/terms.ts';

export interface Message {
  readonly at: number;
  readonly amount: number;
  readonly weight: number;
  readonly bound: number;
  readonly crosses: readonly { readonly link: number; readonly coefficient: number }[];
  readonly wait: number;
}

/** A net in which messages arrive at given times; `done` takes them when they are served. */
export function netOfMessages(links: readonly ServiceLink[], messages: readonly Message[], follow?: Follow): Net {
  const n = new NetBuilder('profiles');
  const Message = n.range('Message', 0, messages.length - 1);
  const start = [0];
  for (const { crosses } of messages) start.push(start.at(-1)! + crosses.length);
  const all = messages.flatMap(({ crosses }) => crosses);
  const routes = n.routesTable(
    'routes',
    Int32Array.from(start),
    Int32Array.from(all, ({ link }) => link),
    Float64Array.from(all, ({ coefficient }) => coefficient),
  );
  const of = (name: string, value: (m: Message) => number) => n.realTable(name, Float64Array.from(messages, value));
  const [at, amount, weight] = [of('at', (m) => m.at), of('amount', (m) => m.amount), of('weight', (m) => m.weight)];
  const [bound, wait] = [of('bound', (m) => m.bound), of('wait', (m) => m.wait)];
  const ready = n.place('ready', { m: Message }, { initial: messages.map((_, m) => ({ m })) });
  const wire = n.place(
    'wire',
    { m: Message },
    {
      service: ({ m }) => ({
        links,
        amount: amount.at(m),
        weight: weight.at(m),
        bound: bound.at(m),
        routes,
        route: m,
        latency: wait.at(m),
        latencyFactor: div(2, 1),
        ...(follow === undefined ? {} : { follow }),
      }),
    },
  );
  n.transition('arrives', (t) => {
    const { m } = t.take(ready);
    t.delay(at.at(m));
    t.put(wire, { m });
  });
  n.transition('done', (t) => {
    t.take(wire);
  });
  return n.build();
}

/** Numbers that do not meet at one instant by chance, also when they are shrunk. */
const real = (min: number, max: number) =>
  fc.nat({ max: 1e6 }).map((k) => min + (max - min) * ((k * 0.6180339887498949 + 0.0123456789) % 1));
const profile = fc
  .record({
    of: fc.constantFrom('capacity' as const, 'capacity' as const, 'latency' as const, 'state' as const),
    times: fc.array(real(0, 6), { minLength: 1, maxLength: 4 }).map((times) => times.sort((a, b) => a - b)),
    pause: fc.option(real(0.1, 3)),
    draws: fc.array(real(0.1, 1), { minLength: 4, maxLength: 4 }),
  })
  .map(({ of, times, pause, draws }): LinkProfile => {
    const values = times.map((_, k) => (of === 'state' ? Number(draws[k]! > 0.3) : draws[k]!));
    return { of, times, values, ...(pause === null ? {} : { period: times.at(-1)! + pause }) };
  });
const anyLink = fc
  .record({
    capacity: real(0.5, 5),
    kind: fc.nat({ max: 3 }),
    profiles: fc.uniqueArray(profile, { maxLength: 2, selector: ({ of }) => of }),
  })
  .map(({ capacity, kind, profiles }): ServiceLink => {
    const own = profiles.length === 0 ? {} : { profiles };
    if (kind === 0)
      return { name: 'cores', capacity: 2 * capacity, fatpipe: false, byTokens: [capacity, 2 * capacity], ...own };
    if (kind === 1)
      return { name: 'pipe', capacity, fatpipe: true, ...own, ...(profiles.length === 0 ? {} : { level: true }) };
    return { name: 'link', capacity, fatpipe: false, ...own };
  });
/** Messages over links of which at least one changes. */
export const changingLinks = fc
  .array(anyLink, { minLength: 1, maxLength: 4 })
  .chain((links) =>
    fc.record({
      links: fc.constant(links),
      messages: fc.array(
        fc.record({
          at: real(0, 8),
          amount: fc.oneof(fc.constant(0), real(0.1, 8)),
          weight: real(0.5, 3),
          bound: fc.oneof(real(0.5, 3), fc.constant(Number.POSITIVE_INFINITY)),
          wait: fc.oneof(fc.constant(0), real(0.05, 1)),
          crosses: fc
            .uniqueArray(fc.nat({ max: links.length - 1 }), { maxLength: 3 })
            .chain((ls) =>
              fc.tuple(
                ...ls.map((l) => fc.constantFrom(0.05, 1, 1.05, 2).map((coefficient) => ({ link: l, coefficient }))),
              ),
            ),
        }),
        { minLength: 1, maxLength: 8 },
      ),
      follow: fc.option(
        fc.record({
          capped: fc.boolean(),
          weightByLatency: fc.constantFrom(0, 1),
          weightByCapacity: fc.constantFrom(0, 0.5),
          boundByLatency: fc.constantFrom(0, 0.3),
        }),
      ),
    }),
  )
  .filter(({ links }) => links.some(({ profiles }) => profiles !== undefined))
  .map(({ follow, ...others }) => ({ ...others, follow: follow ?? undefined }));

/** The net of {@link changingLinks}. */
export const netOfChangingLinks = changingLinks.map(({ links, messages, follow }) =>
  netOfMessages(links, messages, follow),
);
