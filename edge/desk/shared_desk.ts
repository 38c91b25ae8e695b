/**
 * SharedDesk: the store among agents that each started a desk of their own. The first holds the file and serves the others;
 * when it ends, one of them takes its place.
 */
import { type Answer, type Caller, type CallOptions, type ToolList, type Tools } from '../../wasm/core.ts';
import type { JsonObject } from '../../wasm/instance.ts';
import { DeskGone } from './cli_link.ts';
import { type DeskSettings, openDesk, type OpenedDesk } from './open_desk.ts';
import type { RunningServer } from './server.ts';
import type { WatchedCore } from './watched_core.ts';

type Listen = (core: WatchedCore) => Promise<RunningServer>;

interface Place {
  desk: OpenedDesk;
  server: RunningServer | undefined;
}

export class SharedDesk implements Tools {
  #settings: DeskSettings;
  #listen: Listen;
  #place: Place;

  private constructor(settings: DeskSettings, listen: Listen, place: Place) {
    this.#settings = settings;
    this.#listen = listen;
    this.#place = place;
  }

  /** Holds the store and serves it with `listen`, or works through the desk that does. */
  static async join(settings: DeskSettings, listen: Listen): Promise<SharedDesk> {
    return new SharedDesk(settings, listen, await takePlace(settings, listen));
  }

  /** Where links to this desk begin. */
  get origin(): string {
    return this.#place.server?.origin ?? this.#place.desk.url ?? '';
  }

  tools(): Promise<ToolList> {
    return this.#place.desk.tools.tools();
  }

  async call(tool: string, args: JsonObject, caller: Caller, options?: CallOptions): Promise<Answer> {
    const { desk } = this.#place;
    try {
      return await desk.tools.call(tool, args, caller, options);
    } catch (error) {
      if (!(error instanceof DeskGone)) throw error;
      await this.#succeed(desk);
      return this.#place.desk.tools.call(tool, args, { ...caller, origin: this.origin }, options);
    }
  }

  async leave(): Promise<void> {
    await this.#place.server?.close();
    await this.#place.desk.own?.close();
  }

  #succeeding: Promise<void> | undefined;

  /** Of several calls that notice at once, one does it. */
  async #succeed(gone: OpenedDesk): Promise<void> {
    if (this.#place.desk !== gone) return;
    this.#succeeding ??= takePlace(this.#settings, this.#listen)
      .then((place) => void (this.#place = place))
      .finally(() => (this.#succeeding = undefined));
    await this.#succeeding;
  }
}

async function takePlace(settings: DeskSettings, listen: Listen): Promise<Place> {
  const desk = await openDesk(settings);
  return { desk, server: desk.own && (await listen(desk.own)) };
}
