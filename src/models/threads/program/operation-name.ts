import { ACQUIRE, RELEASE, ROW, type SyncObject, type ThreadProgram } from './rows.ts';

/** An object as messages name it: `m`, or `m[3]` of an array. */
export function objectName({ objects }: Pick<ThreadProgram, 'objects'>, object: number): string {
  const { name, index } = objects[object]!;
  return index > 0 || objects[object + 1]?.index === 1 ? `${name}[${index}]` : name;
}

/** The call that a row makes: `lock`, `barrier`, `atomic`. */
export function callName({ rows, objects }: ThreadProgram, at: number): string {
  switch (rows.op[at]) {
    case ROW.acquire:
      return acquisition(objects[rows.a[at]!]!, rows.b[at]!);
    case ROW.release:
      return RELEASE[rows.b[at]!]!.name;
    case ROW.wait:
      return 'wait';
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

/** The operation of a row: `lock m[3]`. */
export function operationName(program: ThreadProgram, at: number): string {
  const { op, a } = program.rows;
  const call = callName(program, at);
  const hasObject = op[at] === ROW.acquire || op[at] === ROW.release || op[at] === ROW.wait || op[at] === ROW.atomic;
  return hasObject ? `${call} ${objectName(program, a[at]!)}` : call;
}
