import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { bundleThreads } from './thread-bundles.ts';

/** A file system in memory, where the system has one: tests write and replace thousands of small files, which wait for a disk. */
const IN_MEMORY = '/dev/shm';
/** Bytes that the largest files of tests which run at the same time may take, several times over. */
const ROOM = 4 * 2 ** 30;

/**
 * Global set-up: the processes of a test run have one folder for temporary files and share a cache of kernels in it, and leave that of the
 * user alone.
 */
export default async function setup(): Promise<() => void> {
  const folder = mkdtempSync(join(hasRoom() && runsPrograms() ? IN_MEMORY : tmpdir(), 'ft-'));
  process.env['TMPDIR'] = folder;
  process.env['FORETOKEN_CACHE'] ??= mkdtempSync(join(folder, 'kernels-'));
  const removeBundles = await bundleThreads();
  return () => {
    removeBundles();
    rmSync(folder, { recursive: true, force: true });
  };
}

function hasRoom(): boolean {
  try {
    const { bavail, bsize } = statfsSync(IN_MEMORY);
    return bavail * bsize >= ROOM;
  } catch {
    return false;
  }
}

/** False where the file system is mounted without execution, as containers often do. */
function runsPrograms(): boolean {
  const folder = mkdtempSync(join(IN_MEMORY, 'ft-'));
  const program = join(folder, 'true');
  writeFileSync(program, '#!/bin/sh\nexit 0\n', { mode: 0o755 });
  const { status } = spawnSync(program);
  rmSync(folder, { recursive: true, force: true });
  return status === 0;
}
