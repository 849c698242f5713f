/** A member of a document: its description in the schema, and the members inside. */
interface Member {
  readonly text?: string;
  /** Number of the record that it is, or that its elements are. */
  readonly record: number;
}

/** The members of a kind of record by their keys; `any` are those whose keys are names of the user or of a net. */
interface RecordMeaning {
  readonly members: Readonly<Record<string, Member>>;
  readonly any?: Member;
}

/** The descriptions of a kind of document: the first record is the document. */
export type Meanings = readonly RecordMeaning[];

/** The parts of a JSON Schema that lead to descriptions. */
export interface Schema {
  readonly $ref?: string;
  readonly $defs?: Readonly<Record<string, Schema>>;
  readonly description?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly patternProperties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: Schema | boolean;
  readonly items?: Schema | boolean;
  readonly prefixItems?: readonly Schema[];
  readonly anyOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
}

/** The descriptions in the JSON Schema of a document. Elements of a list have the keys of its records. O(size of the schema). */
export function meaningsOf(schema: Schema): Meanings {
  const records: { members: Record<string, Member>; any?: Member }[] = [];
  const known = new Map<Schema, number>();
  const target = (of: Schema): Schema | undefined =>
    of.$ref === undefined ? undefined : schema.$defs?.[decodeURIComponent(of.$ref.replace('#/$defs/', ''))];
  const recordOf = (of: Schema): number => {
    const own = target(of) ?? of;
    const found = known.get(own);
    if (found !== undefined) return found;
    const index = records.push({ members: {} }) - 1;
    known.set(own, index);
    collect(own, index, new Set());
    return index;
  };
  const memberOf = (of: Schema): Member => {
    const text = of.description ?? target(of)?.description;
    return { ...(text === undefined ? {} : { text }), record: recordOf(of) };
  };
  const collect = (of: Schema, index: number, seen: Set<Schema>): void => {
    if (seen.has(of)) return;
    seen.add(of);
    const record = records[index]!;
    const inner = [target(of), of.items, ...(of.prefixItems ?? []), ...(of.anyOf ?? []), ...(of.allOf ?? [])];
    for (const one of inner) if (typeof one === 'object') collect(one, index, seen);
    for (const [key, one] of Object.entries(of.properties ?? {})) {
      const member = memberOf(one);
      if (record.members[key]?.text === undefined) record.members[key] = member;
    }
    for (const one of [of.additionalProperties, ...Object.values(of.patternProperties ?? {})])
      if (typeof one === 'object') record.any ??= memberOf(one);
  };
  recordOf(schema);
  return records;
}

/** Parts of a figure: the description of the figure says more than theirs. */
const PARTS: ReadonlySet<string> = new Set(['value', 'lower', 'upper', 'mean', 'min', 'max']);

/** The description of the member that a pointer (RFC 6901) leads to; undefined if its schema has none. */
export function meaningOf(meanings: Meanings, pointer: string): string | undefined {
  let record = meanings[0];
  let text: string | undefined;
  for (const step of pointer.split('/').slice(1)) {
    const key = step.replaceAll('~1', '/').replaceAll('~0', '~');
    const known = record !== undefined && Object.hasOwn(record.members, key);
    const member: Member | undefined = known ? record!.members[key] : record?.any;
    if (member === undefined && /^\d+$/.test(key)) {
      // An element of a list: the description of the list is not that of its parts.
      text = undefined;
      continue;
    }
    if (member === undefined) return undefined;
    if (text === undefined || !PARTS.has(key)) text = member.text ?? text;
    record = meanings[member.record];
  }
  return text;
}
