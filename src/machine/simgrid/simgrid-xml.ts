import { type Place, quote } from '../../base/problem.ts';
import { describedAt } from '../described-at.ts';
import { createPlatform, type Platform } from '../platform.ts';
import { DijkstraZone, FloydZone } from '../topology/zones/shortest-path-zone.ts';
import { StarZone, VivaldiZone } from '../topology/zones/star-zone.ts';
import { EmptyZone, FullZone, type WrittenZone } from '../topology/zones/written-zone.ts';
import { globalRoute, type WholeRoute, type Zone } from '../topology/zones/zone.ts';
import { ConfigReader } from './config-reader.ts';
import { HostProperties } from './host-properties.ts';
import { bandwidthUnits, PlatformDraft, speedUnits, timeUnits } from './platform-draft.ts';
import { HOST_FILES, LINK_FILES, ProfileReader, profilesIn } from './profile-reader.ts';
import { RouteReader } from './route-reader.ts';
import { addCluster } from './simgrid-cluster.ts';
import { elementFaults } from './simgrid-schema.ts';
import { readCoordinates, StarReader } from './star-reader.ts';
import { readXml, type XmlElement, type XmlHandler, type XmlLimits } from './xml-reader.ts';

/** SimGrid's default loopback link in zones of routing Full: `network/loopback-bw` and `-lat` of 3.32. */
const LOOPBACK = { name: '__loopback__', bandwidth: 1e10, latency: 0, fatpipe: true } as const;
const VERSIONS = ['4', '4.0', '4.1'];

/** Creates a zone; `loopback` is the index of the platform's default loopback link. */
type NewZone = (name: string, parent: WrittenZone | undefined, loopback: number) => WrittenZone;

const newFull: NewZone = (...given) => new FullZone(...given);

/** SimGrid's values of `routing`, which are compared without regard to case. */
const BY_NAME: Readonly<Record<string, NewZone>> = {
  Full: newFull,
  Floyd: (...given) => new FloydZone(...given),
  Dijkstra: (...given) => new DijkstraZone(...given),
  DijkstraCache: (...given) => new DijkstraZone(...given),
  Cluster: (name, parent) => new StarZone(name, parent),
  Vivaldi: (name, parent) => new VivaldiZone(name, parent),
  None: (name, parent) => new EmptyZone(name, parent),
};

const ROUTINGS = new Map(Object.entries(BY_NAME).map(([name, create]) => [name.toLowerCase(), create]));

/** For messages. */
const ROUTING_NAMES = Object.keys(BY_NAME).join(', ');

/**
 * Reads a SimGrid platform file (XML, DTD versions 4 and 4.1). Supported: nested zones of every routing except Wifi;
 * clusters of every topology, cabinets and peers; hosts, routers, links, routes, zoneRoutes and their bypasses; settings of
 * the network model in `<config>`; profiles of hosts and links. Disks have no effect. Any other element that would change the
 * prediction is rejected with its name. Hosts and links are in the order of the file. Routes and names are those of SimGrid 3.32.
 *
 * All problems of the file are reported: PLAT001 to PLAT004 as `readXml`, PLAT005 element, PLAT006 attribute, PLAT007
 * value, PLAT008 duplicate, PLAT009 choice or version, PLAT010 size, PLAT011 fat tree, PLAT012 route, PLAT013 zone, PLAT014
 * profile.
 *
 * @param cfg settings of SimGrid's option `--cfg`, which win over `<config>`: see `ConfigReader.command`
 * @throws InputError with file, line and column of every problem
 * @complexity linear in the file and in the hosts and links of its clusters
 */
export function readSimgridPlatform(file: string, limits: Partial<XmlLimits> = {}, cfg?: string): Platform {
  const reader = new PlatformReader(file, limits.problems ?? 100, cfg);
  readXml(file, reader, reader.draft.problems, limits);
  return reader.platform();
}

class PlatformReader implements XmlHandler {
  readonly draft: PlatformDraft;
  readonly #routes: RouteReader;
  readonly #stars: StarReader;
  readonly #config: ConfigReader;
  readonly #properties: HostProperties;
  readonly #profiles: ProfileReader;
  readonly #file: string;
  readonly #cfg: string | undefined;
  readonly #open: XmlElement[] = [];
  readonly #zones: WrittenZone[] = [];
  /** Contents of each zone so far, because a zone may not contain both hosts and zones. */
  readonly #holds = new Map<WrittenZone, 'points' | 'zones'>();
  #root: Zone | undefined;
  #rootPlace: Place = {};
  #loopback = -1;
  /** Index of the first host of the open `<host>` or `<cluster>`. */
  #firstHost = 0;
  /** Nesting depth inside a skipped element; 0 outside. */
  #skipping = 0;

