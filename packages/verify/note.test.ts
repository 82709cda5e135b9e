import { generateKeyPairSync, sign } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { fromText } from './bytes.ts';
import { parsePath, tilePath, tilesOf } from './layout.ts';
import {
  cosignedText,
  formatKey,
  formatSignature,
  keyId,
  parseCheckpoint,
  parseKey,
  parseNote,
  verifyNote,
} from './note.ts';

describe('signed notes', () => {
  /** The example of c2sp.org/signed-note. */
  const KEY = 'example.com/foo+530d903a+AekyeRrm56hApGFkyQR4ZCbV54Id2LKaANYcrnKv3U2k';
  const NOTE =
    'This is an example message.\n\n\u2014 example.com/foo Uw2QOkn8srV1yJGh2VYRlL1Tnagv1YEq6TfXppzi2ONncAlTgK7Ztg1ERYNZXsYjOBH3mFXmRKuwHjG1Yu72IneyaQM=\n';

  it('reads and verifies the example of the specification', async () => {
    const [key, note] = [parseKey(KEY), parseNote(NOTE)];
    if (!key || !note) throw new Error('not read');
    expect(formatKey(key)).toBe(KEY);
    expect(await verifyNote(note, key)).toEqual({ valid: true, time: null });
    const changed = { ...note, text: note.text.replace('example', 'Example') };
    expect(await verifyNote(changed, key)).toEqual({ valid: false, reason: 'wrong' });
    expect(await verifyNote({ ...note, signatures: [] }, key)).toEqual({ valid: false, reason: 'absent' });
  });

  it('refuses a key whose id does not match, and text that is not a note', () => {
    expect(parseKey(KEY.replace('530d903a', '530d903b'))).toBeNull();
    for (const text of ['', 'a\n', NOTE.slice(0, -1), NOTE.replace('This', 'Th\ris'), NOTE.replace('\u2014', '-')])
      expect(parseNote(text)).toBeNull();
  });

  it('verifies the cosignature of a witness, with its time', async () => {
    const { publicKey, privateKey } = generateKeyPairSync('ed25519');
    const raw = new Uint8Array(publicKey.export({ format: 'der', type: 'spki' }).subarray(-32));
    const name = 'witness.example/w1';
    const id = keyId(name, 4, raw);
    const text = 'example.com/log\n0\n47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=\n';
    expect(parseCheckpoint(text)?.size).toBe(0);
    const time = 1_700_000_000;
    const stamp = Buffer.alloc(8);
    stamp.writeBigUInt64BE(BigInt(time));
    const signature = Buffer.concat([stamp, sign(null, fromText(cosignedText(time, text)), privateKey)]);
    const note = parseNote(`${text}\n${formatSignature({ name, id, signature })}`);
    if (!note) throw new Error('not read');
    const key = { name, type: 4 as const, id, publicKey: raw };
    expect(await verifyNote(note, key)).toEqual({ valid: true, time });
    stamp.writeBigUInt64BE(BigInt(time + 1));
    const later = parseNote(
      `${text}\n${formatSignature({ name, id, signature: Buffer.concat([stamp, signature.subarray(8)]) })}`,
    );
    expect(later && (await verifyNote(later, key))).toEqual({ valid: false, reason: 'wrong' });
    // One second after the last time of a Date.
    const never = 8_640_000_000_001;
    stamp.writeBigUInt64BE(BigInt(never));
    const far = Buffer.concat([stamp, sign(null, fromText(cosignedText(never, text)), privateKey)]);
    const distant = parseNote(`${text}\n${formatSignature({ name, id, signature: far })}`);
    expect(distant && (await verifyNote(distant, key))).toEqual({ valid: false, reason: 'wrong' });
  });

  it.each([
    'a\n01\n47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=\n',
    'a\n1\nAAAA\n',
    '\n1\n47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=\n',
  ])('does not accept %j as a checkpoint', (text) => expect(parseCheckpoint(text)).toBeNull());
});

describe('paths of tiles', () => {
  it('are those of the specification', () => {
    expect(tilePath(0, 1_234_067, 256)).toBe('tile/0/x001/x234/067');
    expect(tilePath(1, 0, 17)).toBe('tile/1/000.p/17');
    // 70,000 leaves: at level 0 273 full tiles and one of 112 hashes, at level 1 one full and one of 17, at level 2 one of 1.
    expect([...tilesOf(0, 70_000)].length).toBe(274);
    expect([...tilesOf(0, 70_000)].at(-1)).toEqual({ index: 273, width: 112 });
    expect([...tilesOf(1, 70_000)]).toEqual([
      { index: 0, width: 256 },
      { index: 1, width: 17 },
    ]);
    expect([...tilesOf(2, 70_000)]).toEqual([{ index: 0, width: 1 }]);
    expect([...tilesOf(0, 256)]).toEqual([{ index: 0, width: 256 }]);
  });

  it('are accepted in their canonical form only', () => {
    expect(parsePath('tile/entries/x001/000.p/255')).toEqual({ level: 'entries', index: 1_000, width: 255 });
    for (const path of [
      'tile/00/000',
      'tile/64/000',
      'tile/0/x000/001',
      'tile/0/1',
      'tile/0/000.p/256',
      'tile/0/000.p/0',
      'tile/0/000.p/01',
      'tile/0/../000',
    ])
      expect(parsePath(path)).toBeNull();
  });
});
