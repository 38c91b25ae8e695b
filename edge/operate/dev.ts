/**
 * npm run edge:dev: the edge in workerd on this machine, its data under build/edge/state. WebAuthn wants a name and no
 * address, so it is at localhost.
 */
import { parseArgs } from 'node:util';
import { prepare } from './prepare.ts';
import { newSetupToken, newSigningKey, setupLink } from './secrets.ts';
import { localArguments, startWrangler } from './wrangler_command.ts';

const { values } = parseArgs({
  options: {
    port: { type: 'string', default: '8787' },
    state: { type: 'string', default: 'build/edge/state' },
    'allow-private': { type: 'boolean', default: false },
  },
});
await prepare();
const token = newSetupToken();
const origin = `http://localhost:${values.port}`;
const variables = {
  STELE_ORIGIN: origin,
  STELE_SETUP_TOKEN: token,
  STELE_SIGNING_KEY: await newSigningKey(),
  STELE_ALLOW_PRIVATE: String(values['allow-private']),
};
process.stdout.write(`Set-up link, once: ${setupLink(origin, token)}\nMCP:               ${origin}/mcp\n`);
const command = startWrangler(localArguments({ port: Number(values.port), state: values.state, variables }));
command.once('exit', (code) => (process.exitCode = code ?? 0));
process.once('SIGTERM', () => command.kill('SIGTERM'));
