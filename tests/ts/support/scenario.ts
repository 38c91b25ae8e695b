/** Plays steps against the WASM module over the desk's store, being its home and its web. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { NodeStore } from '../../../edge/desk/node_store.ts';
import { SigningKey } from '../../../edge/desk/signing.ts';
import { type Answer, type Caller, Core } from '../../../wasm/core.ts';
import { type Home, HomeError, type SheetRequest, stageAll, type Staging } from '../../../wasm/home.ts';
import type { JsonObject } from '../../../wasm/instance.ts';
import { readXlsx } from '../../../wasm/xlsx/table.ts';
import { builtModule, nodeHost } from './module.ts';
import { type Answering, bytesOf, playSteps, type Setting, type Step, type WebFile } from './steps.ts';

const module = await builtModule('stele');
const defaultCaller: Caller = {
  author: 'scenario',
  read: true,
  write: true,
  share: true,
  origin: 'https://stele.example',
};

/** The web of a scenario, and a home that can unpack and sign. */
function scenarioHome(files: Record<string, WebFile>, folder: string): Home {
  let key: SigningKey | undefined;
  return {
    async ask(question, staging) {
      switch (question.ask) {
        case 'sign':
          key ??= new SigningKey(`${folder}/key`);
          return key.sign(question.digest);
        case 'unpack_xlsx':
          return unpack(question.staged, question, staging);
        case 'fetch': {
          const file = files[question.url];
          if (!file)
            throw new HomeError('fetch_failed', `There is no ${question.url}.`, 'Name a file of the scenario.');
          if (file.error) return file.error;
          const staged = await stageAll(staging, asStream(bytesOf(file)));
          return { staged, url: file.url ?? question.url, content_type: file.content_type ?? '' };
        }
      }
    },
  };
}

async function unpack(staged: number, request: SheetRequest, staging: Staging): Promise<JsonObject> {
  const bytes = await staging.read(staged, 0, await staging.size(staged));
  const { lines, facts, warnings } = readXlsx(bytes, request);
  return { staged: await stageAll(staging, asStream(Buffer.from([...lines].join('')))), facts, warnings };
}

async function* asStream(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}

export class ScenarioPlayer {
  readonly #store = new NodeStore(':memory:');
  readonly #folder = mkdtempSync(join(tmpdir(), 'stele-scenario-'));
  readonly #core: Core;

  constructor({ limits: changed = {}, files = {} }: Setting) {
    const home = scenarioHome(files, this.#folder);
    // A busy machine breaks no promise.
    const limits = { query_ms: 1_000_000, ...changed };
    this.#core = new Core({ module, store: this.#store, host: nodeHost, limits, memoryBytesMax: 1 << 30, home });
  }

  /** What did not hold; empty if all did. */
  play(steps: Step[], onAnswer: (answer: Answer) => void = () => {}): Promise<string[]> {
    const core = this.#core;
    const told = async (answering: Promise<Answer>): Promise<Answer> => {
      const answer = await answering;
      onAnswer(answer);
      return answer;
    };
    const answering: Answering = {
      tools: () => core.tools(),
      call: (tool, args, caller) => told(core.call(tool, args, { ...defaultCaller, ...caller })),
      view: (view, args, caller) => told(core.view(view, args, { ...defaultCaller, ...caller })),
    };
    return playSteps(answering, steps);
  }

  close(): void {
    this.#core.drop();
    this.#store.close();
    rmSync(this.#folder, { recursive: true });
  }
}
