/** Records the requests that clients send from now on. */
export function recordRequests(): { method: string; url: URL }[] {
  const requests: { method: string; url: URL }[] = [];
  const send = globalThis.fetch;
  globalThis.fetch = (input, init) => {
    const { method, url } = new Request(input, init);
    requests.push({ method, url: new URL(url) });
    return send(input, init);
  };
  return requests;
}
