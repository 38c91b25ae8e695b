/** The walkthrough of all homes, on the edge: by OAuth from discovery on, and by a personal token. */
import { join } from 'node:path';
import { type Connection, walkThrough } from '../../tests/walkthrough/walkthrough.ts';
import { connect } from './support/client.ts';
import { LocalEdge } from './support/local_edge.ts';
import { connectByOAuth } from './support/oauth_client.ts';
import { Owner } from './support/owner.ts';

async function edgeIn(folder: string): Promise<{ edge: LocalEdge; owner: Owner }> {
  const edge = await LocalEdge.start({ state: join(folder, 'state'), allowPrivate: true });
  return { edge, owner: await Owner.setUp(edge) };
}

walkThrough('on the edge, by OAuth', async (folder): Promise<Connection> => {
  const { edge, owner } = await edgeIn(folder);
  const { client } = await connectByOAuth(`${edge.origin}/mcp`, owner);
  return { client, close: () => client.close().then(() => edge.kill()) };
});

walkThrough('on the edge, with a personal token', async (folder): Promise<Connection> => {
  const { edge, owner } = await edgeIn(folder);
  const client = await connect(`${edge.origin}/w/main/mcp`, await owner.createToken(), 'legacy');
  return { client, close: () => client.close().then(() => edge.kill()) };
});
