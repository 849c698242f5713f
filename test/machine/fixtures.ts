import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

const { FORETOKEN_REFERENCES = '../shared' } = process.env;
/** Folder of the reference data, which may not exist. */
export const references: string = resolve(import.meta.dirname, '../..', FORETOKEN_REFERENCES);

const folder = mkdtempSync(join(tmpdir(), 'foretoken-machine-'));
let files = 0;

/** Writes a string to a new temporary file and returns its path. */
export function temporary(text: string | Uint8Array, name = 'file'): string {
  const file = join(folder, `${files++}-${name}`);
  writeFileSync(file, text);
  return file;
}

/** A SimGrid platform file around `body`; `body` starts on line 4. */
export function platformText(body: string, version = '4.1'): string {
  return `<?xml version="1.0"?>
<!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">
<platform version="${version}">
${body}
</platform>
`;
}

const flat = 'id="c" prefix="n" suffix="" radical="0-3" speed="1Gf" bw="1.25GBps" lat="10us"';
const full = `<zone id="w" routing="Full">
  <host id="a" speed="98.095Mf" core="2"/>
  <host id="b" speed="2Gf,1Gf" pstate="1"/>
  <host id="c" speed="48Mf"/>
  <router id="r"/>
  <link id="ab" bandwidth="1Gbps" latency="0.5ms"/>
  <link id="bc" bandwidth="128MiBps" latency="30us" sharing_policy="SPLITDUPLEX"/>
  <link id="ac" bandwidth="100kBps" latency="100ms" sharing_policy="FATPIPE"/>
  <link id="loop" bandwidth="498MBps" latency="15us" sharing_policy="FATPIPE"/>
  <route src="a" dst="a"><link_ctn id="loop"/></route>
  <route src="a" dst="b"><link_ctn id="ab"/></route>
  <route src="b" dst="c"><link_ctn id="ab"/><link_ctn id="bc" direction="UP"/></route>
  <route src="a" dst="c" symmetrical="NO"><link_ctn id="ac"/><link_ctn id="bc_UP"/><link_ctn id="ac"/></route>
  <route src="c" dst="a" symmetrical="NO"><link_ctn id="bc" direction="DOWN"/></route>
  <route src="c" dst="r"><link_ctn id="ab"/></route>
</zone>`;
const nested = `<zone id="world" routing="Full">
  <zone id="left" routing="Full">
    <zone id="inner" routing="Full">
      <host id="i0" speed="1Gf"/><host id="i1" speed="1Gf"/><router id="ri"/>
      <link id="li" bandwidth="1GBps" latency="1us"/>
      <route src="i0" dst="i1"><link_ctn id="li"/></route>
      <route src="i0" dst="ri"><link_ctn id="li"/></route>
      <route src="i1" dst="ri"><link_ctn id="li"/></route>
    </zone>
    <cluster id="x" prefix="x" suffix="" radical="0-2" speed="1Gf" bw="125MBps" lat="50us" bb_bw="2GBps" bb_lat="5us"/>
    <link id="ix" bandwidth="3GBps" latency="2us" sharing_policy="SPLITDUPLEX"/>
    <zoneRoute src="inner" dst="x" gw_src="ri" gw_dst="xx_router"><link_ctn id="ix" direction="UP"/></zoneRoute>
  </zone>
  <cluster id="y" prefix="y" suffix=".org" radical="1,3-4" speed="1Gf" bw="1GBps" lat="10us" router_id="yr"/>
  <AS id="z" routing="full"><host id="z0" speed="1Gf"/></AS>
  <link id="xy" bandwidth="500MBps" latency="1ms"/>
  <zoneRoute src="left" dst="y" gw_src="xx_router" gw_dst="yr"><link_ctn id="xy"/></zoneRoute>
  <zoneRoute src="left" dst="z" gw_src="ri" gw_dst="z0"><link_ctn id="xy"/><link_ctn id="ix" direction="DOWN"/></zoneRoute>
  <ASroute src="y" dst="z" gw_src="yr" gw_dst="z0" symmetrical="no"><link_ctn id="xy"/></ASroute>
  <ASroute src="z" dst="y" gw_src="z0" gw_dst="yr" symmetrical="no"><link_ctn id="xy"/><link_ctn id="xy"/></ASroute>
</zone>`;
const tree = (i: number, radical: string, shape: string, more = ''): string =>
  `<cluster id="c${i}" prefix="h${i}_" suffix=".x" radical="${radical}" speed="1Gf" bw="1GBps" lat="1us" topology="FAT_TREE" topo_parameters="${shape}" ${more}/>`;
