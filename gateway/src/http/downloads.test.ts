import Fastify from "fastify";
import { expect, test } from "vitest";
import { errorResponse } from "../rest/errors.ts";
import { limitDownloads } from "./downloads.ts";

test("downloads are limited per client network, and finished ones release their places", async () => {
  const app = Fastify({ trustProxy: true });
  limitDownloads(app);
  app.setErrorHandler((error, _request, reply) => {
    const { status, headers, body } = errorResponse(error);
    return reply.code(status).headers(headers).send(body);
  });
  const finish = Promise.withResolvers<void>();
  app.get("/", async () => {
    await finish.promise;
    return "file";
  });
  const from = (address: string) => app.inject({ url: "/", headers: { "x-forwarded-for": address } });
  // An injected request starts when its promise is awaited; addresses of one /64 count as one client.
  const running = Array.from({ length: 16 }, (_, index) => from(`2001:db8::${index}`).then((answer) => answer));
  await expect.poll(async () => (await from("2001:db8::ff")).statusCode).toBe(429);
  const refused = await from("2001:db8::ff");
  expect(refused.json()).toEqual({ message: "Too many downloads of this address at once" });
  expect(refused.headers["retry-after"]).toBe("1");
  const other = from("192.0.2.1").then((answer) => answer);
  finish.resolve();
  for (const answer of await Promise.all([...running, other])) expect(answer.statusCode).toBe(200);
  expect((await from("2001:db8::ff")).statusCode).toBe(200);
});
