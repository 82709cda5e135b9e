import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';

const root = path.resolve(import.meta.dirname, '..');
interface Locked {
  version?: string;
  dev?: boolean;
  link?: boolean;
}
interface Bill {
  bomFormat: string;
  specVersion: string;
  metadata: { component: { name: string } };
  components: { name: string; version: string; 'bom-ref': string; hashes?: { alg: string }[] }[];
  dependencies: { ref: string; dependsOn: string[] }[];
}

it('the bill of materials lists exactly the production packages, with their hashes', () => {
  const { status, stdout, stderr } = spawnSync(process.execPath, ['scripts/sbom.mjs'], {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 1 << 26,
  });
  expect(status, stderr).toBe(0);
  const bill = JSON.parse(stdout) as Bill;
  expect(bill).toMatchObject({
    bomFormat: 'CycloneDX',
    specVersion: '1.5',
    metadata: { component: { name: 'florka' } },
  });
  const { packages } = JSON.parse(readFileSync(path.join(root, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, Locked>;
  };
  const production = Object.entries(packages)
    .filter(([at, { dev, link }]) => at !== '' && !dev && !link)
    .map(([at, { version }]) => `${at.replace(/^.*node_modules\//, '')}@${version}`);
  const named = bill.components.map(({ name, version }) => `${name}@${version}`);
  expect(new Set(named)).toEqual(new Set(production));
  // Both production and a development tool need these.
  expect(named).toEqual(expect.arrayContaining([expect.stringMatching(/^@noble\/hashes@2/)]));
  expect(bill.components.filter(({ hashes }) => hashes?.[0]?.alg !== 'SHA-512')).toEqual([]);
  const refs = new Set(bill.components.map((component) => component['bom-ref']));
  for (const { dependsOn } of bill.dependencies) for (const ref of dependsOn) expect(refs).toContain(ref);
  const own = bill.dependencies.find(({ ref }) => ref.startsWith('florka@'));
  expect(own?.dependsOn.some((ref) => ref.startsWith('knip@'))).toBe(false);
});
