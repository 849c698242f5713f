/** A trace of 100 ranks whose replay takes more processor time than a small job may. */
export function longTrace(alltoalls: number): string {
  const all = (line: string): string => Array.from({ length: 100 }, (_, r) => `${r} ${line}\n`).join('');
  return `${all('init')}${all('alltoall 1000 1000').repeat(alltoalls)}${all('finalize')}`;
}

/** A platform for {@link longTrace}. */
export const HUNDRED_HOSTS = `<?xml version="1.0"?>
<platform version="4.1">
<cluster id="c" prefix="n" suffix="" radical="0-99" speed="1Gf" bw="1GBps" lat="1us"/>
</platform>
`;
