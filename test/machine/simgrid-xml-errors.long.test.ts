import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formatProblem, InputError } from '../../src/base/problem.ts';
import { readSimgridPlatform } from '../../src/machine/simgrid/simgrid-xml.ts';
import { effort } from '../effort.ts';
import { platforms, platformText, temporary } from './fixtures.ts';

/** Problems of a file, without its name. */
function problemsOf(text: string | Uint8Array, limits = {}): string[] {
  const file = temporary(text);
  try {
    readSimgridPlatform(file, limits);
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    return error.problems.map((problem) => formatProblem(problem).replace(`${file}:`, '').trim());
  }
  return [];
}

const hosts = '<host id="alpha" speed="1Gf"/><host id="beta" speed="1Gf"/>';
const link = '<link id="wire" bandwidth="1GBps" latency="1us"/>';
const ctn = '<link_ctn id="wire"/>';
const zone = (inner: string): string => platformText(`<zone id="w" routing="Full">${inner}</zone>`);
const cluster = (more: string, radical = '0-3'): string =>
  platformText(`<cluster id="c" prefix="n" suffix="" radical="${radical}" speed="1Gf" bw="1GBps" lat="1us" ${more}/>`);
const lol = `<?xml version="1.0"?><!DOCTYPE platform [<!ENTITY a "lol"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;">
<!ENTITY c "&b;&b;&b;&b;&b;&b;&b;&b;">]><platform version="4.1"><zone id="&c;" routing="Full"/></platform>`;
const deep = platformText(Array.from({ length: 100_000 }, (_, i) => `<zone id="z${i}" routing="Full">`).join(''));

