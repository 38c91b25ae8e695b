/** Ends what a file's tests started, also where a test failed before it could. */
import { afterAll } from 'vitest';
import { LocalEdge } from './local_edge.ts';

afterAll(() => LocalEdge.killAll());
process.once('exit', () => LocalEdge.killAllNow());
