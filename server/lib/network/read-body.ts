/**
 * The text of an answer from elsewhere, read no further than it may be long.
 *
 * @param most bytes.
 * @throws Error when there is more.
 */
export async function readBody(response: Response, most: number): Promise<string> {
  if (!response.body) return '';
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body) {
    size += chunk.length;
    if (size > most) throw new Error('the answer is too long');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}
