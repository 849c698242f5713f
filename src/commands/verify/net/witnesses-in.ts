import { fail, shown } from '../../../base/problem.ts';
import type { VerificationDocument, WitnessesDocument, WitnessSequence } from './verification.ts';

/** A firing sequence, and the property for which it was found. */
export interface GivenWitness extends WitnessSequence {
  /** For a conjunction: the parts that fail. */
  readonly failing?: readonly string[];
}

/** Kinds of steps. */
const KINDS: readonly unknown[] = ['fire', 'start', 'end', 'serve'];

/**
 * The firing sequences in the result of `verify` for a net (`--json`), or in a file of `verify --witness`.
 *
 * @throws InputError GAME005 another document, one without a witness, or a step of another shape
 */
export function witnessesIn(document: unknown, file: string): GivenWitness[] {
  const { kind, properties, sequences } = (document ?? {}) as Partial<
    Omit<VerificationDocument, 'kind'> & Omit<WitnessesDocument, 'kind'>
  > & { readonly kind?: unknown };
  const expected = 'expected a result of verify (--json), or a file of verify --witness';
  if (kind !== 'verification' && kind !== 'witnesses')
    fail('GAME005', `has no firing sequence: ${expected}, got ${kindText(kind)}`, { file });
  const found =
    kind === 'witnesses'
      ? listed(sequences).map((sequence) => sequence as GivenWitness)
      : listed(properties).flatMap((one): GivenWitness[] => {
          const { id, property, verdict, witness, failing } = one as VerificationDocument['properties'][number];
          if (witness === undefined) return [];
          return [{ id, property, verdict, ...witness, ...(failing === undefined ? {} : { failing }) }];
        });
  if (found.length === 0)
    fail(
      'GAME005',
      `has no firing sequence: none of its ${listed(properties ?? sequences).length} properties has one`,
      {
        file,
      },
    );
  for (const { id, steps } of found) {
    if (!Array.isArray(steps)) fail('GAME005', `${shown(id)} has no list of steps`, { file });
    steps.forEach((step: unknown, k) => {
      const { kind: own, node, binding } = (step ?? {}) as Readonly<Record<string, unknown>>;
      if (!KINDS.includes(own) || typeof node !== 'string' || typeof binding !== 'object' || binding === null)
        fail('GAME005', `${shown(id)}, step ${k + 1}: expected kind, node and binding, got ${shown(step)}`, { file });
    });
  }
  return found;
}

const listed = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/** The kind of a document in words; for results of programs also why they have no firing sequence. */
function kindText(kind: unknown): string {
  if (kind === 'program-verification' || kind === 'thread-verification')
    return `${shown(kind)}, which tells operations, not firings: verify the net of a model with -p`;
  return shown(kind);
}
