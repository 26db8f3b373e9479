import { credentials, type NoisyTarget } from "./noise.ts";
import { requestHead, socketNoise } from "./sockets.ts";

/** As large as one request may make it, of characters that JSON writes as six. */
const content = "\\u0001".repeat(150_000);
const pipelined = 20;

/** Readers that ask for a large document many times in one go, and take nothing of it. */
export const slowReaders = socketNoise({
  sockets: 100,
  text: async (target) => {
    const path = `/v0/documents/${await documentOf(target)}`;
    return requestHead(`GET ${path}`, credentials(target)).repeat(pipelined);
  },
  isReading: false,
});

async function documentOf(target: NoisyTarget): Promise<string> {
  const body = `{"title": "Large", "content": "${content}"}`;
  const answer = await fetch(`${target.baseUrl}/v0/documents`, { method: "POST", headers: credentials(target), body });
  const text = await answer.text();
  if (answer.status !== 201) throw new Error(`POST /v0/documents: ${answer.status} ${text}`);
  return (JSON.parse(text) as { document: { id: string } }).document.id;
}
