/** Saves a text as a file of the user. */
export function save(name: string, type: string, text: string): void {
  const url = URL.createObjectURL(new Blob([text], { type }));
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  // The browser may read the blob after the click.
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}
