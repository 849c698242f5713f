import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { predict } from '../../../src/commands/predict/predict.ts';
import type { PredictionDocument } from '../../../src/commands/predict/prediction.ts';
import { renderPrediction } from '../../../src/commands/predict/view/terminal.ts';

const dir = mkdtempSync(join(tmpdir(), 'foretoken-config-'));
afterAll(() => rmSync(dir, { recursive: true }));

const hosts = `<zone id="z" routing="Full"><host id="a" speed="1Gf"/><host id="b" speed="1Gf"/><host id="c" speed="1Gf"/>
<link id="s" bandwidth="10MBps" latency="10us"/><link id="l1" bandwidth="1MBps" latency="100us"/>
<link id="l2" bandwidth="100MBps" latency="10us"/>
<route src="a" dst="b"><link_ctn id="s"/><link_ctn id="l1"/></route>
<route src="a" dst="c"><link_ctn id="s"/><link_ctn id="l2"/></route>
<route src="b" dst="c"><link_ctn id="l1"/><link_ctn id="l2"/></route></zone>`;
/** Flows with different penalties on one link, and one flow over the loopback link. */
const shared = `0 init
0 isend 1 0 1000000 6
0 isend 2 0 1000000 6
0 isend 3 0 100000 6
0 waitall 3
1 init
1 recv 0 0 1000000 6
2 init
2 recv 0 0 1000000 6
3 init
3 recv 0 0 100000 6
`;
const pair = `0 init
0 compute 1e6
0 send 1 0 1000
0 send 1 0 50000
0 recv 1 0 200000
1 init
1 compute 1e6
1 compute 1e6
1 recv 0 0 1000
1 recv 0 0 50000
1 send 0 0 200000
`;
const link = `<zone id="z" routing="Full"><host id="a" speed="1Gf"/><host id="b" speed="1Gf"/>
<link id="l" bandwidth="100MBps" latency="50us"/><route src="a" dst="b"><link_ctn id="l"/></route></zone>`;

type Props = readonly (readonly [id: string, value: string])[];

function run(body: string, trace: string, props: Props, options: object = {}): PredictionDocument {
  const config = props.map(([id, value]) => `<prop id="${id}" value="${value}"/>`).join('\n');
  const machine = join(dir, 'p.xml');
  const head = '<?xml version="1.0"?>\n<platform version="4.1">';
  writeFileSync(machine, `${head}<config id="General">\n${config}\n</config>\n${body}</platform>\n`);
  const file = join(dir, 't.ti');
  writeFileSync(file, trace);
  return predict(file, { machine, ...options });
}
const time = (document: PredictionDocument): number => document.figures.runTime.value;
const warned = ({ warnings }: PredictionDocument): string[] =>
  warnings.filter((w) => w.code === 'PLAT050').map((w) => w.message);