const cases: [what: string, text: string | Uint8Array, expected: string[]][] = [
  ['an empty file', '', ['PLAT001 the file is empty']],
  ['a binary file', new Uint8Array([0x7f, 0x45, 0x4c, 0x46, 0, 1]), ['PLAT001 the file is binary']],
  ['a file in another encoding', new Uint8Array([0x3c, 0xe9, 0x3e]), ['PLAT001 the file is not UTF-8']],
  ['text that is no XML', 'hello', ['PLAT002 not well-formed XML: text data outside of root node']],
  [
    'a file that ends early',
    platformText(`<zone id="w" routing="Full">${hosts}`).slice(0, 200),
    ['PLAT002 not well-formed'],
  ],
  ['tags that do not match', zone(`${hosts}</zones>`), ['PLAT002 not well-formed XML: unexpected close tag']],
  ['entity definitions', lol, ['2:41: PLAT003 entity definitions are not supported']],
  [
    'declarations in the DOCTYPE',
    '<!DOCTYPE platform [<!ATTLIST host speed CDATA "1Gf">]><platform version="4.1"/>',
    ['PLAT003 markup declarations'],
  ],
  ['deep nesting', deep, ['PLAT004 elements are nested deeper than 64']],
  ['a platform without hosts', zone(''), ['PLAT013 the platform has no hosts']],
  ['another document', '<svg><g/></svg>', ['1:1: PLAT005 unknown element <svg>.']],
  ['an element out of place', platformText(hosts), ['4:1: PLAT005 <host> is not allowed inside <platform>', 'PLAT005']],
  [
    'an element that is not supported',
    zone(`${hosts}<storage id="d"/>`),
    ['PLAT005 element <storage> is not supported'],
  ],
  ['a configuration in a zone', zone(`${hosts}<config/>`), ['PLAT005 <config> is not allowed inside <zone>']],
  ['a configuration without a value', platformText('<config><prop id="a"/></config>'), ['PLAT006 <prop> lacks']],
  ['a misspelt element', zone('<hots id="a" speed="1Gf"/>'), ['Did you mean "host"?']],
  ['text between elements', zone(`${hosts} hello`), ['PLAT005 unexpected text "hello"']],
  ['a missing attribute', zone('<host id="a"/>'), ['4:29: PLAT006 <host> lacks the attribute speed']],
  ['a link without bandwidth', zone(`${hosts}<link id="l" latency="1s"/>`), ['lacks the attribute bandwidth']],
  ['a disk outside of a host', zone(`${hosts}<disk/>`), ['PLAT005 <disk> is not allowed inside <zone>']],
  [
    'a peer in a zone of routing Full',
    zone('<peer id="p" speed="1f" bw_in="1Bps" bw_out="1Bps"/>'),
    ['PLAT005 <peer> in zone "w": expected a zone of routing Vivaldi'],
  ],
  [
    'a backbone in a zone of routing Full',
    zone('<backbone id="b" bandwidth="1Bps" latency="0"/>'),
    ['expected a zone of routing Cluster'],
  ],
  [
    'two coordinates',
    platformText('<zone id="w" routing="Vivaldi"><host id="a" speed="1f" coordinates="1 2"/></zone>'),
    ['PLAT007 coordinates "1 2" of <host>: expected three numbers in milliseconds'],
  ],
  [
    'a host_link of no host of its zone',
    platformText(`<zone id="w" routing="Cluster">${hosts}<host_link id="z" up="u" down="d"/></zone>`),
    ['PLAT012 host_link: zone "w" has no host "z"'],
  ],
  [
    'a host_link of no link',
    platformText(`<zone id="w" routing="Cluster">${hosts}<host_link id="alpha" up="u" down="d"/></zone>`),
    ['PLAT012 host_link: unknown link "u"', 'PLAT012 host_link: unknown link "d"'],
  ],
  [
    'a route in a zone of routing Cluster',
    platformText(
      `<zone id="w" routing="Cluster">${hosts}<link id="l" bandwidth="1Bps"/><route src="alpha" dst="beta"><link_ctn id="l"/></route></zone>`,
    ),
    ['PLAT012 zone "w" takes no routes: expected a zone of routing Full, Floyd or Dijkstra'],
  ],
  [
    'a second bypass',
    zone(
      `${hosts}<link id="l" bandwidth="1Bps"/>${'<bypassRoute src="alpha" dst="beta"><link_ctn id="l"/></bypassRoute>'.repeat(2)}`,
    ),
    ['PLAT008 duplicate bypass from "alpha" to "beta"'],
  ],
  [
    'too many points for routing Floyd',
    platformText(
      `<zone id="w" routing="Floyd">${Array.from({ length: 1025 }, (_, k) => `<router id="r${k}"/>`).join('')}</zone>`,
    ),
    ['PLAT010 zone "w" of routing Floyd has 1025 points: expected at most 1024; use Dijkstra'],
  ],
  [
    'a torus of another size',
    cluster('topology="TORUS" topo_parameters="3,2"'),
    ['PLAT011 topo_parameters "3,2" give 6 hosts'],
  ],
  ['a torus without sizes', cluster('topology="TORUS"'), ['expected the nodes along each dimension']],
  [
    'a dragonfly without nodes',
    cluster('topology="DRAGONFLY" topo_parameters="4,1;1,1;1,1"'),
    ['PLAT011 topo_parameters "4,1;1,1;1,1" of cluster "c": expected groups,wires;chassis,wires;blades,wires;nodes'],
  ],
  [
    'a dragonfly with few routers',
    cluster('topology="DRAGONFLY" topo_parameters="4,1;1,1;1,1;1"'),
    ['4 groups need at least 4 routers per group, and there are 1 × 1'],
  ],
  [
    'an unknown attribute',
    zone('<host id="a" sped="1Gf" speed="1f"/>'),
    ['<host> has no attribute sped. Did you mean "speed"?'],
  ],
  [
    'a profile without its file',
    zone('<host id="a" speed="1f" speed_file="x"/>'),
    ['PLAT014 profile "x": cannot be opened'],
  ],
  [
    'a second attribute of one name',
    zone('<host id="a" id="b" speed="1f"/>'),
    ['PLAT002 not well-formed XML: duplicate attribute'],
  ],
  ['speed 0', zone('<host id="a" speed="0f"/>'), ['PLAT007 speed "0f" of host "a": must be greater than 0']],
  ['negative speed', zone('<host id="a" speed="-1Gf"/>'), ['PLAT007 speed "-1Gf" of host "a"']],
  [
    'speed NaN',
    zone('<host id="a" speed="nan"/>'),
    ['PLAT007 speed "nan" of host "a": it does not begin with a number: expected one such as "1Gf"'],
  ],
  ['infinite speed', zone('<host id="a" speed="1e308Gf"/>'), ['PLAT007 speed "1e308Gf" of host "a": it is too large']],
  [
    'an unknown unit',
    zone('<host id="a" speed="1 Gf"/>'),
    ['PLAT007 speed "1 Gf" of host "a": unknown unit " Gf"; known: f, flops'],
  ],
  [
    'an unknown pstate',
    zone('<host id="a" speed="1f,2f" pstate="2"/>'),
    ['PLAT007 pstate "2" of <host> is out of range: it has 2'],
  ],
  [
    'no cores',
    zone('<host id="a" speed="1f" core="0"/>'),
    ['PLAT007 core of <host>: expected an integer >= 1, got "0"'],
  ],
  [
    'bandwidth 0',
    zone('<link id="l" bandwidth="0" latency="0"/>'),
    ['PLAT007 bandwidth "0" of link "l": must be greater'],
  ],
  [
    'negative latency',
    zone('<link id="l" bandwidth="1" latency="-1us"/>'),
    ['PLAT007 latency "-1us" of link "l": must not be negative'],
  ],
  ['infinite latency', zone('<link id="l" bandwidth="1" latency="inf"/>'), ['PLAT007 latency "inf" of link "l"']],
  ['a second host', zone(`${hosts}<host id="alpha" speed="1f"/>`), ['PLAT008 duplicate host or router "alpha"']],
  ['a second link', zone(`${hosts}${link}${link}`), ['PLAT008 duplicate link "wire"']],
  [
    'a half of a second link',
    zone(
      `${hosts}<link id="l_UP" bandwidth="1" latency="0"/><link id="l" bandwidth="1" latency="0" sharing_policy="SPLITDUPLEX"/>`,
    ),
    ['PLAT008 duplicate link "l_UP"'],
  ],
  ['a host twice in a cluster', cluster('', '0-3,2'), ['PLAT008', 'PLAT008', 'PLAT008', 'PLAT008']],
  [
    'a second route',
    zone(`${hosts}${link}<route src="alpha" dst="beta">${ctn}</route><route src="beta" dst="alpha">${ctn}</route>`),
    ['PLAT008 duplicate route from "beta" to "alpha"'],
  ],
  [
    'a second zone of a name',
    platformText(
      `<zone id="w" routing="Full"><zone id="v" routing="Full">${hosts}</zone><zone id="v" routing="Full"/></zone>`,
    ),
    ['PLAT008 duplicate zone "v"'],
  ],
  [
    'an old version',
    platformText(`<zone id="w" routing="Full">${hosts}</zone>`, '3'),
    ['3:1: PLAT009 platform version "3" is not supported'],
  ],
  [
    'another routing',
    platformText(`<zone id="w" routing="Wifi">${hosts}</zone>`),
    ['4:1: PLAT009 routing "Wifi" of zone "w" is not supported. Supported: Full, Floyd'],
  ],
  [
    'another topology',
    cluster('topology="RING" topo_parameters="4"'),
    ['PLAT009 topology "RING" of <cluster> is not supported. Known: FLAT, FAT_TREE, TORUS, DRAGONFLY'],
  ],
  [
    'a wireless link',
    zone('<link id="l" bandwidth="1" latency="0" sharing_policy="WIFI"/>'),
    ['PLAT009 sharing_policy "WIFI" of <link> is not supported'],
  ],
  ['too many hosts', cluster('', '0-2000000000'), ['PLAT010 radical "0-2000000000": it names more than 262144 hosts']],
  [
    'too many hosts in all',
    platformText(
      `<zone id="w" routing="Full">${['p', 'q'].map((p) => `<cluster id="${p}" prefix="${p}" suffix="" radical="0-199999" speed="1f" bw="1" lat="0"/>`).join('')}</zone>`,
    ),
    ['PLAT010 the platform has more than 262144 hosts'],
  ],
  [
    'too many cables',
    cluster('topology="FAT_TREE" topo_parameters="1;4;1;100000000"'),
    ['PLAT010 the platform has more than 2097152 links'],
  ],
  ['an empty interval', cluster('', '5-3'), ['PLAT010 radical "5-3": the interval 5-3 is empty']],
  ['a malformed radical', cluster('', '0-3,x'), ['PLAT010 radical "0-3,x": expected a number or an interval']],
  ['a backbone without bandwidth', cluster('bb_lat="1us"'), ['PLAT006 <cluster> has bb_lat but no bb_bw > 0']],
  [
    'a fat tree of another size',
    cluster('topology="FAT_TREE" topo_parameters="2;4,4;1,2;1,2"'),
    ['PLAT011 topo_parameters "2;4,4;1,2;1,2" give 16 hosts, but the radical names 4'],
  ],
  [
    'a malformed fat tree',
    cluster('topology="FAT_TREE"'),
    ['PLAT011 topo_parameters "" of cluster "c": expected levels;children'],
  ],
  [
    'a route to nowhere',
    zone(`${hosts}${link}<route src="alpha" dst="bta">${ctn}</route>`),
    ['PLAT012 dst: unknown host or router "bta". Did you mean "beta"?'],
  ],
  [
    'a route over an unknown link',
    zone(`${hosts}${link}<route src="alpha" dst="beta"><link_ctn id="wir"/></route>`),
    ['PLAT012 unknown link "wir". Did you mean "wire"?'],
  ],
  [
    'a route without links',
    zone(`${hosts}<route src="alpha" dst="beta"/>`),
    ['PLAT012 the route from "alpha" to "beta" has no links'],
  ],
  [
    'a direction on a shared link',
    zone(`${hosts}${link}<route src="alpha" dst="beta"><link_ctn id="wire" direction="UP"/></route>`),
    ['PLAT012 no SPLITDUPLEX link "wire" to use with direction="UP". It is not SPLITDUPLEX'],
  ],
  [
    'a split link without direction',
    zone(
      `${hosts}<link id="s" bandwidth="1" latency="0" sharing_policy="SPLITDUPLEX"/><route src="alpha" dst="beta"><link_ctn id="s"/></route>`,
    ),
    ['PLAT012 link "s" is SPLITDUPLEX: give direction'],
  ],
  [
    'a zone in itself',
    platformText(`<zone id="w" routing="Full"><zone id="w" routing="Full">${hosts}</zone></zone>`),
    ['4:29: PLAT013 zone "w" contains itself'],
  ],
  [
    'two outermost zones',
    platformText(`<zone id="v" routing="Full">${hosts}</zone><zone id="w" routing="Full"/>`),
    ['PLAT013 a second outermost zone, "w", after "v"'],
  ],
  [
    'zones beside hosts',
    zone(`${hosts}<zone id="v" routing="Full"/>`),
    ['PLAT013 zone "w" contains both zones and hosts'],
  ],
];

