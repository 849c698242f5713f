import { ACQUIRE, isLimited, RELEASE, ROW, type SyncObject, type ThreadProgram } from './rows.ts';

/** A strand as messages name it: `thread 3 of loop model.ts:7`, `task fib`, `main`. */
export function strandName({ strands, names }: Pick<ThreadProgram, 'strands' | 'names'>, strand: number): string {
  const name = names[strands.name[strand]!]!;
  const thread = strands.thread[strand]!;
  if (thread >= 0) return `thread ${thread} of ${name}`;
  return strands.parent[strand]! < 0 ? name : `task ${name}`;
}

/** An object as messages name it: `m`, or `m[3]` of an array. */
export function objectName({ objects }: Pick<ThreadProgram, 'objects'>, object: number): string {
  const { name, index } = objects[object]!;
  return index > 0 || objects[object + 1]?.index === 1 ? `${name}[${index}]` : name;
}

/** Key of objects of one kind, name and declaration, which results report as one. */
export function groupKey({ kind, name, site }: Pick<SyncObject, 'kind' | 'name' | 'site'>): string {
  const { file = '', line = 0 } = site?.place ?? {};
  return JSON.stringify([kind, name, file, line]);
}

/** The call that a row makes: `lock`, `barrier`, `atomic`. */
export function callName({ rows, objects }: ThreadProgram, at: number): string {
  switch (rows.op[at]) {
    case ROW.acquire:
      return acquisition(objects[rows.a[at]!]!, rows.b[at]!);
    case ROW.try: {
      const name = acquisition(objects[rows.a[at]!]!, rows.b[at]!);
      return `try${name[0]!.toUpperCase()}${name.slice(1)}${isLimited(rows, at) ? 'For' : ''}`;
    }
    case ROW.release:
      return RELEASE[rows.b[at]!]!.name;
    case ROW.wait:
      return isLimited(rows, at) ? 'waitFor' : 'wait';
    case ROW.atomic:
      return objects[rows.a[at]!]!.kind === 'counter' ? 'add' : 'atomic';
    default:
      return OTHERS.get(rows.op[at]!)!;
  }
}

const OTHERS: ReadonlyMap<number, string> = new Map(Object.entries(ROW).map(([name, op]) => [op, name]));

function acquisition({ kind }: SyncObject, mode: number): string {
  const { name } = ACQUIRE[mode]!;
  if (name === 'latch') return 'barrier';
  if (name === 'future') return 'get';
  return kind === 'autoEvent' ? 'wait' : name;
}

/** Operations on the synchronisation object a. */
export const USES_OBJECT: ReadonlySet<number> = new Set([ROW.acquire, ROW.try, ROW.release, ROW.wait, ROW.atomic]);

/** The operation of a row: `lock m[3]`. */
export function operationName(program: ThreadProgram, at: number): string {
  const { op, a } = program.rows;
  const call = callName(program, at);
  return USES_OBJECT.has(op[at]!) ? `${call} ${objectName(program, a[at]!)}` : call;
}
