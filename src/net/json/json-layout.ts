import { jsonText } from '../../base/spelled-out.ts';

/** Maximum width of wrapped lists, in characters. */
const WIDTH = 120;

/** A JSON object with one member per line (or several lines for a member); members without lines are omitted. */
export function block(members: readonly (readonly string[])[], head = ''): string[] {
  const given = members.filter((m) => m.length > 0);
  const lines = given.flatMap((m, k) =>
    m.map((line, n) => `  ${line}${n === m.length - 1 && k < given.length - 1 ? ',' : ''}`),
  );
  return [`${head}{`, ...lines, '}'];
}

/** A JSON list with one item per line. */
export function inner(head: string, items: readonly string[]): string[] {
  if (items.length === 0) return [`${head}[]`];
  return [`${head}[`, ...items.map((x, k) => `  ${x}${k < items.length - 1 ? ',' : ''}`), ']'];
}

/** A JSON list with as many items per line as fit. */
export function wrapped(head: string, items: readonly string[], indent: number): string[] {
  if (items.length < 40) {
    const line = `${head}[${items.join(', ')}]`;
    if (line.length + indent <= WIDTH * 0.7) return [line];
  }
  const lines = [`${head}[`];
  let line = ' ';
  items.forEach((x, k) => {
    const item = k < items.length - 1 ? `${x},` : x;
    if (line.length > 1 && indent + line.length + 1 + item.length > WIDTH) {
      lines.push(line);
      line = ' ';
    }
    line += ` ${item}`;
  });
  lines.push(line, ']');
  return lines;
}

/** A JSON object on one line; undefined members are omitted. */
export function object(members: Readonly<Record<string, string | undefined>>): string {
  const given = Object.entries(members).filter((m) => m[1] !== undefined);
  return given.length === 0 ? '{}' : `{ ${given.map(([name, value]) => `${text(name)}: ${value}`).join(', ')} }`;
}

/** A JSON list on one line. */
export function list<T>(items: readonly T[], write: (item: T) => string): string {
  return `[${items.map(write).join(', ')}]`;
}

/** One member of a block, if defined. */
export function member<T>(name: string, value: T | undefined, write: (value: T) => string): string[] {
  return value === undefined ? [] : [`"${name}": ${write(value)}`];
}

export function text(s: string): string {
  return jsonText(s);
}

export function number(v: number): string {
  if (Number.isFinite(v)) return Object.is(v, -0) ? '-0' : String(v);
  return `"${v}"`;
}
