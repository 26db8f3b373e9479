// Example application: answers questions from a small FAQ. One of its answers is wrong.

import { createHmac, timingSafeEqual } from "node:crypto";
import { createServer } from "node:http";
import { buffer } from "node:stream/consumers";

const { WEBHOOK_SECRET = "", PORT = "8787" } = process.env;

const faq = [
  [/open/i, "On Saturdays we are open until 16:00."],
  [/ship/i, "Shipping costs 5 euros."],
  [/return/i, "You can return an item within 14 days."],
];

/** Returns true if the product has signed the request (see https://www.standardwebhooks.com). */
function isSigned(headers, body) {
  const ageSeconds = Math.abs(Date.now() / 1000 - Number(headers["webhook-timestamp"]));
  if (!(ageSeconds < 300)) return false;
  const key = Buffer.from(WEBHOOK_SECRET.replace(/^whsec_/, ""), "base64");
  const signed = `${headers["webhook-id"]}.${headers["webhook-timestamp"]}.`;
  const expected = Buffer.from(`v1,${createHmac("sha256", key).update(signed).update(body).digest("base64")}`);
  const signatures = String(headers["webhook-signature"])
    .split(" ")
    .map((signature) => Buffer.from(signature));
  return signatures.some((signature) => signature.length === expected.length && timingSafeEqual(signature, expected));
}

const server = createServer(async (request, response) => {
  const body = await buffer(request);
  if (!isSigned(request.headers, body)) return response.writeHead(401).end();
  if (request.headers["ems-delivery"] !== "prompt") return response.writeHead(204).end();
  const { prompt } = JSON.parse(body.toString());
  const [, output = "I do not know."] = faq.find(([question]) => question.test(prompt)) ?? [];
  console.log(`${prompt} ${output}`);
  response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify({ output }));
});

server.listen(Number(PORT), "127.0.0.1", () => console.log(`Answering on http://127.0.0.1:${PORT}`));
