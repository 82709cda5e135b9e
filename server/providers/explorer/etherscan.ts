import { readBody } from '#server/lib/network/read-body.ts';
import type { ContractSource, SourceExplorer, Verdict } from './port.ts';

/** Timeout of one request in milliseconds, and maximum size of a response in bytes. */
const TIMEOUT_MS = 15_000;
const MAX_ANSWER = 64 * 1024;

/**
 * Etherscan's API, version 2: one key and address for all chains. The source is submitted as standard JSON input.
 *
 * @param options.url https://api.etherscan.io/v2/api
 */
export function etherscan({ url, apiKey }: { url: string; apiKey: string }): SourceExplorer {
  async function call(method: 'GET' | 'POST', chainId: string, fields: Record<string, string>): Promise<Answer> {
    const target = new URL(url);
    target.searchParams.set('chainid', chainId);
    const all = new URLSearchParams({ ...fields, apikey: apiKey });
    if (method === 'GET') for (const [name, value] of all) target.searchParams.set(name, value);
    const response = await fetch(target, {
      method,
      redirect: 'error',
      signal: AbortSignal.timeout(TIMEOUT_MS),
      ...(method === 'POST' ? { body: all } : {}),
    });
    const text = await readBody(response, MAX_ANSWER);
    if (!response.ok) throw new Error(`The explorer responded with status ${response.status}`);
    return answerOf(text);
  }
  return {
    chains: ['1', '56', '137'],
    async submit({ chainId, address, constructorArguments, name, compiler, input }: ContractSource) {
      const { status, result } = await call('POST', chainId, {
        module: 'contract',
        action: 'verifysourcecode',
        codeformat: 'solidity-standard-json-input',
        sourceCode: input,
        contractaddress: address,
        contractname: name,
        compilerversion: compiler,
        // The API's own spelling.
        constructorArguements: constructorArguments,
      });
      if (status === '1' && /^[0-9a-z]{8,100}$/i.test(result)) return { is: 'submitted', guid: result };
      return verdictOf(status, result);
    },
    async check(chainId, guid) {
      const { status, result } = await call('GET', chainId, { module: 'contract', action: 'checkverifystatus', guid });
      return verdictOf(status, result);
    },
  };
}

interface Answer {
  status: string;
  result: string;
}

/** @throws Error for a response in another format. */
function answerOf(text: string): Answer {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    throw new Error('The explorer did not return JSON');
  }
  const { status, result } = (json ?? {}) as Record<string, unknown>;
  if (typeof status !== 'string' || typeof result !== 'string')
    throw new Error('The explorer returned JSON of another form');
  return { status, result: result.slice(0, 300) };
}

/** Interprets the explorer's messages; unknown ones count as temporary. */
function verdictOf(status: string, result: string): Verdict {
  if (/already verified/i.test(result) || (status === '1' && /^pass/i.test(result))) return { is: 'verified' };
  if (/^fail|unable to verify|invalid (constructor|compiler|contract ?name)/i.test(result))
    return { is: 'refused', detail: result };
  return { is: 'later', detail: result };
}
