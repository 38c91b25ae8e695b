/** Undo: the call that takes back what another did, where there is one. It refuses to take back what others built upon. */
import { type Answer, type Caller, type CoreApi, failed } from '../../wasm/core.ts';
import type { JsonObject } from '../../wasm/instance.ts';

export interface Undo {
  /** What will happen, as a button says it. */
  label: string;
  run(core: CoreApi, caller: Caller): Promise<Answer>;
}

const message = 'Undone by hand';

/** `args` and `value` are those of a call that succeeded. */
export function undoOf(tool: string, args: JsonObject, value: JsonObject): Undo | undefined {
  const { table, version } = value;
  if (typeof table !== 'string') return undefined;
  switch (tool) {
    case 'delete_table':
      return undoDelete(table, value);
    case 'share_table':
      return { label: 'End the share', run: (core) => endShare(core, table) };
    case 'update_table_info':
      return typeof args.rename_to === 'string' && typeof args.table === 'string'
        ? undoRename(table, args.table)
        : undefined;
    default:
      return typeof version === 'number' && makesVersion(tool, args) ? undoVersion(table, version) : undefined;
  }
}

function makesVersion(tool: string, args: JsonObject): boolean {
  return ['write_table', 'import_table', 'restore_version'].includes(tool) || (tool === 'query' && 'save_as' in args);
}

function undoVersion(table: string, version: number): Undo {
  if (version === 1) {
    return {
      label: 'Move the table to the trash',
      run: (core, caller) => deleteIfLatest(core, table, version, caller),
    };
  }
  return {
    label: `Restore version ${version - 1}`,
    run: (core, caller) =>
      core.call('restore_version', { table, version: version - 1, expected_version: version, message }, caller),
  };
}

function undoDelete(table: string, { deleted_version: version }: JsonObject): Undo | undefined {
  if (typeof version !== 'number') return undefined;
  return {
    label: 'Bring the table back',
    run: (core, caller) => core.call('restore_version', { table, version, message }, caller),
  };
}

function undoRename(table: string, before: string): Undo {
  return {
    label: `Name it ${before} again`,
    run: (core, caller) => core.call('update_table_info', { table, rename_to: before }, caller),
  };
}

async function endShare(core: CoreApi, table: string): Promise<Answer> {
  await core.makePrivate(table);
  return { value: { table }, isError: false };
}

async function deleteIfLatest(core: CoreApi, table: string, version: number, caller: Caller): Promise<Answer> {
  const history = await core.call('table_history', { table, limit: 1 }, caller);
  if (history.isError || history.value.latest === version) return core.call('delete_table', { table }, caller);
  return failed(
    'version_conflict',
    `${table} has changed since: its latest version is ${String(history.value.latest)}.`,
    'Look at its history, and restore the version that you want.',
  );
}
