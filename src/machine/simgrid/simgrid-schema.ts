import type { Code } from '../../base/codes.ts';
import { didYouMean } from '../../base/problem.ts';
import type { XmlElement } from './xml-reader.ts';

/** The parts of SimGrid's platform DTD that are read, for one element. */
interface ElementRule {
  /** Elements that may contain it; `''` is the document. */
  readonly inside: readonly string[];
  readonly required: readonly string[];
  readonly optional: readonly string[];
}

const ZONE = ['zone', 'AS'];
const PATH = ['route', 'zoneRoute', 'ASroute', 'bypassRoute', 'bypassZoneRoute', 'bypassASroute'];
const zoneRule: ElementRule = { inside: ['platform', ...ZONE], required: ['id', 'routing'], optional: [] };
const zoneRouteRule: ElementRule = {
  inside: ZONE,
  required: ['src', 'dst', 'gw_src', 'gw_dst'],
  optional: ['symmetrical'],
};
const bypassZoneRule: ElementRule = { inside: ZONE, required: ['src', 'dst', 'gw_src', 'gw_dst'], optional: [] };
const rules: ReadonlyMap<string, ElementRule> = new Map<string, ElementRule>([
  ['platform', { inside: [''], required: ['version'], optional: [] }],
  ['zone', zoneRule],
  ['AS', zoneRule],
  [
    'host',
    {
      inside: ZONE,
      required: ['id', 'speed'],
      optional: ['core', 'pstate', 'coordinates', 'speed_file', 'state_file'],
    },
  ],
  ['disk', { inside: ['host'], required: ['read_bw', 'write_bw'], optional: ['id'] }],
  [
    'peer',
    {
      inside: ZONE,
      required: ['id', 'speed', 'bw_in', 'bw_out'],
      optional: ['coordinates', 'lat', 'speed_file', 'state_file'],
    },
  ],
  ['host_link', { inside: ZONE, required: ['id', 'up', 'down'], optional: [] }],
  ['backbone', { inside: ZONE, required: ['id', 'bandwidth', 'latency'], optional: [] }],
  ['cabinet', { inside: ZONE, required: ['id', 'prefix', 'suffix', 'radical', 'speed', 'bw', 'lat'], optional: [] }],
  ['router', { inside: ZONE, required: ['id'], optional: ['coordinates'] }],
  [
    'link',
    {
      inside: ZONE,
      required: ['id', 'bandwidth'],
      optional: ['latency', 'sharing_policy', 'bandwidth_file', 'latency_file', 'state_file'],
    },
  ],
  ['trace', { inside: ['platform', ...ZONE], required: ['id', 'periodicity'], optional: ['file'] }],
  ['trace_connect', { inside: ['platform', ...ZONE], required: ['trace', 'element'], optional: ['kind'] }],
  ['route', { inside: ZONE, required: ['src', 'dst'], optional: ['symmetrical'] }],
  ['zoneRoute', zoneRouteRule],
  ['ASroute', zoneRouteRule],
  ['bypassRoute', { inside: ZONE, required: ['src', 'dst'], optional: [] }],
  ['bypassZoneRoute', bypassZoneRule],
  ['bypassASroute', bypassZoneRule],
  ['link_ctn', { inside: PATH, required: ['id'], optional: ['direction'] }],
  [
    'cluster',
    {
      inside: ['platform', ...ZONE],
      required: ['id', 'prefix', 'suffix', 'radical', 'speed', 'bw', 'lat'],
      optional: [
        'core',
        'sharing_policy',
        'topology',
        'topo_parameters',
        'bb_bw',
        'bb_lat',
        'bb_sharing_policy',
        'router_id',
        'limiter_link',
        'loopback_bw',
        'loopback_lat',
      ],
    },
  ],
  ['config', { inside: ['platform'], required: [], optional: ['id'] }],
  ['prop', { inside: ['config', 'host', 'link', 'cluster', 'disk', ...ZONE], required: ['id', 'value'], optional: [] }],
]);

/** Elements of the DTD that would change the prediction but are not supported, and an alternative for each. */
const refused: ReadonlyMap<string, string> = new Map([
  ['storage', 'disks are not modelled'],
  ['storage_type', 'disks are not modelled'],
  ['mount', 'disks are not modelled'],
  ['include', 'put everything into one file'],
  ['random', 'random values are not supported'],
  ['actor', 'a platform file describes the machine only'],
  ['process', 'a platform file describes the machine only'],
]);

/** A problem of one element under the rules of SimGrid's platform DTD. */
export interface ElementFault {
  readonly code: Code;
  readonly message: string;
}

/**
 * Checks the name and position of an element and the names of its attributes, but not their values. Codes: PLAT005
 * unknown, unsupported or misplaced element; PLAT006 unknown, unsupported or missing attribute.
 */
export function elementFaults(element: XmlElement, parent: string): readonly ElementFault[] {
  const { name, attributes } = element;
  const rule = rules.get(name);
  if (rule === undefined) {
    const instead = refused.get(name);
    const message =
      instead === undefined
        ? `unknown element <${name}>.${didYouMean(name, rules.keys())}`
        : `element <${name}> is not supported: ${instead}. Supported: ${[...rules.keys()].join(', ')}.`;
    return [{ code: 'PLAT005', message }];
  }
  const faults: ElementFault[] = [];
  if (!rule.inside.includes(parent)) {
    const where = parent === '' ? 'as the outermost element' : `inside <${parent}>`;
    const expected = rule.inside.map((x) => (x === '' ? 'as the outermost element' : `inside <${x}>`)).join(' or ');
    faults.push({ code: 'PLAT005', message: `<${name}> is not allowed ${where}: expected ${expected}` });
  }
  for (const required of rule.required) {
    if (attributes[required] === undefined) {
      faults.push({ code: 'PLAT006', message: `<${name}> lacks the attribute ${required}` });
    }
  }
  for (const [attribute, value] of Object.entries(attributes)) {
    const known = [...rule.required, ...rule.optional];
    if (known.includes(attribute)) continue;
    if (attribute.endsWith('_file') && value === '') continue;
    faults.push({
      code: 'PLAT006',
      message: `<${name}> has no attribute ${attribute}.${didYouMean(attribute, known)}`,
    });
  }
  return faults;
}
