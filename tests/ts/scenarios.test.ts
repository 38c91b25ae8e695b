/** The scenarios of tests/scenarios against the WASM module over the desk's store, as their README says. */
import { readdirSync, readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, onTestFinished, test } from 'vitest';
import { NodeStore } from '../../edge/desk/node_store.ts';
import { SigningKey } from '../../edge/desk/signing.ts';
import { type Answer, type Caller, Core, type ToolList } from '../../wasm/core.ts';
import { type Home, HomeError, stageAll, type Staging } from '../../wasm/home.ts';
import type { JsonObject, Limits } from '../../wasm/instance.ts';
import { readXlsx } from '../../wasm/xlsx/table.ts';
import { mismatch } from './support/match.ts';
import { builtModule, nodeHost } from './support/module.ts';
import { temporaryFolder } from './support/temporary.ts';

interface WebFile {
  case?: string;
  text?: string;
  content_type?: string;
  url?: string;
  error?: { error: string; message: string; hint: string };
}

interface Call {
  /** Either a tool or a view. */
  tool?: string;
  view?: string;
  arguments?: JsonObject;
  caller?: Partial<Caller>;
  error?: string;
  expect?: unknown;
  forbid?: string[];
  each?: unknown[];
  times?: number;
}

interface Outcome {
  count: number;
  error?: string;
  expect?: unknown;
}

interface Scenario {
  about: string;
  limits?: Limits;
  files?: Record<string, WebFile>;
  steps: (Call | { together: Call[]; outcomes: Outcome[] })[];
}

const scenarioFolder = new URL('../scenarios/', import.meta.url);
const caseFolder = new URL('../cases/', import.meta.url);
const names = readdirSync(scenarioFolder).filter((name) => name.endsWith('.json'));

const module = await builtModule('stele');
const defaultCaller: Caller = {
  author: 'scenario',
  read: true,
  write: true,
  share: true,
  origin: 'https://stele.example',
};

function caseBytes(name: string): Buffer {
  return readFileSync(new URL(name, caseFolder));
}

/** The web of a scenario, and a home that can unpack and sign. */
function scenarioHome(files: Record<string, WebFile>): Home {
  const key = new SigningKey(`${temporaryFolder()}/key`);
  return {
    async ask(question, staging) {
      switch (question.ask) {
        case 'sign':
          return key.sign(question.digest);
        case 'unpack_xlsx':
          return unpack(question.staged, question.sheet, staging);
        case 'fetch': {
          const file = files[question.url];
          if (!file)
            throw new HomeError('fetch_failed', `There is no ${question.url}.`, 'Name a file of the scenario.');
          if (file.error) return file.error;
          const bytes = file.case === undefined ? Buffer.from(file.text ?? '') : caseBytes(file.case);
          const staged = await stageAll(staging, asStream(bytes));
          return { staged, url: file.url ?? question.url, content_type: file.content_type ?? '' };
        }
      }
    },
  };
}

async function unpack(staged: number, sheet: string | null, staging: Staging): Promise<JsonObject> {
  const bytes = await staging.read(staged, 0, await staging.size(staged));
  const { lines, facts, warnings } = readXlsx(bytes, sheet);
  return { staged: await stageAll(staging, asStream(Buffer.from([...lines].join('')))), facts, warnings };
}

async function* asStream(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}

/** Puts case files and the value of `each` where arguments name them. */
function filled(value: unknown, each?: unknown): unknown {
  if (Array.isArray(value)) return value.map((item) => filled(item, each));
  if (typeof value !== 'object' || value === null) return value;
  if ('$each' in value) return each;
  if ('$case' in value) {
    const text = caseBytes(String(value.$case)).toString();
    return 'at' in value ? pointedAt(JSON.parse(text), String(value.at)) : text;
  }
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, filled(member, each)]));
}

function pointedAt(document: unknown, pointer: string): unknown {
  const names = pointer
    .split('/')
    .slice(1)
    .map((name) => name.replaceAll('~1', '/').replaceAll('~0', '~'));
  return names.reduce<unknown>((at, name) => (at as Record<string, unknown>)[name], document);
}

/** Why an answer is not what the step expects; undefined if it is. */
function complaint(
  answer: Answer,
  { error, expect: wanted, forbid = [] }: Pick<Call, 'error' | 'expect' | 'forbid'>,
): string | undefined {
  if (answer.isError !== (error !== undefined)) return `answered ${JSON.stringify(answer.value).slice(0, 2000)}`;
  if (error !== undefined) {
    const { error: kind, message, hint, ...more } = answer.value;
    if (kind !== error || !message || !hint || Object.keys(more).length > 0)
      return `answered ${JSON.stringify(answer.value)} instead of the error ${error}`;
  }
  const text = JSON.stringify(answer.value);
  const forbidden = forbid.find((one) => text.includes(one));
  if (forbidden !== undefined) return `the answer holds ${JSON.stringify(forbidden)}`;
  return wanted === undefined ? undefined : mismatch(answer.value, wanted);
}

/** Each tool's check of its own answers. */
function outputChecks({ tools }: ToolList): (tool: string, answer: Answer) => void {
  const ajv = new Ajv2020({ strict: false });
  const validators = new Map(tools.map(({ name, outputSchema }) => [name, ajv.compile(outputSchema as object)]));
  return (tool, answer) => {
    const validate = validators.get(tool);
    if (answer.isError || !validate) return;
    expect(
      validate(answer.value),
      `${tool}: ${ajv.errorsText(validate.errors)} in ${JSON.stringify(answer.value).slice(0, 2000)}`,
    ).toBe(true);
  };
}

async function play({ limits = {}, files = {}, steps }: Scenario): Promise<void> {
  const store = new NodeStore(':memory:');
  const core = new Core({ module, store, host: nodeHost, limits, memoryBytesMax: 1 << 30, home: scenarioHome(files) });
  onTestFinished(() => {
    core.drop();
    store.close();
  });
  const checkOutput = outputChecks(await core.tools());
  const run = async ({ tool, view, arguments: args = {}, caller }: Call, each?: unknown) => {
    const who = { ...defaultCaller, ...caller };
    const given = filled(args, each) as JsonObject;
    if (view !== undefined) return core.view(view, given, who);
    const answer = await core.call(tool ?? '', given, who);
    checkOutput(tool ?? '', answer);
    return answer;
  };
  for (const [number, step] of steps.entries()) {
    if ('together' in step) {
      const answers = await Promise.all(
        step.together.flatMap((call) => Array.from({ length: call.times ?? 1 }, () => run(call))),
      );
      for (const { count, ...outcome } of step.outcomes) {
        const matching = answers.filter((answer) => complaint(answer, outcome) === undefined);
        expect(
          matching.length,
          `step ${number}: ${JSON.stringify(outcome)} among ${JSON.stringify(answers).slice(0, 2000)}`,
        ).toBe(count);
      }
      continue;
    }
    for (const each of step.each ?? [undefined]) {
      const about = `step ${number}, ${step.view ?? step.tool}${each === undefined ? '' : ` for ${JSON.stringify(each).slice(0, 200)}`}`;
      expect(complaint(await run(step, each), step), about).toBeUndefined();
    }
  }
}

describe('a scenario', () => {
  test.each(names)('%s', { timeout: 60_000 }, async (name) => {
    await play(JSON.parse(readFileSync(new URL(name, scenarioFolder), 'utf8')) as Scenario);
  });
});