  constructor(file: string, maxProblems: number, cfg: string | undefined) {
    this.#file = file;
    this.#cfg = cfg;
    this.draft = new PlatformDraft(maxProblems);
    this.#routes = new RouteReader(this.draft);
    this.#profiles = new ProfileReader(this.draft, file);
    this.#stars = new StarReader(this.draft, this.#profiles);
    this.#config = new ConfigReader(this.draft.problems);
    if (cfg !== undefined) this.#config.command(cfg);
    this.#properties = new HostProperties(this.draft);
  }

  open(element: XmlElement): void {
    if (this.#skipping > 0) {
      this.#skipping++;
      return;
    }
    const parent = this.#open.at(-1)?.name ?? '';
    const faults = elementFaults(element, parent);
    for (const { code, message } of faults) this.draft.problems.add(code, message, element.place);
    if (faults.some(({ code }) => code === 'PLAT005')) {
      this.#skipping = 1;
      return;
    }
    this.#open.push(element);
    this.#enter(element, faults.length === 0);
  }

  close(): void {
    if (this.#skipping > 0) {
      this.#skipping--;
      return;
    }
    const element = this.#open.pop();
    if (element === undefined) return;
    const zone = this.#zones.at(-1);
    if (element.name === 'trace') this.#profiles.endTrace(element);
    if (element.name === 'zone' || element.name === 'AS') {
      if (zone !== undefined) this.#stars.end(zone, element);
      this.#zones.pop();
    } else if (zone === undefined) return;
    else if (element.name === 'route' || element.name === 'bypassRoute') this.#routes.endRoute(element, zone);
    else if (/oneRoute$|ASroute$/.test(element.name)) this.#routes.endZoneRoute(element, zone);
  }

