import type { NetBuilder } from '../../../net/builder/builder.ts';
import type { NetPart } from './ports.ts';

/** A part of a net whose colour sets, tables, places and transitions have names with a prefix. */
export function prefixed(net: NetBuilder, prefix: string): NetPart {
  const name = (own: string): string => `${prefix}${own}`;
  return {
    range: (own, low, high) => net.range(name(own), low, high),
    enumeration: (own, ...values) => net.enumeration(name(own), ...values),
    intTable: (own, values, bounds) => net.intTable(name(own), values, bounds),
    realTable: (own, values) => net.realTable(name(own), values),
    routesTable: (own, start, link, coefficient) => net.routesTable(name(own), start, link, coefficient),
    place: (own, fields, options) => net.place(name(own), fields, options),
    transition: (own, build) => net.transition(name(own), build),
  };
}
