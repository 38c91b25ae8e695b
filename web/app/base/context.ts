/** What every page is given: the tables, where one can go, and how to say that something was done. */
import type { Workspace } from '../../../worker/workspace.ts';
import type { Place } from './address.ts';
import type { Tables } from './tables.ts';

export interface Notice {
  text: string;
  /** Undoes what the notice tells of. */
  undo?: () => Promise<unknown>;
  link?: { href: string; text: string };
  isError?: boolean;
}

/** What the in-page server gives the shell to show: who may do what, and what they did. */
export interface AgentPanels {
  grants: HTMLElement;
  activity: HTMLElement;
  /** How many calls there were, and word of each new one. */
  calls(): number;
  onCall(listener: () => void): void;
}

export interface AppContext {
  tables: Tables;
  workspace: Workspace;
  panels: AgentPanels | undefined;
  go(place: Place): void;
  amend(place: Place): void;
  /** A file that was dropped on another page, once. */
  takeDropped(): File | undefined;
  notify(notice: Notice): void;
  /** Does something and says what went wrong, if it did. Answers whether it was done. */
  attempt(work: () => Promise<unknown>): Promise<boolean>;
}