// Run times of SimGrid 3.32: smpirun -replay on the same platform.
describe('<config> is applied as smpirun does', () => {
  test.each<[number, Props]>([
    [0.00587, []],
    [0.005316, [['smpi/lat-factor', '0:2']]],
    [0.005316, [['smpi/lat-factor', '0:2:7']]],
    [0.005416, [['smpi/lat-factor', '10000:3;0:2']]],
    [0.005466, [['smpi/lat-factor', '500:3;']]],
    [0.006366, [['smpi/lat-factor', '500:3;500:9']]],
    [0.005216, [['smpi/lat-factor', '10000:3;0:4;10000:1;0:2']]],
    [0.006616, [['smpi/bw-factor', '10000:0.5;0:0.9;10000:0.7']]],
    [0.005166, [['smpi/lat-factor', '']]],
    [0.006626, [['smpi/bw-factor', '0:0.5;10000:0.7']]],
    [0.031581, [['network/TCP-gamma', '1000']]],
    [0.008599, [['network/TCP-gamma', '5e3']]],
    [0.00587, [['network/TCP-gamma', '-1']]],
    [0.005727, [['network/crosstraffic', 'no']]],
    [0.00587, [['network/crosstraffic', 'on']]],
    [0.004815, [['smpi/async-small-thresh', '65536']]],
    [0.00587, [['smpi/async-small-thresh', '0x100']]],
    [
      0.005316,
      [
        ['smpi/lat-factor', '0:2'],
        ['smpi/lat-factor', '0:4'],
      ],
    ],
  ])('%f s: %j', (expected, props) => expect(time(run(link, pair, props))).toBeCloseTo(expected, 6));

  test.each([
    ['0', 1.117496],
    ['8775', 1.127636],
    ['1e6', 1.128545],
  ])('network/weight-S %s, and the default loopback link', (weight, expected) => {
    const hostfile = join(dir, 'h.txt');
    writeFileSync(hostfile, 'a\nb\nc\na\n');
    const props: Props = [
      ['network/weight-S', weight],
      ['network/loopback-bw', '2e6'],
      ['network/loopback-lat', '1e-3'],
    ];
    const document = run(hosts, shared, props, { hostfile });
    expect(time(document)).toBeCloseTo(expected, 6);
    expect(document.ranks[3]!.endTime).toBeCloseTo(0.064804, 6);
  });

  test('thresholds match the document', () => {
    const props: Props = [
      ['smpi/async-small-thresh', '1000'],
      ['smpi/send-is-detached-thresh', '2000'],
    ];
    expect(run(link, pair, props).options).toMatchObject({ eagerBelow: 1000, detachedBelow: 2000 });
  });
});

/**
 * Settings of SimGrid 3.32, and whether they change the time of a replay with messages, collectives and computations (or
 * abort it): smpirun -replay on the same platform, with each of them alone in its <config>.
 */
const SETTINGS = `
nothing bmf/max-iterations 10
nothing bmf/precision 1e-3
nothing cmonkey/time 0.001
nothing cmonkey/host 1
nothing contexts/factory thread
nothing contexts/guard-size 2
nothing contexts/stack-size 256
nothing contexts/synchro posix
nothing cpu/maxmin-selective-update yes
nothing cpu/model Cas01
nothing cpu/optim Full
nothing cpu/optim TI
nothing debug/verbose-exit no
nothing debug/clean-atexit no
nothing disk/solver bmf
nothing exception/cutpath yes
nothing host/model compound
changes host/model ptask_L07
nothing host/solver maxmin
changes maxmin/concurrency-limit 1
changes maxmin/concurrency-limit 2
nothing network/maxmin-selective-update yes
nothing network/optim Full
changes network/solver bmf
changes network/solver fairbottleneck
nothing ns3/seed 4
nothing path /tmp
nothing plugin host_energy
nothing plugin host_load
nothing plugin link_energy
changes plugin host_dvfs
changes plugin/dvfs/governor powersave
nothing smpi/IB-penalty-factors 0.5;0.5;1.1
applied smpi/allgather ring
applied smpi/allgatherv ring
applied smpi/allreduce lr
applied smpi/alltoall pair
applied smpi/alltoallv pair
applied smpi/barrier ompi_bruck
applied smpi/bcast scatter_LR_allgather
applied smpi/gather ompi_binomial
applied smpi/reduce binomial
applied smpi/reduce_scatter ompi_ring
applied smpi/scatter ompi_binomial
nothing smpi/auto-shared-malloc-thresh 1
changes smpi/bcast arrival_scatter
applied smpi/coll-selector mvapich2
applied smpi/coll-selector ompi
applied smpi/coll-selector mpich
applied smpi/coll-selector impi
changes smpi/coll-selector automatic
changes smpi/comp-adjustment-file /tmp/x
nothing smpi/cpu-threshold 1
nothing smpi/display-allocs yes
nothing smpi/display-timing yes
nothing smpi/errors-are-fatal no
changes smpi/finalization-barrier yes
nothing smpi/grow-injected-times no
nothing smpi/host-speed 1Gf
nothing smpi/hostfile /tmp/hf
changes smpi/init 0.5
nothing smpi/iprobe 0.5
nothing smpi/iprobe-cpu-usage 0.5
nothing smpi/keep-temps yes
nothing smpi/list-leaks 3
nothing smpi/np 3
nothing smpi/pedantic yes
nothing smpi/privatization no
nothing smpi/shared-malloc local
changes smpi/simulate-computation no
nothing smpi/tmpdir /var/tmp
nothing smpi/trace-call-location yes
nothing smpi/wtime 0.5
nothing surf/precision 1e-3
nothing tracing yes
nothing tracing/smpi yes
nothing tracing/smpi/format TI
nothing smpi/shared-malloc-blocksize 1e6
`;

