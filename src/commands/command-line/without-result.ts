import { PRODUCT } from '../../base/version.ts';

/** What `--json` prints for a command that reached a limit before it had a result. */
export interface WithoutResult {
  readonly format: 'foretoken';
  readonly version: 1;
  readonly kind: 'none';
  /** Product and version that wrote the document. */
  readonly product: string;
  /** The command, as in `structure`. */
  readonly command: string;
  readonly complete: false;
  /** The limit that was reached. */
  readonly because: string;
}

/** The document of a command without a result, as text. */
export function withoutResult(command: string, limit: string): string {
  const document: WithoutResult = {
    format: 'foretoken',
    version: 1,
    kind: 'none',
    product: PRODUCT,
    command,
    complete: false,
    because: `the ${limit} was reached before a result was available`,
  };
  return `${JSON.stringify(document, undefined, 2)}\n`;
}
