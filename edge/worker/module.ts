/** The WASM module as the bundle carries it, already compiled, and the settings of every engine on the edge. */
import type { Glue, Module } from '../../wasm/instance.ts';
import { initialBytes } from '../../wasm/instance.ts';
import glue from '../../build/wasm/stele.mjs';
import wasm from '../../build/wasm/stele.wasm';
import { EngineBudget } from './engine_budget.ts';

export const module: Module = { glue: glue as Glue, wasm };

// An isolate has 128 MB for all the objects in it; the bundle and what is not the engines' take the rest.
const budgetBytes = 90 << 20;

/** The most that one engine may take when it is alone. */
export const engineBytesMax = budgetBytes;

/** One for the isolate: its memory is what all engines in it share. */
export const budget = new EngineBudget({
  bytesMax: budgetBytes,
  startBytes: initialBytes,
  waitMsMax: 60_000,
  // Longer turns start fewer engines, shorter ones keep nobody waiting long.
  turnMsMax: 250,
});
