import { credentials, type NoisyTarget } from "./noise.ts";
import { requestHead, socketNoise } from "./sockets.ts";

/** As large as one request permits, of characters that JSON escapes with six. */
const content = "\\u0001".repeat(150_000);
const pipelined = 20;

/** Readers that request a large document many times at once, and read nothing. */
export const slowReaders = socketNoise({
  sockets: 100,
  text: async (target) => {
    const path = `/v0/documents/${await createDocument(target)}`;
    return requestHead(`GET ${path}`, credentials(target)).repeat(pipelined);
  },
  isReading: false,
});

async function createDocument(target: NoisyTarget): Promise<string> {
  const body = `{"title": "Large", "content": "${content}"}`;
  const answer = await fetch(`${target.baseUrl}/v0/documents`, { method: "POST", headers: credentials(target), body });
  const text = await answer.text();
  if (answer.status !== 201) throw new Error(`POST /v0/documents: ${answer.status} ${text}`);
  return (JSON.parse(text) as { document: { id: string } }).document.id;
}
