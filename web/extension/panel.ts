/**
 * The side panel: one official MCP client for each page that connects, a list of its tools, and a call. An agent would do the
 * same with a model in the place of the person who fills in the arguments.
 */
import { Client, type Tool } from '@modelcontextprotocol/client';
import { PortTransport } from './port_transport.ts';

interface Connected {
  client: Client;
  title: string;
  tools: Tool[];
}

const pages = new Map<string, Connected>();
let lastPage = 0;

const status = element('status', HTMLElement);
const page = element('page', HTMLSelectElement);
const tool = element('tool', HTMLSelectElement);
const description = element('description', HTMLElement);
const args = element('arguments', HTMLTextAreaElement);
const button = element('call', HTMLButtonElement);
const receipt = element('receipt', HTMLAnchorElement);
const answer = element('answer', HTMLElement);

chrome.runtime.onConnectExternal.addListener((port) => void connect(port));
// A page that is loaded while the panel is open hears of it.
chrome.runtime.onMessage.addListener((_message, _sender, respond) => respond(true));
page.addEventListener('change', showTools);
tool.addEventListener('change', showDescription);
button.addEventListener('click', () => void call());
void lookForPages();

/** The pages that are open already. Those without our content script do not answer. */
async function lookForPages(): Promise<void> {
  for (const { id } of await chrome.tabs.query({}))
    if (id !== undefined) await chrome.tabs.sendMessage(id, 'panel').catch(() => {});
}

async function connect(port: ChromePort): Promise<void> {
  const key = String(++lastPage);
  const client = new Client({ name: 'Stele side panel', version: '0.1.0' }, { versionNegotiation: { mode: 'auto' } });
  client.onclose = () => {
    pages.delete(key);
    showPages();
  };
  try {
    await client.connect(new PortTransport(port));
    const { tools } = await client.listTools();
    // Who it is comes from the browser, as every page may call itself what it likes.
    pages.set(key, { client, title: `${port.sender?.tab?.title ?? ''} – ${port.sender?.origin ?? ''}`, tools });
  } catch (error) {
    answer.textContent = String(error);
  }
  showPages();
}

function showPages(): void {
  const selected = page.value;
  page.replaceChildren(...[...pages].map(([key, { title }]) => new Option(title, key, false, key === selected)));
  status.hidden = pages.size > 0;
  button.disabled = pages.size === 0;
  showTools();
}

function showTools(): void {
  const selected = tool.value;
  const tools = pages.get(page.value)?.tools ?? [];
  tool.replaceChildren(...tools.map(({ name }) => new Option(name, name, false, name === selected)));
  showDescription();
}

function showDescription(): void {
  const tools = pages.get(page.value)?.tools ?? [];
  description.textContent = tools.find(({ name }) => name === tool.value)?.description ?? '';
}

async function call(): Promise<void> {
  const connected = pages.get(page.value);
  if (!connected) return;
  button.disabled = true;
  receipt.hidden = true;
  answer.textContent = 'Waiting for the page …';
  try {
    const asked = JSON.parse(args.value) as Record<string, unknown>;
    const { structuredContent } = await connected.client.callTool({ name: tool.value, arguments: asked });
    answer.textContent = JSON.stringify(structuredContent, null, 2);
    showReceipt((structuredContent as { receipt?: { url?: unknown } } | undefined)?.receipt?.url);
  } catch (error) {
    answer.textContent = String(error);
  }
  button.disabled = pages.size === 0;
}

function showReceipt(url: unknown): void {
  if (typeof url !== 'string' || !/^https?:/.test(url)) return;
  receipt.href = url;
  receipt.hidden = false;
}

function element<T extends HTMLElement>(id: string, kind: new () => T): T {
  const found = document.getElementById(id);
  if (!(found instanceof kind)) throw new Error(`no ${id}`);
  return found;
}