describe('the rest of <config> is a warning by name, or a note if it changes times', () => {
  test('with its place, and the times are unchanged', () => {
    const props: Props = [
      ['network/model', 'CM02'],
      ['network/latency-factor', '7'],
      ['smpi/init', '0.5'],
      ['smpi/coll-selector', 'automatic'],
      ['tracing', 'yes'],
      ['smpi/lat-factor', '0:2'],
      ['smpi/lat-factor', '0:4'],
    ];
    const document = run(link, pair, props);
    expect(time(document)).toBeCloseTo(0.005316, 6);
    const names = warned(document).map(
      (message) => /^setting "([^"]+)" in <config> is not applied: /.exec(message)![1],
    );
    expect(names).toEqual(['network/model', 'network/latency-factor', 'smpi/lat-factor']);
    expect(document.notes!.map(({ code, message }) => `${code} ${message}`)).toEqual([
      'PLAT051 NOT APPLIED: setting "smpi/init" with value "0.5" in <config>: calls of the library cost no time. SimGrid\'s times differ',
      'PLAT051 NOT APPLIED: setting "smpi/coll-selector" with value "automatic" in <config>: these algorithms are not modelled, and collectives use those of --collectives. SimGrid\'s times differ',
    ]);
    expect(renderPrediction(document, { width: 100, unicode: true, colour: false }).split('\n\n')[0]).toContain(
      'NOT APPLIED: setting "smpi/coll-selector" with value "automatic"',
    );
    expect(document.warnings.find((w) => w.code === 'PLAT050')!.place).toEqual({
      file: join(dir, 'p.xml'),
      line: 3,
      column: 1,
    });
  });

  // smpirun ends, too: "Collective 'gather' has no algorithm 'ompii'! Valid algorithms: …" (SimGrid 3.32).
  test.each([
    ['smpi/coll-selector', 'ompii', 'MACH026', 'SimGrid has no selector "ompii" of collectives. Did you mean "ompi"?'],
    [
      'smpi/bcast',
      'binomial_tre',
      'MACH039',
      'SimGrid has no algorithm "binomial_tre" of bcast. Did you mean "binomial_tree"?',
    ],
    ['smpi/coll-selector', 'simgrid', 'MACH026', 'SimGrid has no selector "simgrid" of collectives.'],
  ])('a choice that SimGrid does not know is refused: %s %s', (name, value, code, message) => {
    expect(() => run(link, pair, [[name, value]])).toThrowError(
      expect.objectContaining({
        problems: [
          expect.objectContaining({
            code,
            message: expect.stringContaining(message),
            place: { file: join(dir, 'p.xml'), line: 3, column: 1 },
          }),
        ],
      }),
    );
    expect(() => run(link, pair, [[name, 'default']])).not.toThrow();
  });

  test.each(
    SETTINGS.trim()
      .split('\n')
      .map((line) => line.split(' ') as [string, string, string]),
  )('a setting of SimGrid is noted if it changes times (%s): %s %s', (effect, name, value) => {
    const document = run(link, pair, [[name, value]]);
    const notes = (document.notes ?? []).filter(({ code }) => code === 'PLAT051');
    expect(notes.map(({ message }) => message.includes(`"${name}"`))).toEqual(effect === 'changes' ? [true] : []);
  });

  test('the algorithms of collectives are those of --collectives, unless the option is given', () => {
    const chosen = (props: Props, collectives?: string): unknown =>
      run(link, pair, props, collectives === undefined ? {} : { collectives }).options['collectives'];
    const props: Props = [
      ['smpi/coll-selector', 'ompi'],
      ['smpi/reduce_scatter', 'mpich_rdb'],
      ['smpi/bcast', 'automatic'],
    ];
    expect(chosen(props)).toBe('ompi,reducescatter=mpich_rdb');
    expect(chosen([['smpi/allreduce', 'rdb']])).toBe('simgrid,allreduce=rdb');
    expect(chosen(props, 'mpich')).toBe('mpich');
  });

  test('a name that SimGrid 3.32 does not have is not applied, and the nearest name is given', () => {
    const [note] = run(link, pair, [['network/TCP_gamma', '1000']]).notes!;
    expect(note!.message).toMatch(/SimGrid 3.32 has no setting of this name. Did you mean "network\/TCP-gamma"\?/);
  });

  test('except for defaults', () => {
    const props: Props = [
      ['network/model', 'SMPI'],
      ['smpi/coll-selector', 'default'],
      ['smpi/os', '0:0:0:0:0'],
      ['smpi/or', '1:0:0;500:0.0:0'],
    ];
    expect(warned(run(link, pair, props))).toEqual([]);
  });

  test('and for settings fixed by the chosen network model', () => {
    const props: Props = [
      ['network/crosstraffic', 'yes'],
      ['smpi/async-small-thresh', '100'],
    ];
    const plain = run(link, pair, props, { networkModel: 'simgrid-plain' });
    expect(plain.options).toMatchObject({ eagerBelow: 100, detachedBelow: 65536 });
    expect(warned(plain)).toEqual([
      'network/crosstraffic of the platform is not applied: network model simgrid-plain fixes it',
    ]);
    const eager = run(link, pair, props, { networkModel: 'simgrid-eager' });
    expect(eager.options['eagerBelow']).toBe(65536);
    expect(warned(eager)).toHaveLength(2);
  });
});

