/** The Auth object as the KV namespace that the OAuth provider expects: the calls it makes, and no others. */
import type { Auth } from './auth_object.ts';
import type { ListOptions, PutOptions } from './key_values.ts';

export function objectKv(auth: DurableObjectStub<Auth>): KVNamespace {
  const adapter = {
    async get(key: string, type?: string | { type?: string }): Promise<unknown> {
      const value = await auth.kvGet(key);
      const wanted = typeof type === 'string' ? type : type?.type;
      return value !== null && wanted === 'json' ? JSON.parse(value) : value;
    },
    put: (key: string, value: string, options: PutOptions = {}) => auth.kvPut(key, value, { ...options }),
    delete: (key: string) => auth.kvDelete(key),
    list: (options: ListOptions = {}) => auth.kvList({ ...options }),
  };
  return adapter as unknown as KVNamespace;
}
