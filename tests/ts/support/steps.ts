/**
 * Plays the steps of tests/scenarios/README.md against whatever answers tools, in any home. It tells what did not hold, and
 * goes on.
 */
import { readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import type { Answer, Caller, ToolList } from '../../../wasm/core.ts';
import type { JsonObject, Limits } from '../../../wasm/instance.ts';
import { mismatch } from './match.ts';

export interface WebFile {
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

export type Step = Call | { together: Call[]; outcomes: Outcome[] };

/** What steps are played on. */
export interface Setting {
  limits?: Limits;
  files?: Record<string, WebFile>;
}

/** Whoever answers the calls: a core, a page, a server. */
export interface Answering {
  tools: () => Promise<Pick<ToolList, 'tools'>>;
  call: (tool: string, args: JsonObject, caller: Partial<Caller>) => Promise<Answer>;
  /** Where the steps ask views. */
  view?: (view: string, args: JsonObject, caller: Partial<Caller>) => Promise<Answer>;
}

const caseFolder = new URL('../../cases/', import.meta.url);

export function caseBytes(name: string): Buffer {
  return readFileSync(new URL(name, caseFolder));
}

/** The body of a file of the web of a scenario. */
export function bytesOf(file: WebFile): Buffer {
  return file.case === undefined ? Buffer.from(file.text ?? '') : caseBytes(file.case);
}

/** Plays steps in order; answers what did not hold, empty if all did. */
export async function playSteps(answering: Answering, steps: Step[]): Promise<string[]> {
  const player = new Player(answering, outputChecks(await answering.tools()));
  const failures: string[] = [];
  for (const [i, step] of steps.entries()) {
    const found = 'together' in step ? await player.playTogether(step) : await player.playOne(step);
    failures.push(...found.map((failure) => `step ${i + 1}: ${failure}`));
  }
  return failures;
}

class Player {
  readonly #answering: Answering;
  readonly #checkOutput: OutputCheck;

  constructor(answering: Answering, checkOutput: OutputCheck) {
    this.#answering = answering;
    this.#checkOutput = checkOutput;
  }

  async playOne(step: Call): Promise<string[]> {
    const failures: string[] = [];
    for (const each of step.each ?? [undefined]) {
      const answer = await this.#call(step, each);
      const wrong = complaint(answer, step) ?? this.#checkOutput(step.tool, answer);
      const about = each === undefined ? '' : ` with ${JSON.stringify(each).slice(0, 200)}`;
      if (wrong !== undefined) failures.push(`${step.tool ?? step.view}${about}: ${wrong}`);
    }
    return failures;
  }

  async playTogether({ together, outcomes }: { together: Call[]; outcomes: Outcome[] }): Promise<string[]> {
    const answers = await Promise.all(
      together.flatMap((call) => Array.from({ length: call.times ?? 1 }, () => this.#call(call))),
    );
    return outcomes.flatMap(({ count, ...outcome }) => {
      const matching = answers.filter((answer) => complaint(answer, outcome) === undefined).length;
      if (matching === count) return [];
      return `${matching} calls have the outcome ${JSON.stringify(outcome)}: ${JSON.stringify(answers).slice(0, 2000)}`;
    });
  }

  #call({ tool, view, arguments: args = {}, caller = {} }: Call, each?: unknown): Promise<Answer> {
    const given = filled(args, each) as JsonObject;
    if (tool !== undefined) return this.#answering.call(tool, given, caller);
    if (view === undefined || !this.#answering.view)
      throw new Error('a step names a tool, or a view where there are views');
    return this.#answering.view(view, given, caller);
  }
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

/** Why a tool's answer does not match the tool's schema; undefined if it does, and of a view, which has none. */
type OutputCheck = (tool: string | undefined, answer: Answer) => string | undefined;

function outputChecks({ tools }: Pick<ToolList, 'tools'>): OutputCheck {
  const ajv = new Ajv2020({ strict: false });
  const validators = new Map<string | undefined, ReturnType<typeof ajv.compile>>(
    tools.map(({ name, outputSchema }) => [name, ajv.compile(outputSchema as object)]),
  );
  return (tool, answer) => {
    const validate = validators.get(tool);
    if (answer.isError || !validate || validate(answer.value)) return undefined;
    return `${ajv.errorsText(validate.errors)} in ${JSON.stringify(answer.value).slice(0, 2000)}`;
  };
}