describe('a bad platform file', () => {
  it.each(cases)('a platform file is refused: %s', (_, text, expected) => {
    const problems = problemsOf(text);
    expect(problems.length, problems.join('\n')).toBeGreaterThanOrEqual(expected.length);
    for (const [i, part] of expected.entries()) expect(problems[i]).toContain(part);
    for (const problem of problems) expect(problem).toMatch(/^(\d+:\d+: )?PLAT\d{3} /);
  });

  it('is reported with all its problems, each at its place', () => {
    const text = zone(`
<host id="a" speed="fast"/>
<host id="a" speed="1Gf"/>
  <link id="l" bandwidth="-1GBps" latency="1us"/>
<wifi/>
<route src="a" dst="x"><link_ctn id="k"/></route>`);
    expect(problemsOf(text).map((problem) => problem.split(' ').slice(0, 2).join(' '))).toEqual([
      '5:1: PLAT007',
      '6:1: PLAT008',
      '7:3: PLAT007',
      '8:1: PLAT005',
      '9:24: PLAT012',
      '9:1: PLAT012',
    ]);
  });

  it('stops after a limit of problems', () => {
    const problems = problemsOf(zone('<bogus/>'.repeat(500)), { problems: 10 });
    expect(problems).toHaveLength(11);
    expect(problems.at(-1)).toContain('reading ended after 10 problems');
  });

  it('that is too long is not read', () => {
    expect(problemsOf(zone(hosts), { bytes: 100 })[0]).toContain('more than the limit of 100');
  });

  it('that is absent, or a directory, is reported by name', () => {
    expect(() => readSimgridPlatform('/nowhere/p.xml')).toThrow('/nowhere/p.xml: PLAT001 cannot be opened');
    expect(() => readSimgridPlatform(import.meta.dirname)).toThrow('PLAT001 expected a regular file');
  });

  it('damaged in any way gives a platform or problems with codes, never another error', () => {
    const texts = Object.values(platforms).map((body) => platformText(body));
    const pieces = [
      '<',
      '>',
      '"',
      '/',
      '&',
      '-',
      '0',
      '9e99',
      '<zone id="w" routing="Full">',
      '</zone>',
      '\0',
      '\u00e9',
      ' ',
    ];
    fc.assert(
      fc.property(
        fc.constantFrom(...texts),
        fc.array(
          fc.record({
            at: fc.double({ min: 0, max: 1, noNaN: true }),
            cut: fc.nat(40),
            put: fc.constantFrom('', ...pieces),
          }),
          {
            minLength: 1,
            maxLength: 4,
          },
        ),
        (text, damages) => {
          let damaged = text;
          for (const { at, cut, put } of damages) {
            const start = Math.floor(at * damaged.length);
            damaged = damaged.slice(0, start) + put + damaged.slice(start + cut);
          }
          for (const problem of problemsOf(damaged)) expect(problem).toMatch(/^(\d+:\d+: )?PLAT\d{3} /);
        },
      ),
      { numRuns: effort(300) },
    );
  });

  it('reports no problems of routes to a rejected cluster', () => {
    const text = platformText(`<zone id="w" routing="Full">
<cluster id="c" prefix="n" suffix="" radical="0-3" speed="1Gf" bw="1GBps" lat="1us" topology="TORUS"/>
<cluster id="d" prefix="m" suffix="" radical="0-3" speed="1Gf" bw="1GBps" lat="1us"/>${link}
<zoneRoute src="c" dst="d" gw_src="nc_router" gw_dst="md_router">${ctn}</zoneRoute></zone>`);
    expect(problemsOf(text)).toHaveLength(1);
  });

  it.each([
    ['a zone that is not there', 'src="c" dst="e" gw_src="nc_router" gw_dst="md_router"', 'unknown zone "e"'],
    ['a gateway that is not there', 'src="c" dst="d" gw_src="x" gw_dst="md_router"', 'unknown host or router "x"'],
    ['a gateway elsewhere', 'src="c" dst="d" gw_src="m0" gw_dst="md_router"', 'gateway "m0" is not in "c"'],
    ['a zone to itself', 'src="c" dst="c" gw_src="n0" gw_dst="n1"', 'from zone "c" to itself'],
  ])('zoneRoute: %s', (_, attributes, message) => {
    const clusters = ['c', 'd'].map(
      (id) =>
        `<cluster id="${id}" prefix="${id === 'c' ? 'n' : 'm'}" suffix="" radical="0-3" speed="1Gf" bw="1" lat="0"/>`,
    );
    const text = zone(`${clusters.join('')}${link}<zoneRoute ${attributes}>${ctn}</zoneRoute>`);
    expect(problemsOf(text)).toHaveLength(1);
    expect(problemsOf(text)[0]).toContain(`PLAT012 `);
    expect(problemsOf(text)[0]).toContain(message);
  });
});

describe('a missing route', () => {
  it('names the hosts and the existing routes', () => {
    const file = temporary(
      zone(`${hosts}<host id="gamma" speed="1f"/>${link}<route src="alpha" dst="beta" symmetrical="NO">${ctn}</route>`),
    );
    const platform = readSimgridPlatform(file);
    expect(platform.route(0, 1).links).toHaveLength(1);
    expect(() => platform.route(0, 2)).toThrow(
      `${file}: PLAT020 no route from host alpha to host gamma. Zone w has no route from host alpha to host gamma; routes from there lead to: beta.`,
    );
    expect(() => platform.route(1, 0)).toThrow('it has no routes from there');
    expect(() => platform.route(0, 9)).toThrow(RangeError);
  });

  it('between zones names the zones', () => {
    const clusters = ['c', 'd'].map(
      (id) => `<cluster id="${id}" prefix="${id}" suffix="" radical="0-3" speed="1Gf" bw="1" lat="0"/>`,
    );
    const platform = readSimgridPlatform(temporary(zone(clusters.join(''))));
    expect(() => platform.route(0, 4)).toThrow(
      'PLAT020 no route from host c0 to host d0. Zone w has no route from zone c to zone d',
    );
  });
});
