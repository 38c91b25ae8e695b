/**
 * The editor of queries: CodeMirror with DuckDB's words, completion and a mark where a mistake is. Loaded when a query is first
 * written; until then a plain field stands in its place.
 */
import {
  autocompletion,
  closeBrackets,
  type Completion,
  type CompletionContext,
  type CompletionResult,
  insertCompletionText,
  pickedCompletion,
} from '@codemirror/autocomplete';
import { PostgreSQL, sql } from '@codemirror/lang-sql';
import { syntaxHighlighting } from '@codemirror/language';
import { EditorState, Prec, StateEffect, StateField } from '@codemirror/state';
import { Decoration, type DecorationSet, EditorView, keymap, placeholder } from '@codemirror/view';
import { classHighlighter } from '@lezer/highlight';
import { minimalSetup } from 'codemirror';
import type { SqlPlace } from '../base/sql_error.ts';
import { type KnownTables, sqlWords, suggest } from './completion.ts';

export interface CodeEditor {
  readonly text: string;
  setText(text: string): void;
  mark(at: SqlPlace | undefined): void;
  focus(): void;
  close(): void;
}

export interface CodeEditorOptions {
  parent: HTMLElement;
  text: string;
  label: string;
  tables: KnownTables;
  onChange(text: string): void;
  onRun(): void;
}

const setMark = StateEffect.define<number | undefined>();
const mistake = Decoration.mark({ class: 'cm-mistake' });

const marks = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update(shown, transaction) {
    for (const effect of transaction.effects) {
      if (!effect.is(setMark)) continue;
      if (effect.value === undefined) return Decoration.none;
      const { doc } = transaction.state;
      const from = Math.min(effect.value, doc.length);
      const word = /^\s?[\p{L}\p{N}_]*|^"[^"]*"?/u.exec(doc.sliceString(from))?.[0].length ?? 0;
      const to = Math.min(doc.length, from + Math.max(1, word));
      return Decoration.set(from < to ? [mistake.range(from, to)] : []);
    }
    return transaction.docChanged ? Decoration.none : shown;
  },
  provide: (field) => EditorView.decorations.from(field),
});

function completionOf(tables: KnownTables) {
  const words = sqlWords.map((label) => ({ label, type: 'keyword' }));
  return async (context: CompletionContext): Promise<CompletionResult | null> => {
    const found = await suggest(context.state.doc.toString(), context.pos, tables);
    if (!found) return context.explicit ? { from: context.pos, options: words } : null;
    const options = found.suggestions.map(({ label, apply, kind, detail }) => ({
      label,
      apply,
      type: kind === 'table' ? 'class' : 'property',
      ...(detail ? { detail } : {}),
      boost: kind === 'column' ? 2 : 1,
    }));
    // The quote that stands before what is typed of a name stays, and is no part of what is matched.
    if (context.state.sliceDoc(found.from, context.pos).startsWith('"')) {
      const closing = found.to - context.pos;
      const names = options.map((option) => ({ ...option, apply: pickUpTo(option.apply.slice(1), closing) }));
      return { from: found.from + 1, options: names };
    }
    return { from: found.from, options: [...options, ...words] };
  };
}

/** Puts this in the place of what was typed, and of as many characters behind it: what is matched ends at the cursor. */
function pickUpTo(text: string, behind: number): NonNullable<Completion['apply']> {
  return (view, completion, from, to) =>
    view.dispatch({
      ...insertCompletionText(view.state, text, from, to + behind),
      annotations: pickedCompletion.of(completion),
    });
}

export function createEditor({ parent, text, label, tables, onChange, onRun }: CodeEditorOptions): CodeEditor {
  const run = Prec.highest(keymap.of([{ key: 'Mod-Enter', run: () => (onRun(), true) }]));
  const view = new EditorView({
    // A shadow root of its own takes its styles as a sheet, which a strict content policy allows.
    parent: parent.shadowRoot ?? parent,
    ...(parent.shadowRoot ? { root: parent.shadowRoot } : {}),
    state: EditorState.create({
      doc: text,
      extensions: [
        run,
        minimalSetup,
        syntaxHighlighting(classHighlighter),
        closeBrackets(),
        sql({ dialect: PostgreSQL, upperCaseKeywords: true }),
        autocompletion({ override: [completionOf(tables)], icons: false }),
        EditorView.lineWrapping,
        EditorView.contentAttributes.of({ 'aria-label': label, spellcheck: 'false', autocapitalize: 'off' }),
        placeholder('SELECT …'),
        marks,
        EditorView.updateListener.of((update) => update.docChanged && onChange(update.state.doc.toString())),
      ],
    }),
  });
  return {
    get text() {
      return view.state.doc.toString();
    },
    setText(next) {
      if (next !== view.state.doc.toString())
        view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: next } });
    },
    mark(at) {
      if (!at || at.line > view.state.doc.lines) return view.dispatch({ effects: setMark.of(undefined) });
      const place = Math.min(view.state.doc.line(at.line).from + at.column, view.state.doc.length);
      view.dispatch({ effects: setMark.of(place), selection: { anchor: place }, scrollIntoView: true });
      view.focus();
    },
    focus: () => view.focus(),
    close: () => view.destroy(),
  };
}
