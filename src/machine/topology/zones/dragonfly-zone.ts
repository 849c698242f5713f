import { type CableOptions, Cables } from './cables.ts';
import { LeafZone, type PrivateLinks, type ZonePlace } from './leaf-zone.ts';
import type { LocalRoute, NetPoint, Zone } from './zone.ts';

/**
 * Shape of a dragonfly (SimGrid's `topo_parameters`): numbers of parts, and of wires in each cable between them. Each
 * blade has one router.
 */
export interface DragonflyShape {
  readonly groups: number;
  /** Wires between two groups. */
  readonly blue: number;
  /** Chassis per group. */
  readonly chassis: number;
  /** Wires between two chassis of a group, for each blade. */
  readonly black: number;
  /** Blades per chassis. */
  readonly blades: number;
  /** Wires between two blades of a chassis. */
  readonly green: number;
  /** Nodes per blade. */
  readonly nodes: number;
}

/**
 * Parses SimGrid's `topo_parameters` of a dragonfly: `groups,wires;chassis,wires;blades,wires;nodes`.
 *
 * @returns the shape, or an error message
 */
export function parseDragonflyShape(text: string): DragonflyShape | string {
  const form = 'expected groups,wires;chassis,wires;blades,wires;nodes, such as "4,2;2,1;4,1;2"';
  const parts = text.split(';').map((part) => part.split(',').map((item) => item.trim()));
  if (parts.map(({ length }) => length).join() !== '2,2,2,1') return form;
  for (const item of parts.flat())
    if (!/^[1-9]\d{0,5}$/.test(item)) return `expected an integer from 1 to 999999, got ${JSON.stringify(item)}`;
  const [[groups, blue], [chassis, black], [blades, green], [nodes]] = parts.map((part) => part.map(Number)) as [
    [number, number],
    [number, number],
    [number, number],
    [number],
  ];
  if (groups > chassis * blades)
    return `${groups} groups need at least ${groups} routers per group, and there are ${chassis} × ${blades}`;
  return { groups, blue, chassis, black, blades, green, nodes };
}

const pairs = (n: number): number => (n * (n - 1)) / 2;

/** Number of the pair of different numbers below `n`: 0,1; 0,2; …; 1,2; … */
function pairNumber(n: number, low: number, high: number): number {
  return low * n - pairs(low + 1) + high - low - 1;
}

/** The pair of a number, by search. O(log n). */
function pairOf(n: number, number: number): [low: number, high: number] {
  let [low, end] = [0, n - 1];
  while (end - low > 1) {
    const middle = (low + end) >> 1;
    if (pairNumber(n, middle, middle + 1) <= number) low = middle;
    else end = middle;
  }
  return [low, low + 1 + number - pairNumber(n, low, low + 1)];
}

/** Numbers of the first cable of each kind. */
interface Sections {
  readonly green: number;
  readonly black: number;
  readonly blue: number;
  readonly end: number;
}

function sectionsOf({ groups, chassis, blades, nodes }: DragonflyShape): Sections {
  const green = groups * chassis * blades * nodes;
  const black = green + groups * chassis * pairs(blades);
  const blue = black + groups * pairs(chassis) * blades;
  return { green, black, blue, end: blue + pairs(groups) };
}

export const dragonflyCableCount = (shape: DragonflyShape): number => sectionsOf(shape).end;

export interface DragonflyCableOptions extends CableOptions {
  /** Number of the first cable in link names; SimGrid continues the numbering across the dragonflies of a file. */
  readonly firstNumber: number;
}

/** The cables of a dragonfly of a SimGrid platform: of nodes, then green, black and blue ones. Look-ups are O(log groups). */
export class DragonflyCables extends Cables {
  readonly #shape: DragonflyShape;
  readonly #sections: Sections;
  readonly #firstNumber: number;

  constructor(shape: DragonflyShape, options: DragonflyCableOptions) {
    const sections = sectionsOf(shape);
    super(sections.end, options);
    this.#shape = shape;
    this.#sections = sections;
    this.#firstNumber = options.firstNumber;
  }

  override wires(cable: number): number {
    const { green, black, blue } = this.#sections;
    if (cable < green) return 1;
    if (cable < black) return this.#shape.green;
    return cable < blue ? this.#shape.black : this.#shape.blue;
  }

  name(cable: number): string {
    return `${this.#stem(cable)}_${this.#firstNumber + cable}`;
  }

  cableOf(name: string): number | undefined {
    const number = /^(?:local|green|black|blue)_link_.*_(\d{1,10})$/.exec(name)?.[1];
    if (number === undefined) return undefined;
    const cable = Number(number) - this.#firstNumber;
    return cable >= 0 && cable < this.count && this.name(cable) === name ? cable : undefined;
  }

  /** The cable between a node and its router. */
  local(router: number, node: number): number {
    return router * this.#shape.nodes + node;
  }

  /** The cable between two blades of a chassis; chassis are counted over all groups. */
  green(chassis: number, low: number, high: number): number {
    const { blades } = this.#shape;
    return this.#sections.green + chassis * pairs(blades) + pairNumber(blades, low, high);
  }

  /** The cable between the routers of a blade number in two chassis of a group. */
  black(group: number, low: number, high: number, blade: number): number {
    const { chassis, blades } = this.#shape;
    return this.#sections.black + (group * pairs(chassis) + pairNumber(chassis, low, high)) * blades + blade;
  }

  /** The cable between two groups. */
  blue(low: number, high: number): number {
    return this.#sections.blue + pairNumber(this.#shape.groups, low, high);
  }

