import { afterAll, describe, expect, test } from 'vitest';
import { InputError } from '../../src/base/problem.ts';
import { predict } from '../../src/commands/predict/predict.ts';
import { folder } from '../trace/support.ts';

/**
 * Routes that lead back: links that occur several times, rings of zones, bypasses through other gateways, routes of a host to itself.
 * The run times are those of `smpirun -replay` of SimGrid 3.32 on the same files.
 */
const TRACE = `0 init\n1 init\n0 compute 1e6\n0 send 1 0 1000000\n1 recv 0 0 1000000\n0 bcast 1000\n1 bcast 1000
0 finalize\n1 finalize\n`;
const files = folder({ 'pair.ti': TRACE });
afterAll(files.remove);

const hosts = (...names: string[]): string => names.map((name) => `<host id="${name}" speed="1Gf"/>`).join('');
const links = (...names: string[]): string =>
  names.map((name) => `<link id="${name}" bandwidth="1GBps" latency="1us"/>`).join('');
const over = (...names: string[]): string => names.map((name) => `<link_ctn id="${name}"/>`).join('');
const route = (src: string, dst: string, ...names: string[]): string =>
  `<route src="${src}" dst="${dst}" symmetrical="${src === dst ? 'NO' : 'YES'}">${over(...names)}</route>`;
const zone = (id: string, routing: string, body: string): string =>
  `<zone id="${id}" routing="${routing}">${body}</zone>`;
const between = (tag: string, src: string, dst: string, from: string, to: string, ...names: string[]): string =>
  `<${tag} src="${src}" dst="${dst}" gw_src="${from}" gw_dst="${to}">${over(...names)}</${tag}>`;

/** Four zones of a host and two routers each; three routes inside each zone form a ring. */
const zones = [0, 1, 2, 3]
  .map((k) =>
    zone(
      `z${k}`,
      'Full',
      `${hosts(`h${k}`)}<router id="r${k}"/><router id="s${k}"/>${links(`i${k}`, `j${k}`, `k${k}`)}${route(`h${k}`, `r${k}`, `i${k}`)}${route(`h${k}`, `s${k}`, `j${k}`)}${route(`r${k}`, `s${k}`, `k${k}`)}`,
    ),
  )
  .join('');
const outer = links('o0', 'o1', 'o2', 'o3');
const ring = [0, 1, 2, 3]
  .map((k) => between('zoneRoute', `z${k}`, `z${(k + 1) % 4}`, `r${k}`, `s${(k + 1) % 4}`, `o${k}`))
  .join('');
const chain = [0, 1, 2]
  .map((k) => between('zoneRoute', `z${k}`, `z${k + 1}`, `r${k}`, `r${k + 1}`, 'o0', 'o0'))
  .join('');
const pair = (...more: string[]): string =>
  zone('z', 'Full', `${hosts('a1', 'a2')}${links('la')}${route('a1', 'a2', 'la')}`) +
  zone('y', 'Full', `${hosts('b1', 'b2')}${links('lb')}${route('b1', 'b2', 'lb')}`) +
  links('m', 'q') +
  more.join('');

function write(name: string, body: string): string {
  const more = folder({
    [name]: `<?xml version="1.0"?>\n<!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">\n<platform version="4.1">${body}</platform>`,
  });
  afterAll(more.remove);
  return more.path(name);
}

