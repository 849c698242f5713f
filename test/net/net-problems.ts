import { PROBLEMS_DISTRIBUTIONS } from './problems-distributions.ts';
import { PROBLEMS_EXPRESSIONS } from './problems-expressions.ts';
import { PROBLEMS_NAMES } from './problems-names.ts';
import { PROBLEMS_PLACES } from './problems-places.ts';
import { PROBLEMS_TABLES } from './problems-tables.ts';
import { PROBLEMS_TRANSITIONS } from './problems-transitions.ts';
import type { Case } from './sound-net.ts';

/** Violations of every validation rule, one at a time. */
export const NET_PROBLEMS: readonly Case[] = [
  ...PROBLEMS_NAMES,
  ...PROBLEMS_TABLES,
  ...PROBLEMS_PLACES,
  ...PROBLEMS_EXPRESSIONS,
  ...PROBLEMS_TRANSITIONS,
  ...PROBLEMS_DISTRIBUTIONS,
];