const join3 = (...pairs: [number, string, number, string][]): string =>
  pairs
    .map(
      ([i, a, j, b]) =>
        `<zoneRoute src="c${i}" dst="c${j}" gw_src="h${i}_${a}.x" gw_dst="h${j}_${b}.x"><link_ctn id="bb"/></zoneRoute>`,
    )
    .join('\n');
const trees = (...parts: string[]): string =>
  `<zone id="w" routing="Full">\n${parts[0]}\n<link id="bb" bandwidth="1GBps" latency="3us"/>\n${parts[1] ?? ''}</zone>`;

/** Platforms with known routes and times of SimGrid 3.32. */
export const platforms = {
  'flat full-duplex': `<cluster ${flat}/>`,
  'flat half-duplex': `<cluster ${flat} sharing_policy="SHARED"/>`,
  'flat FATPIPE': `<cluster ${flat} sharing_policy="FATPIPE"/>`,
  'flat with everything': `<cluster ${flat} core="4" limiter_link="1GBps" bb_bw="2GBps" bb_lat="5us" bb_sharing_policy="FATPIPE" loopback_bw="5GBps" loopback_lat="1us"/>`,
  'half-duplex limiter': `<cluster ${flat} sharing_policy="SHARED" limiter_link="1GBps" bb_bw="2GBps"/>`,
  full,
  nested,
  'tree, 3 levels, limiter': trees(tree(0, '5-28', '3;2,3,4;1,1,3;2,1,1', 'limiter_link="2GBps"')),
  'trees, 3 joined': trees(
    [
      tree(0, '0-2', '2;3,1;3,1;1,1', 'loopback_bw="3GBps" loopback_lat="1us"'),
      tree(1, '0-1', '3;1,2,1;1,3,2;1,3,1', 'loopback_bw="3GBps" loopback_lat="1us"'),
      tree(2, '1-2', '2;2,1;1,1;1,1', 'limiter_link="2GBps"'),
    ].join('\n'),
    join3([1, '0', 0, '0'], [2, '1', 0, '0'], [2, '1', 1, '0']),
  ),
  'trees, 2 joined, cables': trees(
    [tree(0, '4-21', '3;3,3,2;1,1,2;3,1,2'), tree(1, '0-15', '2;4,4;1,1;1,1', 'limiter_link="2GBps"')].join('\n'),
    join3([1, '0', 0, '4']),
  ),
  'trees, 2 joined, shared': trees(
    [tree(0, '2-7', '2;3,2;3,1;2,3'), tree(1, '4-7', '3;2,1,2;3,2,1;2,1,1', 'sharing_policy="SHARED"')].join('\n'),
    join3([1, '4', 0, '2']),
  ),
  'trees, 4 levels': trees(
    [
      tree(0, '3-20', '4;2,3,1,3;1,1,3,3;1,1,1,2'),
      tree(1, '5-10', '2;2,3;2,2;3,1'),
      tree(2, '5-8', '3;1,2,2;1,1,1;1,1,2', 'sharing_policy="SHARED"'),
    ].join('\n'),
    join3([1, '5', 0, '3'], [2, '5', 0, '3'], [2, '5', 1, '5']),
  ),
} as const;
