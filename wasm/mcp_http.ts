/**
 * MCP over Streamable HTTP as a fetch handler. 2026-07-28 clients are served request by request, 2025 ones in sessions, since
 * they could not cancel without. It checks no Origin and no Host: the home does, which knows its own name.
 */
import {
  createMcpHandler,
  isLegacyRequest,
  type McpServerFactory,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server';
import { parseExactJson } from './exact_json.ts';

export interface McpHttpOptions {
  bodyBytesMax?: number;
  sessionsMax?: number;
  sessionIdleMs?: number;
  keepAliveMs?: number;
  /**
   * What a request of a session gets that is not here: 404, which tells the client to begin another, or an answer without
   * one, for a home whose memory may be taken at any time. Such an answer cannot be cancelled by 2025 clients.
   */
  unknownSessions?: 'refuse' | 'stateless';
}

export interface McpHttp {
  fetch(request: Request): Promise<Response>;
  close(): Promise<void>;
}

interface Session {
  transport: WebStandardStreamableHTTPServerTransport;
  usedAt: number;
  open: number;
}

const defaults = {
  bodyBytesMax: 32 << 20,
  sessionsMax: 200,
  sessionIdleMs: 30 * 60_000,
  // How long a client that left may go unnoticed: a Worker sees it only when it writes.
  keepAliveMs: 2_000,
  unknownSessions: 'refuse',
} as const;

export function mcpHttp(factory: McpServerFactory, options: McpHttpOptions = {}): McpHttp {
  const { bodyBytesMax, sessionsMax, sessionIdleMs, keepAliveMs, unknownSessions } = { ...defaults, ...options };
  const handlerOptions = { responseMode: 'sse', keepAliveMs, maxRequestBodySize: bodyBytesMax } as const;
  const modern = createMcpHandler(factory, { ...handlerOptions, legacy: 'reject' });
  const stateless = createMcpHandler(factory, { ...handlerOptions, legacy: 'stateless' });
  /** The longest unused first: a clock's milliseconds are too coarse to order them. */
  const sessions = new Map<string, Session>();
  /** Those that their clients ended: they stay ended where other unknown ones are answered. */
  const ended = new Set<string>();

  function noteEnded(id: string): void {
    sessions.delete(id);
    ended.add(id);
    const [oldest] = ended;
    if (ended.size > sessionsMax && oldest !== undefined) ended.delete(oldest);
  }

  async function endSession(id: string): Promise<void> {
    const session = sessions.get(id);
    sessions.delete(id);
    await session?.transport.close();
  }

  function noteUse(id: string, session: Session): void {
    session.usedAt = Date.now();
    if (sessions.delete(id)) sessions.set(id, session);
  }

  /** Ends what was idle too long, and the longest idle one if there are too many still. */
  async function makeRoom(): Promise<void> {
    const idle = [...sessions].filter(([, session]) => session.open === 0);
    const expired = idle.filter(([, session]) => Date.now() - session.usedAt > sessionIdleMs);
    for (const [id] of expired) await endSession(id);
    if (sessions.size < sessionsMax) return;
    const oldest = idle[expired.length] ?? [...sessions][0];
    if (oldest) await endSession(oldest[0]);
  }

  async function newSession(): Promise<WebStandardStreamableHTTPServerTransport> {
    await makeRoom();
    const transport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: () => crypto.randomUUID(),
      onsessioninitialized: (id) => void sessions.set(id, { transport, usedAt: Date.now(), open: 0 }),
      onsessionclosed: noteEnded,
      keepAliveMs,
      maxRequestBodySize: bodyBytesMax,
    });
    const server = await factory({ era: 'legacy' });
    await server.connect(transport);
    return transport;
  }

  async function serveSession(request: Request, parsedBody: unknown): Promise<Response> {
    const id = request.headers.get('mcp-session-id');
    if (id === null) return (await newSession()).handleRequest(request, { parsedBody });
    const session = sessions.get(id);
    if (!session && unknownSessions === 'stateless' && !ended.has(id)) return stateless.fetch(request, { parsedBody });
    if (!session) return jsonRpcError(404, -32001, 'Session not found');
    noteUse(id, session);
    session.open += 1;
    const response = await session.transport.handleRequest(request, { parsedBody });
    return whenEnded(response, () => {
      session.open -= 1;
      noteUse(id, session);
    });
  }

  return {
    async fetch(request) {
      if (request.method !== 'POST')
        return (await isLegacyRequest(request)) ? serveSession(request, undefined) : modern.fetch(request);
      const text = await readText(request, bodyBytesMax);
      if (text === undefined)
        return jsonRpcError(
          413,
          -32600,
          `The request's body is larger than ${bodyBytesMax} bytes. Send fewer rows a call, or use import_table.`,
        );
      let body: unknown;
      try {
        body = parseExactJson(text);
      } catch {
        return jsonRpcError(400, -32700, 'Parse error: the body is not JSON');
      }
      const bare = new Request(request.url, { method: 'POST', headers: request.headers, signal: request.signal });
      return (await isLegacyRequest(bare, body)) ? serveSession(bare, body) : modern.fetch(bare, { parsedBody: body });
    },
    async close() {
      await Promise.all([modern.close(), stateless.close()]);
      await Promise.all([...sessions.keys()].map(endSession));
    },
  };
}

async function readText(request: Request, bytesMax: number): Promise<string | undefined> {
  if (Number(request.headers.get('content-length') ?? 0) > bytesMax) return undefined;
  const decoder = new TextDecoder();
  const parts: string[] = [];
  let bytes = 0;
  for await (const chunk of request.body ?? []) {
    bytes += chunk.length;
    if (bytes > bytesMax) return undefined;
    parts.push(decoder.decode(chunk, { stream: true }));
  }
  parts.push(decoder.decode());
  return parts.join('');
}

/** The same response, with `ended` called once its body has ended or its reader has left. */
function whenEnded(response: Response, ended: () => void): Response {
  if (!response.body) {
    ended();
    return response;
  }
  const body = response.body;
  const reader = body.getReader();
  const watched = new ReadableStream({
    async pull(controller) {
      const { done, value } = await reader.read();
      if (!done) return controller.enqueue(value);
      ended();
      controller.close();
    },
    async cancel(reason) {
      ended();
      await reader.cancel(reason);
    },
  });
  return new Response(watched, response);
}

function jsonRpcError(status: number, code: number, message: string): Response {
  return Response.json({ jsonrpc: '2.0', error: { code, message }, id: null }, { status });
}
