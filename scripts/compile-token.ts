// `node scripts/run.mjs scripts/compile-token.ts` compiles the token contract for EVM chains and writes what is committed
// beside it. The same compiler and sources give the same bytes on every machine; compile-token.test.ts checks that they are
// still these. New bytes are a new version of the contract: see server/providers/chains/evm-token.ts.
import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

const require = createRequire(import.meta.url);
const FOLDER = path.resolve(import.meta.dirname, '../server/providers/chains/contracts');
const SOURCE = 'LaunchToken.sol';
const CONTRACT = 'LaunchToken';

/** The compiler's own package brings no types. */
interface Solc {
  version(): string;
  compile(input: string): string;
}
interface Output {
  errors?: { severity: string; formattedMessage: string }[];
  contracts?: Record<
    string,
    Record<string, { abi: object[]; evm: { bytecode: { object: string }; deployedBytecode: { object: string } } }>
  >;
}

/** The two committed files, by name, with their text. */
export function compileToken(): Record<'LaunchToken.json' | 'LaunchToken.input.json', string> {
  const solc = require('solc') as Solc;
  const input = {
    language: 'Solidity',
    sources: sourcesFrom(SOURCE),
    settings: {
      optimizer: { enabled: true, runs: 200 },
      // Runs on every network, whatever upgrades it has.
      evmVersion: 'paris',
      // No hash of sources and paths behind the code: a comment changes no address.
      metadata: { bytecodeHash: 'none', appendCBOR: false },
    },
  };
  const outputSelection = { '*': { '*': ['abi', 'evm.bytecode.object', 'evm.deployedBytecode.object'] } };
  const withOutputs = { ...input, settings: { ...input.settings, outputSelection } };
  const output = JSON.parse(solc.compile(JSON.stringify(withOutputs))) as Output;
  const failures = (output.errors ?? []).map((error) => error.formattedMessage);
  const compiled = output.contracts?.[SOURCE]?.[CONTRACT];
  if (failures.length > 0 || !compiled) throw new Error(failures.join('\n') || 'nothing was compiled');
  const artifact = {
    contract: CONTRACT,
    compiler: solc.version(),
    abi: compiled.abi,
    creationCode: `0x${compiled.evm.bytecode.object}`,
    runtimeCode: `0x${compiled.evm.deployedBytecode.object}`,
  };
  return { 'LaunchToken.json': textOf(artifact), 'LaunchToken.input.json': textOf(input) };
}

/** A source and everything it imports, as explorers need it for verification. */
function sourcesFrom(entry: string): Record<string, { content: string }> {
  const sources: Record<string, { content: string }> = {};
  const waiting = [entry];
  for (let name = waiting.pop(); name; name = waiting.pop()) {
    if (sources[name]) continue;
    const file = name.startsWith('@') ? require.resolve(name) : path.join(FOLDER, name);
    const content = readFileSync(file, 'utf8').replaceAll('\r\n', '\n');
    sources[name] = { content };
    for (const [, imported = ''] of content.matchAll(/^import\s+(?:[^"';]*from\s+)?["']([^"']+)["'];/gm))
      waiting.push(imported.startsWith('.') ? path.posix.join(path.posix.dirname(name), imported) : imported);
  }
  return Object.fromEntries(Object.entries(sources).sort(([a], [b]) => (a < b ? -1 : 1)));
}

const textOf = (content: object): string => `${JSON.stringify(content, null, 2)}\n`;

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  for (const [name, text] of Object.entries(compileToken())) {
    writeFileSync(path.join(FOLDER, name), text);
    console.log(`${name}: ${text.length} characters`);
  }
}
