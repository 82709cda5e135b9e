import { onlineManager } from '@tanstack/react-query';
import { afterEach, describe, expect, it } from 'vitest';
import { makeQueryClient } from './query-client.ts';

afterEach(() => onlineManager.setOnline(true));

describe('without a network', () => {
  const noNetwork = () => Promise.reject(new TypeError('no network'));

  it('mutations fail at once and queries after their retries, instead of being paused [AMB-104]', async () => {
    onlineManager.setOnline(false);
    const client = makeQueryClient();
    const mutation = client.getMutationCache().build(client, { mutationFn: noNetwork });
    await expect(mutation.execute(undefined)).rejects.toThrow('no network');
    await expect(
      client.fetchQuery({ queryKey: ['list'], queryFn: noNetwork, retry: 1, retryDelay: 1 }),
    ).rejects.toThrow('no network');
  });

  it('queries are set to refetch on reconnect', () => {
    expect(makeQueryClient().defaultQueryOptions({ queryKey: ['list'] }).refetchOnReconnect).toBe(true);
  });
});
