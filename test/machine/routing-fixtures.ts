const cluster = (topology: string, shape: string, radical: string, more = ''): string =>
  `<cluster id="c" prefix="n" suffix="" radical="${radical}" speed="1Gf" bw="1GBps" lat="1us" topology="${topology}" topo_parameters="${shape}" ${more}/>`;
const loopback = 'loopback_bw="3GBps" loopback_lat="1us"';
const hosts = (n: number): string => Array.from({ length: n }, (_, k) => `<host id="n${k}" speed="1Gf"/>`).join('');
/** Links `lA-B` and symmetrical routes over them, some of two links. */
const edges = (list: string): string => {
  const pairs = list.split(' ').map((pair) => pair.split('-'));
  const link = ([a, b]: string[]): string => `<link id="l${a}-${b}" bandwidth="1GBps" latency="1us"/>`;
  const route = ([a, b, twice]: string[]): string => {
    const step = `<link_ctn id="l${a}-${b}"/>`;
    return `<route src="n${a}" dst="n${b}">${step}${twice === undefined ? '' : step}</route>`;
  };
  return pairs.map(link).join('') + pairs.map(route).join('');
};
const grid = '7-8 0-1 1-2 0-3 3-4 1-4 4-5 2-5 3-6 6-7 4-7 5-8-twice 0-8-twice';
const inner = (id: string, routing: string): string =>
  `<zone id="${id}" routing="${routing}"><host id="${id}0" speed="1Gf"/><host id="${id}1" speed="1Gf"/><router id="${id}r"/>
  <link id="${id}l" bandwidth="1GBps" latency="1us"/><link id="${id}m" bandwidth="1GBps" latency="2us"/>
  <route src="${id}0" dst="${id}r"><link_ctn id="${id}l"/></route><route src="${id}1" dst="${id}r"><link_ctn id="${id}m"/></route>
  <route src="${id}0" dst="${id}1"><link_ctn id="${id}m"/><link_ctn id="${id}l"/></route></zone>`;
const between = (a: string, b: string, gates = ['r', 'r']): string =>
  `<zoneRoute src="${a}" dst="${b}" gw_src="${a}${gates[0]}" gw_dst="${b}${gates[1]}"><link_ctn id="${a}${b}"/></zoneRoute>`;
const outer = (routing: string, more: string): string => `<zone id="w" routing="${routing}">
${inner('a', 'Full')}${inner('b', 'Floyd')}${inner('c', 'DijkstraCache')}${inner('d', 'Dijkstra')}
${['ab', 'bc', 'cd', 'ad'].map((id) => `<link id="${id}" bandwidth="1GBps" latency="5us"/>`).join('')}
${more}</zone>`;
const star = `<zone id="s" routing="Cluster">
<router id="r"/><host id="x" speed="1Gf"/><host id="y" speed="1Gf"/><host id="z" speed="1Gf"/>
<link id="xu" bandwidth="1GBps" latency="1us"/><link id="xd" bandwidth="1GBps" latency="2us"/>
<link id="y" bandwidth="1GBps" latency="3us" sharing_policy="SPLITDUPLEX"/><link id="zb" bandwidth="1GBps" latency="4us"/>
<host_link id="x" up="xu" down="xd"/><host_link id="y" up="y_UP" down="y_DOWN"/><host_link id="z" up="zb" down="zb"/>
<cabinet id="cab" prefix="k-" suffix=".o" radical="1-2,5" speed="2Gf" bw="1GBps" lat="1us"/>
<backbone id="bb" bandwidth="9GBps" latency="9us"/></zone>`;

/** Platforms of all routings, with the digests of the routes of SimGrid 3.32 (`Host::route_to` of every pair of hosts). */
export const ROUTED: readonly (readonly [name: string, text: string, hosts: number, digest: string])[] = [
  [
    'torus, limiter, loopback',
    cluster('TORUS', '4,3,2', '0-23', `limiter_link="2GBps" ${loopback}`),
    24,
    '5bed13ec7f4ea1b3',
  ],
  [
    'torus, shared, rings of 1 and 2',
    cluster('TORUS', '2, 1,5', '3-12', `sharing_policy="SHARED" ${loopback}`),
    10,
    '213d670c761c6f86',
  ],
  ['torus, even rings', cluster('TORUS', '8,6', '0-47', loopback), 48, '71058c5fc6819832'],
  ['dragonfly', cluster('DRAGONFLY', '3,4;4,3;5,1;2', '0-119'), 120, 'aaa6f68217515eb1'],
  [
    'dragonfly, limiter, loopback',
    cluster('DRAGONFLY', '2,1;3,2;2,1;1', '0-11', `limiter_link="2GBps" ${loopback}`),
    12,
    'a94fbe14951882f0',
  ],
  [
    'dragonfly, shared',
    cluster('DRAGONFLY', '3,1;2,2;3,3;2', '0-35', 'sharing_policy="SHARED"'),
    36,
    '66beb9f0b2ebba07',
  ],
  ['Floyd', `<zone id="w" routing="Floyd">${hosts(9)}${edges(grid)}</zone>`, 9, 'a2528c13010fb5ba'],
  ['Dijkstra', `<zone id="w" routing="Dijkstra">${hosts(9)}${edges(grid)}</zone>`, 9, 'b01d5738544129ac'],
  ['DijkstraCache', `<zone id="w" routing="dijkstracache">${hosts(9)}${edges(grid)}</zone>`, 9, 'b01d5738544129ac'],
  [
    'zones in Floyd, across a zone',
    outer('Floyd', between('a', 'b', ['r', '0']) + between('b', 'c') + between('c', 'd', ['1', '0'])),
    8,
    '8230bf8f2a47018b',
  ],
  [
    'zones in Dijkstra',
    outer('Dijkstra', between('a', 'b') + between('b', 'c') + between('c', 'd') + between('a', 'd')),
    8,
    'a92b4b0833ab7f07',
  ],
  [
    'bypasses',
    outer(
      'Full',
      `${between('a', 'b')}${between('a', 'd')}<zoneRoute src="a" dst="c" gw_src="ar" gw_dst="cr"><link_ctn id="bc"/></zoneRoute>
<zoneRoute src="b" dst="c" gw_src="br" gw_dst="cr"><link_ctn id="bc"/></zoneRoute><zoneRoute src="b" dst="d" gw_src="br" gw_dst="dr"><link_ctn id="bc"/></zoneRoute>
<zoneRoute src="c" dst="d" gw_src="cr" gw_dst="dr"><link_ctn id="cd"/></zoneRoute>
<bypassZoneRoute src="a" dst="b" gw_src="a1" gw_dst="b0"><link_ctn id="cd"/><link_ctn id="ad"/></bypassZoneRoute>
<bypassASroute src="d" dst="a" gw_src="d0" gw_dst="ar"><link_ctn id="ab"/></bypassASroute>`,
    ),
    8,
    'f20ab17ceb00642e',
  ],
  ['routing Cluster', star, 6, 'bf1620a6a1d85726'],
  [
    'Vivaldi',
    `<zone id="v" routing="Vivaldi"><peer id="h" speed="1Gf" coordinates="1.5 -2 0.25" bw_in="1GBps" bw_out="2GBps"/><peer id="p" speed="1Gf" coordinates="4.5 2 1" bw_in="1GBps" bw_out="2GBps"/><peer id="q" speed="1Gf" coordinates="0 0 -3" bw_in="3GBps" bw_out="2GBps"/></zone>`,
    3,
    '3cbf1f340a4b52af',
  ],
];
