// Rates of false resemblances between unrelated tokens, and of detected imitations, on generated names, links,
// contracts and logos with a fixed seed. Prints the measured rates (docs/adr/0060-look-alikes.md contains them).
import type { Sharp } from 'sharp';
import { describe, expect, it } from 'vitest';
import { imageKey } from '#server/domains/media/image-key.ts';
import { loadSharp } from '#server/lib/process/sharp.ts';
import { startTestApp } from '#tests/support/app/test-app.ts';
import { generatedCases } from '#tests/support/runner/property-runs.ts';
import { type Sample, sampleToken } from '#tests/support/samples/resemblance-samples.ts';
import { type Comparable, findResemblances } from './resemblance.ts';

const app = await startTestApp();
const { db } = app.services;
const PAIRS = generatedCases({ everyday: 150, long: 500 });
/** Number of the first sample that is a partner. */
const PARTNERS = 500;
/** Imitations of each kind. */
const IMITATED = generatedCases({ everyday: 20, long: 60 });

const sharp = await loadSharp();
const logoOf = ({ svg }: Sample): Sharp => sharp(Buffer.from(svg));
const encoded = (picture: Sharp): Promise<Buffer> => picture.png().toBuffer();

/** An uploaded image with the key of these bytes; the rest of the stored data is not used. */
async function imageOf(bytes: Buffer): Promise<string> {
  const name = crypto.randomUUID().replaceAll('-', '');
  await app.sql(
    `insert into media (name, bucket, width, height, frames, bytes, sha256, variants, picture_key)
     values ($1, 'project-images', 1, 1, 1, 1, sha256(''), '[]', $2)`,
    [name, (await imageKey(sharp(bytes))) ?? '0'.repeat(128)],
  );
  return `/media/${name}.webp`;
}

async function store(sample: Sample, imageUrl: string): Promise<string> {
  const { id } = await app.project({
    token_name: sample.tokenName,
    token_symbol: sample.tokenSymbol,
    website_url: sample.websiteUrl,
    twitter_url: sample.twitterUrl,
    token_address: sample.contractAddress,
    contract_address: sample.contractAddress,
    image_url: imageUrl,
  });
  return id;
}

const found = (token: Comparable) => findResemblances(db, token, { publicOnly: false });
const comparable = ({ svg: _svg, ...fields }: Sample, imageUrl: string): Comparable => ({ ...fields, imageUrl });
const percent = (part: number, of: number): number => Math.round((1_000 * part) / of) / 10;

describe('measured rates', () => {
  it(`at most 1 % of ${PAIRS} unrelated pairs resemble each other, and imitations are found`, {
    timeout: 300_000,
  }, async () => {
    const pairs: [string, string][] = [];
    const alarms: string[] = [];
    const tokens: { sample: Sample; id: string; imageUrl: string; logo: Buffer }[] = [];
    for (let n = 0; n < PAIRS; n++) {
      const sample = sampleToken(n);
      const logo = await encoded(logoOf(sample));
      const imageUrl = await imageOf(logo);
      // Only with its partner: each pair is measured separately.
      const id = await store(sample, imageUrl);
      const partner = sampleToken(PARTNERS + n);
      const partnerLogo = await encoded(logoOf(partner));
      for (const one of await found(comparable(partner, await imageOf(partnerLogo))))
        if (one.id === id) alarms.push(`${sample.tokenName} / ${partner.tokenName}: ${one.alike.join(', ')}`);
      pairs.push([sample.tokenName, partner.tokenName]);
      tokens.push({ sample, id, imageUrl, logo });
      await app.sql('delete from projects where id = $1', [id]);
    }
    expect(pairs).toHaveLength(PAIRS);
    process.stdout.write(
      `look-alikes: ${alarms.length} of ${PAIRS} unrelated pairs (${percent(alarms.length, PAIRS)} %)\n`,
    );
    for (const alarm of alarms) process.stdout.write(`  ${alarm}\n`);
    expect(alarms.length).toBeLessThanOrEqual(PAIRS / 100);

    const blank: Sample = {
      ...sampleToken(99_991),
      websiteUrl: '',
      twitterUrl: '',
      tokenName: 'Qwyx Uvuz',
      tokenSymbol: 'QWYX',
      svg: '',
    };
    const recall = new Map<string, number>();
    for (const { sample, imageUrl, logo } of tokens.slice(0, IMITATED)) {
      const id = await store(sample, imageUrl);
      for (const [how, imitate] of Object.entries(IMITATIONS)) {
        const over = await imitate(sample, logo);
        const list = await found({ ...comparable(blank, ''), ...over });
        recall.set(how, (recall.get(how) ?? 0) + (list.some((one) => one.id === id) ? 1 : 0));
      }
      await app.sql('delete from projects where id = $1', [id]);
    }
    for (const [how, times] of recall) process.stdout.write(`  found ${percent(times, IMITATED)} %: ${how}\n`);
    // Kinds of imitation that are nearly always detected, as the function's documentation states.
    for (const how of SURE)
      expect({ how, rate: percent(recall.get(how) ?? 0, IMITATED) >= 90 }).toEqual({ how, rate: true });
  });
});

