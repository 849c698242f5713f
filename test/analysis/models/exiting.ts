import { isMainThread } from 'node:worker_threads';
import { plain } from './queue.ts';

if (!isMainThread) process.exit(3);
export default plain;
