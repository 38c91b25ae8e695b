/**
 * npm run edge:deploy: puts the Worker, its objects and its secrets into the account that wrangler is signed in to, and prints
 * the one-time link for the owner's passkey. --setup-link alone makes a new link. --dry-run builds and shows the size.
 */
import { parseArgs } from 'node:util';
import { prepare } from './prepare.ts';
import { newSetupToken, newSigningKey, setupLink } from './secrets.ts';
import { bundleFolder, configFile } from './folders.ts';
import { runWrangler, startWrangler } from './wrangler_command.ts';

const { values } = parseArgs({
  options: { 'setup-link': { type: 'boolean', default: false }, 'dry-run': { type: 'boolean', default: false } },
});

async function secretNames(): Promise<string[]> {
  const command = startWrangler(['secret', 'list', '--config', configFile, '--format', 'json'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let text = '';
  for await (const part of command.stdout ?? []) text += String(part);
  return text.trim() === '' ? [] : (JSON.parse(text) as { name: string }[]).map(({ name }) => name);
}

async function must(args: string[], input?: string): Promise<void> {
  const code = await runWrangler([...args, '--config', configFile], input === undefined ? {} : { input });
  if (code !== 0) process.exit(code);
}

async function deploy(): Promise<void> {
  await prepare();
  if (values['dry-run']) return must(['deploy', '--dry-run', '--outdir', bundleFolder]);
  if (!values['setup-link']) {
    await must(['deploy']);
    // The key stays for good: receipts that it signed are checked against it.
    if (!(await secretNames()).includes('STELE_SIGNING_KEY'))
      await must(['secret', 'put', 'STELE_SIGNING_KEY'], await newSigningKey());
  }
  const token = newSetupToken();
  await must(['secret', 'put', 'STELE_SETUP_TOKEN'], token);
  process.stdout.write(`
The owner's passkey is made at this path of the address above; it serves once, for 24 hours:

  ${setupLink('', token)}
`);
}

await deploy();
