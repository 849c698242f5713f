import type { SyncObject } from './rows.ts';

/** Key of objects of one kind, name and declaration, which results report as one. */
export function groupKey({ kind, name, site }: Pick<SyncObject, 'kind' | 'name' | 'site'>): string {
  const { file = '', line = 0 } = site?.place ?? {};
  return JSON.stringify([kind, name, file, line]);
}
