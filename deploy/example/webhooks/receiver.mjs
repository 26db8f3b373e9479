// Webhook receiver in Node (18 or later) without packages: verifies each delivery and prints the event's type.

import { createHmac, timingSafeEqual } from "node:crypto";
import { createServer } from "node:http";
import { buffer } from "node:stream/consumers";

const { WEBHOOK_SECRET = "", PORT = "8080" } = process.env;
const key = Buffer.from(WEBHOOK_SECRET.replace(/^whsec_/, ""), "base64");
const toleranceSeconds = 300;

/** Returns true if the product has signed `body`, the raw bytes, within the last five minutes. */
export function isSigned(headers, body) {
  const id = headers["webhook-id"];
  const timestamp = headers["webhook-timestamp"];
  if (!(Math.abs(Date.now() / 1000 - Number(timestamp)) <= toleranceSeconds)) return false;
  const expected = createHmac("sha256", key).update(`${id}.${timestamp}.`).update(body).digest();
  // After a rotation of the secret, the header has two signatures, separated by a space.
  return String(headers["webhook-signature"])
    .split(" ")
    .filter((candidate) => candidate.startsWith("v1,"))
    .map((candidate) => Buffer.from(candidate.slice(3), "base64"))
    .some((candidate) => candidate.length === expected.length && timingSafeEqual(candidate, expected));
}

const seen = new Set();

const server = createServer(async (request, response) => {
  const body = await buffer(request);
  if (!isSigned(request.headers, body)) return response.writeHead(401).end();
  const id = request.headers["webhook-id"];
  // Deliveries may repeat (at least once). Store each id together with its effect, and keep ids for 14 days.
  if (!seen.has(id)) {
    seen.add(id);
    console.log(JSON.parse(body).type ?? "a prompt");
  }
  // Respond immediately and do the work later, because the product waits only 15 seconds.
  response.writeHead(204).end();
});
server.listen(Number(PORT), "127.0.0.1", () => console.log(`Listening on http://127.0.0.1:${PORT}`));
