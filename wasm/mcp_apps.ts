/**
 * MCP Apps: answers that a client which can shows as a page beside the text, by a resource under ui:// that the tool names in
 * its _meta. Clients that cannot see the same answer as before.
 */
import { ResourceNotFoundError, type Server } from '@modelcontextprotocol/server';
import { answerViewHtml } from './answer_view.ts';

const uri = 'ui://stele/rows';
const mimeType = 'text/html;profile=mcp-app';
const shownTools = new Set(['query', 'describe_table']);

const resource = {
  uri,
  name: 'rows',
  title: 'Rows as a table',
  description: 'Shows the rows of an answer. For clients to frame, not to be read.',
  mimeType,
};

/** The tools, those with a view naming it. */
export function withViews<T extends { name: string }>(tools: readonly T[]): (T & { _meta?: object })[] {
  return tools.map((tool) => (shownTools.has(tool.name) ? { ...tool, _meta: { ui: { resourceUri: uri } } } : tool));
}

/** Answers resources/list and resources/read: the view, and nothing else. */
export function serveViews(server: Server): void {
  server.setRequestHandler('resources/list', () => ({ resources: [resource] }));
  server.setRequestHandler('resources/templates/list', () => ({ resourceTemplates: [] }));
  server.setRequestHandler('resources/read', ({ params }) => {
    if (params.uri !== uri) throw new ResourceNotFoundError(params.uri);
    return { contents: [{ uri, mimeType, text: answerViewHtml, _meta: { ui: { prefersBorder: true } } }] };
  });
}