  #stem(cable: number): string {
    const { green, black, blue } = this.#sections;
    const { groups, chassis, blades, nodes } = this.#shape;
    if (cable < green) return `local_link_from_router_${Math.floor(cable / nodes)}_to_node_${cable % nodes}`;
    if (cable < black) {
      const at = cable - green;
      const [low, high] = pairOf(blades, at % pairs(blades));
      const inGroup = Math.floor(at / pairs(blades)) % chassis;
      return `green_link_in_chassis_${inGroup}_between_routers_${low}_and_${high}`;
    }
    if (cable < blue) {
      const at = Math.floor((cable - black) / blades);
      const [low, high] = pairOf(chassis, at % pairs(chassis));
      const group = Math.floor(at / pairs(chassis));
      return `black_link_in_group_${group}_between_chassis_${low}_and_${high}_blade_${(cable - black) % blades}`;
    }
    const [low, high] = pairOf(groups, cable - blue);
    const routers = `${low * blades * chassis + high}_and_${high * blades * chassis + low}`;
    return `blue_link_between_group_${low}_and_${high}_routers_${routers}`;
  }
}

/** A router while a route is made. */
interface Position {
  readonly group: number;
  readonly chassis: number;
  readonly blade: number;
}

/**
 * A dragonfly with minimal routing, hop by hop as in SimGrid 3.32's DragonflyZone: to the router of the own group that
 * leads to the target's group (first the blade, then the chassis), across, then to the target's blade and chassis. Router n
 * of a group leads to group n. Behind a green hop towards the target, SimGrid takes the router of chassis 0; so does this
 * route, which therefore has a further black hop within other chassis.
 *
 * Source: Kim, Dally, Scott, Abts, Technology-driven, highly-scalable dragonfly topology, 2008.
 */
export class DragonflyZone extends LeafZone implements Zone {
  readonly #shape: DragonflyShape;
  readonly #cables: DragonflyCables;
  readonly #links: PrivateLinks;

  constructor(place: ZonePlace, shape: DragonflyShape, cables: DragonflyCables, links: PrivateLinks) {
    super(place);
    this.#shape = shape;
    this.#cables = cables;
    this.#links = links;
  }

  localRoute(source: NetPoint, target: NetPoint): LocalRoute | string {
    const { firstLoopback, firstLimiter } = this.#links;
    if (source === target && firstLoopback >= 0) return { links: [firstLoopback + source.at] };
    const links: number[] = [];
    const { nodes } = this.#shape;
    const [from, to] = [this.#router(Math.floor(source.at / nodes)), this.#router(Math.floor(target.at / nodes))];
    if (firstLimiter >= 0) links.push(firstLimiter + source.at);
    links.push(this.#cables.indexOf(this.#cables.local(this.#number(from), source.at % nodes), true));
    if (this.#number(from) !== this.#number(to)) {
      const problem = this.#across(from, to, links);
      if (problem !== undefined) return problem;
    }
    this.#limit(to, links);
    links.push(this.#cables.indexOf(this.#cables.local(this.#number(to), target.at % nodes), false));
    if (firstLimiter >= 0) links.push(firstLimiter + target.at);
    return { links };
  }

  #across(from: Position, to: Position, links: number[]): string | undefined {
    let at = from;
    if (at.group !== to.group) {
      if (at.blade !== to.group) {
        const problem = this.#green(at, to.group, links);
        if (problem !== undefined) return problem;
        at = { ...at, blade: to.group };
      }
      if (at.chassis !== 0) {
        this.#black(at, 0, links);
        at = { ...at, chassis: 0 };
      }
      const [low, high] = at.group < to.group ? [at.group, to.group] : [to.group, at.group];
      links.push(this.#cables.indexOf(this.#cables.blue(low, high), at.group < to.group));
      this.#limit(at, links);
      at = this.#router(to.group * this.#shape.chassis * this.#shape.blades + at.group);
    }
    if (at.blade !== to.blade) {
      const problem = this.#green(at, to.blade, links);
      if (problem !== undefined) return problem;
      at = { group: to.group, chassis: 0, blade: to.blade };
    }
    if (at.chassis !== to.chassis) this.#black(at, to.chassis, links);
    return undefined;
  }

  #green(at: Position, blade: number, links: number[]): string | undefined {
    const { chassis, blades } = this.#shape;
    if (blade >= blades)
      return `Dragonfly ${this.name} has no route to group ${blade}: each chassis has ${blades} blades, and blade n leads to group n.`;
    this.#limit(at, links);
    const [low, high] = at.blade < blade ? [at.blade, blade] : [blade, at.blade];
    const cable = this.#cables.green(at.group * chassis + at.chassis, low, high);
    links.push(this.#cables.indexOf(cable, at.blade < blade));
    return undefined;
  }

  #black(at: Position, chassis: number, links: number[]): void {
    this.#limit(at, links);
    const [low, high] = at.chassis < chassis ? [at.chassis, chassis] : [chassis, at.chassis];
    links.push(this.#cables.indexOf(this.#cables.black(at.group, low, high, at.blade), at.chassis < chassis));
  }

  #limit(at: Position, links: number[]): void {
    const { firstLimiter } = this.#links;
    const { groups, chassis, blades, nodes } = this.#shape;
    if (firstLimiter >= 0) links.push(firstLimiter + groups * chassis * blades * nodes + this.#number(at));
  }

  #router(number: number): Position {
    const { chassis, blades } = this.#shape;
    return {
      group: Math.floor(number / (chassis * blades)),
      chassis: Math.floor(number / blades) % chassis,
      blade: number % blades,
    };
  }

  #number({ group, chassis, blade }: Position): number {
    const { chassis: perGroup, blades } = this.#shape;
    return (group * perGroup + chassis) * blades + blade;
  }
}
