import { createHash } from 'node:crypto';
import fs from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import sharp from 'sharp';
import { afterAll, describe, expect, it } from 'vitest';
import { type CardFacts, createDrawing } from './card-drawing.ts';
import { type CardStore, openCardStore } from './card-store.ts';

const root = await fs.mkdtemp(path.join(os.tmpdir(), 'florka-cards-'));
afterAll(() => fs.rm(root, { recursive: true, force: true }));
const keyOf = (text: string) => createHash('sha256').update(text).digest('hex');
const png = await sharp({ create: { width: 8, height: 8, channels: 3, background: '#c33' } })
  .png()
  .toBuffer();

describe('stored cards', () => {
  it('can be read by another process; an incomplete file is ignored', async () => {
    const folder = path.join(root, 'kept');
    await openCardStore(folder).write(keyOf('a'), png);
    expect(await openCardStore(folder).read(keyOf('a'))).toEqual(png);
    await fs.writeFile(path.join(folder, `${keyOf('b')}.png`), png.subarray(0, 20));
    expect(await openCardStore(folder).read(keyOf('b'))).toBeNull();
    expect(await fs.readdir(folder)).toHaveLength(2);
  });

  it('stay below a total size: the least recently used ones are deleted', async () => {
    const folder = path.join(root, 'bounded');
    const store = openCardStore(folder, png.length * 3);
    const old = new Date(Date.now() - 60_000);
    for (const name of ['a', 'b', 'c']) {
      await store.write(keyOf(name), png);
      await fs.utimes(path.join(folder, `${keyOf(name)}.png`), old, old);
    }
    await store.read(keyOf('a'));
    await store.write(keyOf('d'), png);
    await store.write(keyOf('e'), png);
    expect((await fs.readdir(folder)).sort()).toEqual(['a', 'd', 'e'].map((name) => `${keyOf(name)}.png`).sort());
  });

  it('are not stored when the folder cannot be used, without an error', async () => {
    const file = path.join(root, 'a-file');
    await fs.writeFile(file, '');
    const store = openCardStore(file);
    await store.write(keyOf('a'), png);
    expect(await store.read(keyOf('a'))).toBeNull();
  });
});

describe('a drawing', () => {
  const FACTS: CardFacts = {
    siteName: 'Florka',
    markAddress: null,
    kicker: 'Kicker',
    title: 'Luna',
    text: 'Words',
    figures: [{ value: '1', name: 'votes' }],
    imageAddress: null,
    stub: null,
    curve: null,
    note: '',
    symbol: 'LUNA',
    id: 'x',
  };
  function rig(store: CardStore) {
    const taken: string[] = [];
    const source: { picture: Buffer | null } = { picture: png };
    const draw = createDrawing({
      store,
      readImage: async () => source.picture,
      consumeDrawingLimit: async (address) => void taken.push(address),
    });
    return { draw, taken, source };
  }

  it('is made once for equal facts, also after a restart, and again when they change', async () => {
    const store = openCardStore(path.join(root, 'drawn'));
    const first = rig(store);
    const one = await first.draw(FACTS, 'a');
    expect(await first.draw(FACTS, 'b')).toEqual(one);
    const second = rig(store);
    expect(await second.draw(FACTS, 'c')).toEqual(one);
    expect([first.taken, second.taken]).toEqual([['a'], []]);
    await second.draw({ ...FACTS, figures: [{ value: '2', name: 'votes' }] }, 'd');
    expect(second.taken).toEqual(['d']);
  });

  it('that omits an unreadable image is not stored', async () => {
    const { draw, taken, source } = rig(openCardStore(path.join(root, 'pictures')));
    const facts = { ...FACTS, imageAddress: '/media/a.webp' };
    source.picture = null;
    const bare = await draw(facts, 'a');
    source.picture = png;
    expect(await draw(facts, 'b')).not.toEqual(bare);
    await draw(facts, 'c');
    expect(taken).toEqual(['a', 'b']);
  });

  it('contains the site’s own mark, and is not stored when the mark is unreadable', async () => {
    const { draw, taken, source } = rig(openCardStore(path.join(root, 'marks')));
    const drawn = await draw(FACTS, 'a');
    const facts = { ...FACTS, markAddress: '/media/b.webp' };
    source.picture = null;
    expect(await draw(facts, 'b')).toEqual(drawn);
    source.picture = png;
    expect(await draw(facts, 'c')).not.toEqual(drawn);
    await draw(facts, 'd');
    expect(taken).toEqual(['a', 'b', 'c']);
  });
});
