import { jsonText } from '../../base/spelled-out.ts';

/** Maximum width of wrapped lists, in characters. */
const WIDTH = 120;

/** A JSON object with one member per line, or several lines for a member. */
export function block(members: readonly (readonly string[])[], head = ''): string[] {
  const lines = members.flatMap((m, k) =>
    m.map((line, n) => `  ${line}${n === m.length - 1 && k < members.length - 1 ? ',' : ''}`),
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

/** A JSON object on one line, of its members as text. */
export function object(members: readonly string[]): string {
  return members.length === 0 ? '{}' : `{ ${members.join(', ')} }`;
}

export function text(s: string): string {
  return jsonText(s);
}

export function number(v: number): string {
  if (Number.isFinite(v)) return Object.is(v, -0) ? '-0' : String(v);
  return `"${v}"`;
}
