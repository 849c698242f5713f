/** A page of sections with an empty line between two of them. Sections without lines are left out, and blanks at ends of lines. */
export function pageOf(sections: readonly (readonly string[])[]): string {
  const texts = sections
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.map((line) => line.trimEnd()).join('\n'));
  return `${texts.join('\n\n')}\n`;
}
