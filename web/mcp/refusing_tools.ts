/** RefusingTools: what a server offers where there are no tables to be had. It says why to whoever connects or calls. */
import type { Answer, ToolList, Tools } from '../../wasm/core.ts';
import type { ErrorAnswer } from '../../wasm/instance.ts';

export class RefusingTools implements Tools {
  #answer: ErrorAnswer;

  constructor(answer: ErrorAnswer) {
    this.#answer = answer;
  }

  async tools(): Promise<ToolList> {
    const { error, message, hint } = this.#answer;
    return { tools: [], instructions: `${error}: ${message} ${hint}` };
  }

  async call(): Promise<Answer> {
    return { value: { ...this.#answer }, isError: true };
  }
}
