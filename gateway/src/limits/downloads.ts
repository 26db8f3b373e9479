// Files that anybody may ask for without a key: megabytes for a line of text. Each address has a share of what is sent at one time.

import { TenantConcurrencyLimiter } from "@ems/kit/limits/concurrency";
import type { FastifyInstance } from "fastify";
import { clientNetwork } from "../auth/client-address.ts";
import { refusal } from "./rejection.ts";

/** Downloads that are not taken yet; a page of the reference is three. */
const limits = { max: 128, maxPerKey: 16 };

/** Limits the routes of `app`. */
export function limitDownloads(app: FastifyInstance): void {
  const places = new TenantConcurrencyLimiter({
    ...limits,
    reject: refusal("downloads", "Too many downloads", "address"),
  });
  app.addHook("onRequest", ({ ip }, { raw: response }, done) => {
    const address = clientNetwork(ip);
    if (!places.tryAcquire(address)) return done(places.rejection(address));
    response.once("close", () => places.release(address));
    done();
  });
}