const CYRILLIC: Record<string, string> = { a: 'а', e: 'е', o: 'о', p: 'р', c: 'с', x: 'х', y: 'у', i: 'і' };
const LEET: Record<string, string> = { a: '4', e: '3', o: '0', i: '1', s: '5', t: '7' };
const replaced = (text: string, by: Record<string, string>) =>
  [...text].map((character) => by[character] ?? character).join('');
const middle = (text: string) => Math.floor(text.length / 2);
/** In the second word if there is one, so that the first letters remain. */
const without = (text: string, at = middle(text)) => text.slice(0, at) + text.slice(at + 1);
const pictured = (change: (logo: Sharp) => Sharp) => async (_: Sample, logo: Buffer) => ({
  imageUrl: await imageOf(await change(sharp(logo)).toBuffer()),
});

const IMITATIONS: Record<string, (sample: Sample, logo: Buffer) => Promise<Partial<Comparable>>> = {
  'name in Cyrillic letters': async ({ tokenName }) => ({ tokenName: replaced(tokenName, CYRILLIC) }),
  'name with digits': async ({ tokenName }) => ({ tokenName: replaced(tokenName, LEET) }),
  'name without a character': async ({ tokenName }) => ({ tokenName: without(tokenName) }),
  'name with "Official" and "2.0"': async ({ tokenName }) => ({ tokenName: `Official ${tokenName} 2.0` }),
  'the same symbol': async ({ tokenSymbol }) => ({ tokenSymbol }),
  'website with another ending': async ({ websiteUrl }) => ({
    websiteUrl: websiteUrl.replace(/\.[a-z]+\/$/, '.cash/claim'),
  }),
  'website without a letter': async ({ websiteUrl }) => ({
    websiteUrl: websiteUrl.replace(/\/\/(www\.)?([a-z]+)/, (_, www = '', host: string) => `//${www}${without(host)}`),
  }),
  'the same account': async ({ twitterUrl }) => ({ twitterUrl: twitterUrl.replace('x.com', 'twitter.com') }),
  'a contract with the same ends': async ({ contractAddress }) => ({
    contractAddress: `${contractAddress.slice(0, 6)}${'0'.repeat(32)}${contractAddress.slice(-4)}`,
  }),
  'logo, smaller': pictured((logo) => logo.resize(96)),
  'logo, on white as a JPEG': pictured((logo) => logo.flatten({ background: '#fff' }).jpeg({ quality: 40 })),
  'logo in other colours': pictured((logo) => logo.modulate({ hue: 60 })),
  'logo with a white margin': pictured((logo) =>
    logo.extend({ top: 20, bottom: 20, left: 20, right: 20, background: '#fff' }),
  ),
  'logo, brighter': pictured((logo) => logo.modulate({ brightness: 1.2 })),
  'logo, blurred': pictured((logo) => logo.blur(3)),
  'logo, cropped by a sixteenth': pictured((logo) => logo.extract({ left: 8, top: 8, width: 240, height: 240 })),
  'logo, turned by 4 degrees': pictured((logo) => logo.rotate(4, { background: '#0000' })),
  'logo, cropped, beside the same symbol': async (sample, logo) => ({
    tokenSymbol: sample.tokenSymbol,
    ...(await pictured((one) => one.extract({ left: 8, top: 8, width: 240, height: 240 }))(sample, logo)),
  }),
};
const SURE = [
  'name in Cyrillic letters',
  'name with digits',
  'name without a character',
  'name with "Official" and "2.0"',
  'the same symbol',
  'website with another ending',
  'the same account',
  'a contract with the same ends',
  'logo, smaller',
  'logo, on white as a JPEG',
];
