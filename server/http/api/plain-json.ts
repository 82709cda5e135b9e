import { type StandardOpenAPIJsonSerialized, StandardOpenAPIJsonSerializer } from '@orpc/openapi-client/standard';

/**
 * Leaves outputs to `JSON.stringify`. The library looks at each value of an answer for files, sets, dates and large integers, and copies it,
 * which costs as much as encoding it; the contract has plain JSON only, which rest-endpoint.test.ts verifies.
 */
export class PlainJson extends StandardOpenAPIJsonSerializer {
  override serialize(data: unknown): StandardOpenAPIJsonSerialized {
    return [data, false];
  }
}
