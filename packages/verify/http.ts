// Requests that wait where the server asks for it; in Node and browsers.

/** Maximum number of retries per file, and the longest accepted delay in seconds. */
const MAX_WAITS = 5;
const MAX_WAIT_SECONDS = 120;

/** Reading all of a large ledger exceeds the number of files per minute and address: then waits as long as the response says. */
export async function fetchWithBackoff(address: string | URL, init: () => RequestInit = () => ({})): Promise<Response> {
  for (let waits = 0; ; waits++) {
    const response = await fetch(address, init());
    const wait = Number(response.headers.get('retry-after'));
    if (response.status !== 429 || waits >= MAX_WAITS || !(wait > 0 && wait <= MAX_WAIT_SECONDS)) return response;
    await response.arrayBuffer();
    await new Promise((resolve) => setTimeout(resolve, wait * 1_000));
  }
}
