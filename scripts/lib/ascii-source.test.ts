// biome-ignore-all lint/suspicious/noTemplateCurlyInString: templates are what is tested.
import { describe, expect, it } from 'vitest';
import { asciiSource } from './ascii-source.mjs';

const ASCII = /^[\0-\x7f]*$/;
const run = (code: string): unknown => new Function(`return ${code}`)();

describe('source code rewritten in ASCII', () => {
  it.each([
    ["'ñandú · 漢字'"],
    ["'😀 two units'"],
    ["'\\\\é'"],
    ["'\\é'"],
    ["'\\\\\\é'"],
    ['`línea ${1 + 1} ¿qué?`'],
    ['({ año: 1, "más": 2 })'],
    ["(() => { const señal = 'sí'; return señal; })()"],
    ["'¡áéí!'.replace(/[áé]/g, '–')"],
    ["'a😀b'.replace(/[😀-😂]/u, '×')"],
    ["'a😀b'.match(/\\p{Emoji}/v)?.[0] + '…'"],
    ["((parts) => parts.join('|'))`año ${0} más`"],
  ])('evaluates %s to the same value', (code) => {
    const made = asciiSource(code);
    expect(made).toMatch(ASCII);
    expect(run(made)).toEqual(run(code));
  });

  it('equals the original if that is ASCII already', () => {
    const code = "const a = '\\n\\u00e9'; // words";
    expect(asciiSource(code)).toBe(code);
  });
});