/** A list of 17 entries that ends in these two. */
const LONG = (two: string): string => `${Array.from({ length: 15 }, (_, k) => `${1000 + k}:1`).join(';')};${two}`;

test.each<[string, string, RegExp]>([
  ['smpi/lat-factor', '2', /PLAT007 value "2" of "smpi\/lat-factor".*THRESHOLD:FACTOR/],
  ['smpi/bw-factor', '0:0', /PLAT007/],
  ['smpi/os', '1e-3', /PLAT007 value "1e-3" of "smpi\/os".*THRESHOLD:SECONDS:SECONDS_PER_BYTE/],
  ['smpi/or', '0:-1:0', /PLAT007.*seconds >= 0/],
  [
    'smpi/lat-factor',
    LONG('500:1;500:2'),
    /PLAT007 .*each threshold once in a list of more than 16, where SimGrid takes any entry of 500/,
  ],
  ['smpi/ois', LONG('500:1:0;500:1:1'), /PLAT007 .*each threshold once in a list of more than 16/],
  ['network/TCP-gamma', '1kB', /PLAT007.*a number without unit/],
  ['network/crosstraffic', 'True', /PLAT007.*expected yes, on, true/],
  ['smpi/async-small-thresh', '1e4', /PLAT007.*expected an integer/],
  ['smpi/async-small-thresh', '70000', /PLAT007 smpi\/async-small-thresh is 70000: expected at most/],
  ['network/loopback-bw', '1MBps', /PLAT007/],
  ['network/loopback-bw', '0', /PLAT007/],
  ['network/loopback-bw', '-5', /PLAT007/],
  ['network/loopback-lat', '-1', /PLAT007/],
  ['network/weight-S', '-3', /PLAT007/],
  ['smpi/test', '-0.1', /PLAT007/],
])('%s %s is rejected', (id, value, message) => expect(() => run(link, pair, [[id, value]])).toThrow(message));

test('a long list may repeat an entry', () => {
  expect(time(run(link, pair, [['smpi/lat-factor', LONG('0:2;0:2')]]))).toBeGreaterThan(0);
});

test('<config> comes first', () => {
  expect(() => run(link.replace('</zone>', '</zone><config/>'), pair, [])).toThrow(/PLAT005 <config> must come before/);
});
