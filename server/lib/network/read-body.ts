/**
 * Reads a response body as UTF-8 text up to a size limit.
 *
 * @param maxBytes of the body.
 * @throws Error if the body is longer.
 */
export async function readBody(response: Response, maxBytes: number): Promise<string> {
  if (!response.body) return '';
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body) {
    size += chunk.length;
    if (size > maxBytes) throw new Error('the response is too long');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}