describe('routes that lead back have the run time of SimGrid', () => {
  const own = (routing: string): string =>
    zone('w', routing, `${hosts('a', 'b')}${links('l', 'q')}${route('a', 'b', 'l')}${route('a', 'a', 'q', 'q')}`);
  const bypass = (src: string, dst: string, ...names: string[]): string =>
    `<bypassRoute src="${src}" dst="${dst}">${over(...names)}</bypassRoute>`;
  const plain = (more: string): string =>
    zone('w', 'Full', `${hosts('a', 'b')}${links('l', 'q')}${route('a', 'b', 'l')}${more}`);

  test.each([
    [
      'a link twice',
      zone('w', 'Full', `${hosts('a', 'b')}${links('l', 'm')}${route('a', 'b', 'l', 'm', 'l')}`),
      'a b',
      3.279450633,
    ],
    ['a host to itself, Full', own('Full'), 'a a', 3.265856733],
    ['a host to itself, Dijkstra', own('Dijkstra'), 'a a', 3.265856733],
    ['a host to itself, Floyd', own('Floyd'), 'a a', 3.265856733],
    ['a bypass with the same links again', plain(bypass('a', 'b', 'l', 'q', 'l', 'q')), 'a b', 3.239742892],
    [
      'a bypass through other gateways than those of the hosts',
      zone(
        'w',
        'Full',
        pair(
          between('zoneRoute', 'z', 'y', 'a1', 'b1', 'm'),
          between('bypassZoneRoute', 'z', 'y', 'a2', 'b2', 'm', 'q', 'm'),
        ),
      ),
      'a1 b1',
      3.253336792,
    ],
    ['a ring of zones, Floyd', zone('w', 'Floyd', `${zones}${outer}${ring}`), 'h0 h2', 2.187303967],
    // SimGrid 3.32 crashes on this one, on which the paths are those of Floyd.
    ['a ring of zones, Dijkstra', zone('w', 'Dijkstra', `${zones}${outer}${ring}`), 'h0 h2', 2.187303967],
    ['a chain over one link, Floyd', zone('w', 'Floyd', `${zones}${outer}${chain}`), 'h0 h2', 5.558901266],
    ['a chain over one link, Dijkstra', zone('w', 'Dijkstra', `${zones}${outer}${chain}`), 'h0 h2', 5.558901266],
  ])('has the time of SimGrid: %s', (_, body, placed, milliseconds) => {
    const machine = write('platform.xml', body);
    const at = folder({ hosts: `${placed.split(' ').join('\n')}\n` });
    afterAll(at.remove);
    const run = predict(files.path('pair.ti'), { machine, hostfile: at.path('hosts') });
    expect(run.figures.runTime.value * 1e3).toBeCloseTo(milliseconds, 8);
  });
});

describe('routes that lead nowhere are refused with place, value and what was expected', () => {
  test.each([
    [
      'gateways of the other zone',
      zone('w', 'Full', pair(between('zoneRoute', 'z', 'y', 'b1', 'a1', 'm'))),
      'PLAT012 gateway "b1" is not in "z", but in "y"; "a1", "a2" are',
    ],
    [
      'a bypass with gateways of the other zone',
      zone('w', 'Full', pair(between('bypassZoneRoute', 'y', 'z', 'a1', 'b1', 'm'))),
      'PLAT012 gateway "a1" is not in "y", but in "z"; "b1", "b2" are',
    ],
    [
      'a zone to the zone that contains it',
      zone('w', 'Full', pair(between('zoneRoute', 'z', 'w', 'a1', 'b1', 'm'))),
      'PLAT012 zone "w" contains this route: expected zones inside it; "z", "y" are',
    ],
    [
      'a zone in itself',
      zone('w', 'Full', zone('w', 'Full', `${hosts('a', 'b')}${links('l')}${route('a', 'b', 'l')}`)),
      'PLAT013 zone "w" contains itself',
    ],
    [
      'one way only',
      zone('w', 'Full', `${hosts('a', 'b')}${links('l')}<route src="b" dst="a" symmetrical="NO">${over('l')}</route>`),
      'The route back is written with symmetrical="NO".',
    ],
  ])('is refused: %s', (_, body, message) => {
    const machine = write('refused.xml', body);
    const refused = (): unknown => predict(files.path('pair.ti'), { machine });
    expect(refused).toThrow(InputError);
    expect(refused).toThrow(message);
    expect(refused).toThrow(/refused\.xml(:\d+:\d+)?: PLAT\d+/);
  });
});