  text(text: string, place: XmlElement['place']): void {
    if (this.#skipping > 0) return;
    if (this.#open.at(-1)?.name === 'trace') this.#profiles.traceText(text);
    else this.draft.problems.add('PLAT005', `unexpected text ${quote(text.trim())}`, place);
  }

  /** @throws InputError with all problems of the file */
  platform(): Platform {
    const { draft } = this;
    this.#config.end();
    this.#profiles.end();
    if (draft.hosts.length === 0 && draft.problems.found.length === 0) {
      draft.problems.add('PLAT013', 'the platform has no hosts', { file: this.#file });
    }
    draft.problems.end();
    const { hosts, hostPoints } = draft;
    const links = draft.links.list();
    const route = (from: number, to: number): WholeRoute | string => {
      const found = globalRoute(hostPoints[from]!, hostPoints[to]!);
      const isEmpty = typeof found !== 'string' && found.links.length === 0 && found.delay === 0;
      return isEmpty ? 'No link connects them.' : found;
    };
    const { settings, forced, collectives, notes } = this.#config;
    const warnings = [...this.#config.warnings, ...this.#properties.warnings];
    const [cluster] = draft.clusters;
    const platform = createPlatform({
      name: this.#file,
      hosts,
      links,
      route,
      ...(cluster?.hosts === hosts.length ? { cluster: cluster.topology } : {}),
      ...(Object.keys(settings).length === 0 ? {} : { settings }),
      ...(this.#cfg === undefined ? {} : { cfg: this.#cfg }),
      ...(forced.length === 0 ? {} : { forced }),
      ...(collectives.length === 0 ? {} : { collectives }),
      ...(this.#profiles.files.length === 0 ? {} : { files: this.#profiles.files }),
      ...(warnings.length === 0 ? {} : { warnings }),
      ...(notes.length === 0 ? {} : { notes }),
    });
    return describedAt(platform, this.#rootPlace);
  }

  #enter(element: XmlElement, sound: boolean): void {
    switch (element.name) {
      case 'platform': {
        const { version = '' } = element.attributes;
        if (sound && !VERSIONS.includes(version)) {
          const message = `platform version ${quote(version)} is not supported; supported: 4 and 4.1`;
          this.draft.problems.add('PLAT009', message, element.place);
        }
        break;
      }
      case 'config':
        if (this.#root !== undefined)
          this.draft.problems.add('PLAT005', '<config> must come before the zones and clusters', element.place);
        break;
      case 'trace':
        this.#profiles.beginTrace(element);
        break;
      case 'trace_connect':
        if (sound) this.#profiles.connect(element);
        break;
      case 'prop':
        if (sound) this.#enterProperty(element);
        break;
      case 'zone':
      case 'AS':
        this.#enterZone(element);
        break;
      case 'cluster':
        this.#enterCluster(element);
        break;
      case 'host':
      case 'router':
      case 'link':
        this.#enterPart(element);
        break;
      case 'peer':
      case 'cabinet':
      case 'host_link':
      case 'backbone':
        this.#enterStarPart(element, sound);
        break;
      case 'route':
      case 'zoneRoute':
      case 'ASroute':
      case 'bypassRoute':
      case 'bypassZoneRoute':
      case 'bypassASroute':
        this.#routes.begin(sound);
        break;
      case 'link_ctn':
        this.#routes.step(element);
        break;
    }
  }

  #enterProperty(element: XmlElement): void {
    const owner = this.#open.at(-2);
    if (owner?.name === 'config') this.#config.read(element);
    else if (owner !== undefined) this.#properties.read(element, owner, this.#firstHost);
  }

  #enterZone(element: XmlElement): void {
    const { id = '', routing = 'Full' } = element.attributes;
    const create = ROUTINGS.get(routing.toLowerCase());
    if (create === undefined) {
      const message = `routing ${quote(routing)} of zone ${quote(id)} is not supported. Supported: ${ROUTING_NAMES}`;
      this.draft.problems.add('PLAT009', message, element.place);
    }
    const parent = this.#zones.at(-1);
    const contains = this.#zones.some((zone) => zone.name === id);
    if (contains) this.draft.problems.add('PLAT013', `zone ${quote(id)} contains itself`, element.place);
    if (this.#loopback < 0)
      this.#loopback = this.draft.addLink({ ...LOOPBACK, ...this.#config.loopback }, element.place);
    const zone = (create ?? newFull)(id, parent, this.#loopback);
    if (!contains) this.#place(zone, parent, element);
    this.#zones.push(zone);
  }

  #enterCluster(element: XmlElement): void {
    const parent = this.#zones.at(-1);
    this.#firstHost = this.draft.hosts.length;
    const zone = addCluster(this.draft, element, parent);
    if (zone === undefined) {
      this.draft.incomplete = true;
      return;
    }
    this.#place(zone, parent, element);
  }

  #place(zone: Zone, parent: WrittenZone | undefined, element: XmlElement): void {
    this.draft.addZone(zone, element.place);
    if (parent !== undefined) {
      this.#hold(parent, 'zones', element);
    } else if (this.#root === undefined) {
      this.#root = zone;
      this.#rootPlace = element.place;
    } else {
      const message = `a second outermost zone, ${quote(zone.name)}, after ${quote(this.#root.name)}: put both into one zone`;
      this.draft.problems.add('PLAT013', message, element.place);
    }
  }

  #hold(zone: WrittenZone, what: 'points' | 'zones', element: XmlElement): void {
    const held = this.#holds.get(zone);
    if (held === undefined) this.#holds.set(zone, what);
    if (held === undefined || held === what) return;
    const message = `zone ${quote(zone.name)} contains both zones and hosts or routers; SimGrid allows only one of them`;
    this.draft.problems.add('PLAT013', message, element.place);
  }

  #enterStarPart(element: XmlElement, sound: boolean): void {
    const zone = this.#zones.at(-1);
    if (zone === undefined || !sound) return;
    if (element.name === 'peer' || element.name === 'cabinet') this.#hold(zone, 'points', element);
    this.#stars.part(element, zone);
  }

  #enterPart(element: XmlElement): void {
    const { draft } = this;
    const { place, attributes } = element;
    const zone = this.#zones.at(-1)!;
    const { id: name = '' } = attributes;
    if (element.name === 'link') {
      const policy = draft.choice(element, 'sharing_policy', ['SHARED', 'SPLITDUPLEX', 'FULLDUPLEX', 'FATPIPE']);
      // A WIFI link, which is refused by its policy, has a list of bandwidths.
      const bandwidth = policy && draft.quantity(element, 'bandwidth', bandwidthUnits, 'positive');
      const latency = draft.quantity(element, 'latency', timeUnits, 'zero') ?? 0;
      const profiles = profilesIn(this.#profiles.ofAttributes(element, LINK_FILES));
      const link = { name, bandwidth: bandwidth ?? 1, latency, fatpipe: policy === 'FATPIPE', ...profiles };
      if (policy === 'SPLITDUPLEX' || policy === 'FULLDUPLEX') draft.addSplitLink(link, place);
      else draft.addLink(link, place);
      return;
    }
    this.#hold(zone, 'points', element);
    this.#firstHost = draft.hosts.length;
    const at = zone.points.length;
    const where = readCoordinates(draft, element);
    if (element.name === 'router') {
      zone.points.push(draft.addRouter(name, zone, at, place, where));
    } else if (draft.roomFor(1, 0, place)) {
      const speed = draft.speed(element, speedUnits) ?? 1;
      const cores = draft.count(element, 'core') ?? 1;
      const profiles = profilesIn(this.#profiles.ofAttributes(element, HOST_FILES));
      zone.points.push(draft.addHost({ name, speed, cores, ...profiles }, zone, at, place, where));
    }
  }
}
