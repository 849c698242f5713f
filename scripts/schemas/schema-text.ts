const WIDTH = 120;

/** JSON in the repository's format: one object member per line, lists of primitive values on one line. */
export function schemaText(json: unknown, indent = '', around = 0): string {
  const inner = `${indent}  `;
  if (Array.isArray(json)) {
    const plain = json.every((x) => x === null || typeof x !== 'object');
    const line = `[${json.map((x) => JSON.stringify(x)).join(', ')}]`;
    if (json.length === 0 || (plain && around + line.length <= WIDTH)) return line;
    return `[\n${json.map((x, k) => inner + schemaText(x, inner, inner.length + comma(json, k))).join(',\n')}\n${indent}]`;
  }
  if (typeof json !== 'object' || json === null) return JSON.stringify(json);
  const entries = Object.entries(json);
  const members = entries.map(([name, value], k) => {
    const head = `${inner}${JSON.stringify(name)}: `;
    return head + schemaText(value, inner, head.length + comma(entries, k));
  });
  return members.length === 0 ? '{}' : `{\n${members.join(',\n')}\n${indent}}`;
}

/** Number of characters after the k-th item. */
function comma(items: readonly unknown[], k: number): number {
  return k < items.length - 1 ? 1 : 0;
}
