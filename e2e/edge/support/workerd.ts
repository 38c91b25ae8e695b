/**
 * workerd by itself, over the bundle that a deployment would upload and a folder for its objects: starts in a moment, and
 * killing it kills the server and nothing else. What wrangler.jsonc binds is bound here alike.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, relative } from 'node:path';

interface WranglerConfig {
  compatibility_date: string;
  compatibility_flags: string[];
  durable_objects: { bindings: { name: string; class_name: string }[] };
}

export interface WorkerdOptions {
  port: number;
  /** Where the bundle is, and the files of the assets binding. */
  bundle: string;
  assets: string;
  configFile: string;
  state: string;
  variables: Record<string, string>;
  /** A port of this machine whose proxy answers for the whole internet; without it, the network as it is. */
  internet?: number | undefined;
}

export function startWorkerd(options: WorkerdOptions): ChildProcess {
  mkdirSync(options.state, { recursive: true });
  const configPath = join(options.state, 'workerd.capnp');
  writeFileSync(configPath, capnpOf(options));
  const require = createRequire(createRequire(import.meta.url).resolve('wrangler/package.json'));
  const binary = (require('workerd') as { default: string }).default;
  return spawn(binary, ['serve', '--experimental', configPath], { stdio: ['ignore', 'pipe', 'pipe'] });
}

function capnpOf({ port, bundle, assets, configFile, state, variables, internet }: WorkerdOptions): string {
  const config = readJsonc(configFile) as WranglerConfig;
  const objects = config.durable_objects.bindings;
  const bindings = [
    ...objects.map(
      ({ name, class_name: className }) => `(name = ${text(name)}, durableObjectNamespace = ${text(className)})`,
    ),
    ...Object.entries(variables).map(([name, value]) => `(name = ${text(name)}, text = ${text(value)})`),
    '(name = "ASSETS", service = "assets")',
  ];
  const namespaces = objects.map(
    ({ class_name: className }) =>
      `(className = ${text(className)}, uniqueKey = ${text(`stele-${className}`)}, enableSql = true)`,
  );
  return `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [
    (name = "main", worker = (
      modules = [${modulesOf(bundle, state).join(', ')}],
      compatibilityDate = ${text(config.compatibility_date)},
      compatibilityFlags = [${config.compatibility_flags.map(text).join(', ')}],
      bindings = [${bindings.join(', ')}],
      durableObjectNamespaces = [${namespaces.join(', ')}],
      durableObjectStorage = (localDisk = "state"),
    )),
    (name = "state", disk = (path = ${text(state)}, writable = true)),
    (name = "assets", disk = (path = ${text(assets)})),
    ${internetOf(internet)},
  ],
  sockets = [(name = "http", address = "127.0.0.1:${port}", http = (), service = "main")],
);
`;
}

function internetOf(proxy: number | undefined): string {
  const network = '(allow = ["public", "private"], tlsOptions = (trustBrowserCas = true))';
  const there = proxy ? `external = (address = "127.0.0.1:${proxy}", http = (style = proxy))` : `network = ${network}`;
  return `(name = "internet", ${there})`;
}

/** The entry first, then what it imports by name. */
function modulesOf(bundle: string, from: string): string[] {
  const files = readdirSync(bundle).filter((name) => /\.(js|wasm)$/.test(name));
  const entryFirst = files.sort((a, b) => Number(a.endsWith('.wasm')) - Number(b.endsWith('.wasm')));
  return entryFirst.map((name) => {
    const kind = name.endsWith('.wasm') ? 'wasm' : 'esModule';
    return `(name = ${text(name)}, ${kind} = embed ${text(relative(from, join(bundle, name)))})`;
  });
}

const text = (value: string): string => JSON.stringify(value);

/** JSON with whole-line comments and commas at ends. */
export function readJsonc(path: string): unknown {
  const text = readFileSync(path, 'utf8').replaceAll(/^\s*\/\/.*$/gm, '');
  return JSON.parse(text.replaceAll(/,(\s*[}\]])/g, '$1'));
}
