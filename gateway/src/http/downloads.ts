// Concurrency limit for the public files of the reference: large responses that need no API key.

import { TenantConcurrencyLimiter } from "@ems/kit/limits/concurrency";
import type { FastifyInstance } from "fastify";
import { clientNetwork } from "../auth/client-address.ts";
import { rejection } from "../budget/index.ts";

/** Maximum unfinished downloads; loading the reference page takes three of them. */
const limits = { max: 128, maxPerKey: 16 };

/** Limits downloads of all routes of `app`, per client network. */
export function limitDownloads(app: FastifyInstance): void {
  const places = new TenantConcurrencyLimiter({
    ...limits,
    reject: rejection("downloads", "Too many downloads", "address"),
  });
  app.addHook("onRequest", ({ ip }, { raw: response }, done) => {
    const network = clientNetwork(ip);
    if (!places.tryAcquire(network)) return done(places.rejection(network));
    response.once("close", () => places.release(network));
    done();
  });
}
