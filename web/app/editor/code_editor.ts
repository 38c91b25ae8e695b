/**
 * The editor of queries: CodeMirror with DuckDB's words, completion and a mark where a mistake is. Loaded when a query is first
 * written; until then a plain field stands in its place.
 */
import { autocompletion, closeBrackets, type CompletionContext, type CompletionResult } from '@codemirror/autocomplete';
import { PostgreSQL, keywordCompletionSource, sql } from '@codemirror/lang-sql';
import { syntaxHighlighting } from '@codemirror/language';
import { EditorState, Prec, StateEffect, StateField } from '@codemirror/state';
import { Decoration, type DecorationSet, EditorView, keymap, placeholder } from '@codemirror/view';
import { classHighlighter } from '@lezer/highlight';
import { minimalSetup } from 'codemirror';
import type { SqlPlace } from '../base/sql_error.ts';
import { type KnownTables, suggest } from './completion.ts';

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
  const keywords = keywordCompletionSource(PostgreSQL, true);
  return async (context: CompletionContext): Promise<CompletionResult | null> => {
    const found = await suggest(context.state.doc.toString(), context.pos, tables);
    const words = context.matchBefore(/\w+$/) ? await keywords(context) : null;
    if (!found) return context.explicit ? words : null;
    const options = found.suggestions.map(({ label, apply, kind, detail }) => ({
      label,
      apply,
      type: kind === 'table' ? 'class' : 'property',
      ...(detail ? { detail } : {}),
      boost: kind === 'column' ? 2 : 1,
    }));
    // A quote of a name stands before what is typed of it, and belongs to what is matched.
    const typed = context.state.sliceDoc(found.from, context.pos);
    const labelled = typed.startsWith('"')
      ? options.map((option) => ({ ...option, label: `"${option.label}` }))
      : options;
    return { from: found.from, options: [...labelled, ...(words?.options ?? [])] };
  };
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
